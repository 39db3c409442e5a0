import { STATUS_CODES } from 'node:http';
import type { ErrorIssue } from '../../errors.ts';
import { isJsonNumber, type Json, member } from '../../orders/json.ts';
import { firstText } from './message-text.ts';

const codeShape = /^[A-Za-z][\w.-]{0,99}$/;
const screaming = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
/** Shorter numbers are statuses or flags. */
const numericCode = /^[1-9]\d{3,19}$/;
const codeNames = [
  ...['code', 'errorCode', 'error_code', 'errorcode', 'serviceCode', 'name', '__type', 'type'],
  'error',
];
const vagueType = /^(?:blank|errors?|problems?|rfc\d+|section-.*)$/i;
const leadingCode = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\s*:/;
const phrases = new Set(Object.values(STATUS_CODES));

/** The service's code: one of interface section 7 wherever it is, else the first text with the shape of a code. */
export function findServiceCode(
  body: Json | undefined,
  objects: readonly Json[],
  issues: readonly ErrorIssue[],
  message: string | undefined,
): string | undefined {
  const ofIssues = issues.flatMap(({ code }) => code ?? []);
  return (
    lastPart(firstText(objects, codeNames, (text) => knownServiceCodes.has(lastPart(text) ?? ''))) ??
    ofIssues.find((code) => knownServiceCodes.has(code)) ??
    lastPart(firstText(objects, codeNames, isCode)) ??
    statusName(body) ??
    firstNumber(objects) ??
    ofIssues.find((code) => screaming.test(code)) ??
    leadingCode.exec(message ?? '')?.[1]
  );
}

export function hasCodeShape(text: string): boolean {
  return codeShape.test(text);
}

function isCode(text: string, name: string): boolean {
  if (name === 'error') return codeShape.test(text) && !phrases.has(text);
  if (name !== 'type' && name !== '__type') return codeShape.test(text);
  const end = lastPart(text) ?? '';
  return codeShape.test(end) && !vagueType.test(end);
}

function lastPart(text: string | undefined): string | undefined {
  return text?.split(/[/#:]/).at(-1);
}

/** Google's errors hold the code in `status`, and the HTTP status in `code`. */
function statusName(body: Json | undefined): string | undefined {
  const name = member(member(body, 'error'), 'status');
  return typeof name === 'string' && screaming.test(name) ? name : undefined;
}

function firstNumber(objects: readonly Json[]): string | undefined {
  const numbers = objects.map((object) => {
    const code = member(object, 'code') ?? member(object, 'errorCode') ?? member(object, 'error_code');
    return isJsonNumber(code) ? code.toString() : typeof code === 'string' ? code : '';
  });
  return numbers.find((text) => numericCode.test(text));
}

const orderHint = 'Fix what the message names and run the same command again.';

const hints = new Map([
  [
    'PRODUCT_SKU_NOT_FOUND',
    'Check the SKU against the catalogue, have the product added there, or leave the SKU out for a line that is not in stock.',
  ],
  [
    'PRODUCT_SKU_INACTIVE',
    'Have the product made active in the catalogue, choose another one, or leave the SKU out for a line that is not in stock.',
  ],
  [
    'CUSTOMER_PHONE_AMBIGUOUS',
    'Give an external customer ID that this key has used before, or have the platform merge the customers who share this phone.',
  ],
  ['MERCHANT_API_INVALID_ORDER', orderHint],
]);

export const knownServiceCodes: ReadonlySet<string> = new Set(hints.keys());

/** What to do about a rejection; general advice for unknown codes. */
export function hintFor(serviceCode: string | undefined): string {
  return hints.get(serviceCode ?? '') ?? orderHint;
}
