import type { ErrorIssue } from '../../../errors.ts';
import { isJsonNumber, type Json } from '../../../orders/json.ts';
import { isUuid } from '../../../orders/order-reference.ts';
import { isStatusPhrase } from '../message-text.ts';

export interface ErrorObject {
  members: ReadonlyMap<string, Json>;
  /** Negative inside an error object, 0 for the whole body, positive in other objects. */
  rank: number;
}

const codeShape = /^[A-Za-z][\w.-]{0,99}$/;
const screaming = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
/** Shorter numbers are statuses or flags. */
const numericCode = /^[1-9]\d{3,19}$/;
const codeNames = ['code', 'errorcode', 'errortype', 'servicecode'];
/** Inside the error object these may mean something else. */
const outerCodeNames = [...codeNames, 'name', 'type', 'error'];
const vagueType = /^(?:blank|errors?|problems?|validation|rfc\d.*|section-.*)$/i;
/** Kinds of values, and what express-validator and zod call problems with a field. */
const vagueKind =
  /^(?:field|alternative(?:_grouped)?|unknown_fields|string|number|boolean|object|array|custom|validation|schema)$/;
/** Class names of frameworks. */
const className =
  /^(?:\w*Validation|Zod|Vali|Bad_?Request|Http|Type|Syntax|UnprocessableEntity)?(?:Error|Exception)$|(?:Error|Exception)$(?<=\..*)/i;
const leadingCode = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\s*:/;

/** The outermost error object comes first. */
export function findCodeByShape(
  objects: readonly ErrorObject[],
  issues: readonly ErrorIssue[],
  message: string | undefined,
): string | undefined {
  return (
    firstOf(objects, textCode) ??
    firstOf(objects, statusName) ??
    firstOf(objects, numberCode) ??
    issues.map(({ code }) => code).find((code) => code !== undefined && screaming.test(code)) ??
    leadingCode.exec(message ?? '')?.[1]
  );
}

export function isCodeOfProblem(text: string): boolean {
  return codeShape.test(text) && !vagueKind.test(text) && !isUuid(text);
}

function firstOf(
  objects: readonly ErrorObject[],
  find: (object: ErrorObject) => string | undefined,
): string | undefined {
  for (const object of objects) {
    const found = find(object);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textCode({ members, rank }: ErrorObject): string | undefined {
  for (const name of rank > 0 ? codeNames : outerCodeNames) {
    const value = members.get(name);
    // The last part of a URI.
    const text = typeof value === 'string' ? (value.split(/[/#:]/).at(-1) ?? '') : '';
    const isVague =
      (name === 'type' &&
        (vagueType.test(text) || (/response$/i.test(text) && isStatusPhrase(text.slice(0, -8))))) ||
      (name === 'name' && className.test(text)) ||
      ((name === 'name' || name === 'error') && (isStatusPhrase(text) || text !== value));
    if (codeShape.test(text) && !isVague) return text;
  }
  return undefined;
}

/** Google's errors hold the code in `status`, and the HTTP status in `code`. */
function statusName({ members, rank }: ErrorObject): string | undefined {
  const name = rank < 0 ? members.get('status') : undefined;
  return typeof name === 'string' && screaming.test(name) ? name : undefined;
}

function numberCode({ members }: ErrorObject): string | undefined {
  const code = members.get('code') ?? members.get('errorcode');
  const text = isJsonNumber(code) || typeof code === 'string' ? code.toString() : '';
  return numericCode.test(text) ? text : undefined;
}
