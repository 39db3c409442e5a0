import { STATUS_CODES } from 'node:http';
import type { ErrorIssue } from '../errors.ts';
import { isJsonNumber, type Json, member } from '../orders/json.ts';
import { firstText } from './error-places.ts';
import { knownServiceCodes } from './known-codes.ts';

const codeShape = /^[A-Za-z][\w.-]{0,99}$/;
const screaming = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
/** A number with fewer digits is a status or a flag. */
const numericCode = /^[1-9]\d{3,19}$/;
const codeNames = [
  ...['code', 'errorCode', 'error_code', 'errorcode', 'serviceCode', 'name', '__type', 'type'],
  'error',
];
/** Ends of problem types (RFC 9457) that stand for no problem in particular. */
const vagueType = /^(?:blank|errors?|problems?|rfc\d+|section-.*)$/i;
const leadingCode = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\s*:/;
const phrases = new Set(Object.values(STATUS_CODES));

/**
 * The service's own code among the places of an error: a code of interface section 7 wherever it stands, else
 * the first that has the shape of one. A number of three digits is a status and no code.
 */
export function findServiceCode(
  body: Json | undefined,
  places: readonly Json[],
  issues: readonly ErrorIssue[],
  message: string | undefined,
): string | undefined {
  const ofIssues = issues.flatMap(({ code }) => code ?? []);
  return (
    lastPart(firstText(places, codeNames, (text) => knownServiceCodes.has(lastPart(text) ?? ''))) ??
    ofIssues.find((code) => knownServiceCodes.has(code)) ??
    lastPart(firstText(places, codeNames, isCode)) ??
    statusName(body) ??
    firstNumber(places) ??
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

/** What a URI or a qualified name ends in. */
function lastPart(text: string | undefined): string | undefined {
  return text?.split(/[/#:]/).at(-1);
}

/** In Google's errors the code is the status, and the status is the code. */
function statusName(body: Json | undefined): string | undefined {
  const name = member(member(body, 'error'), 'status');
  return typeof name === 'string' && screaming.test(name) ? name : undefined;
}

function firstNumber(places: readonly Json[]): string | undefined {
  const numbers = places.map((place) => {
    const code = member(place, 'code') ?? member(place, 'errorCode') ?? member(place, 'error_code');
    return isJsonNumber(code) ? code.toString() : typeof code === 'string' ? code : '';
  });
  return numbers.find((text) => numericCode.test(text));
}
