import type { ErrorIssue } from '../errors.ts';
import { isJsonNumber, isJsonObject, type Json, member } from '../orders/json.ts';
import { errorPlaces, firstText, textOf } from './error-places.ts';
import { readFieldErrors } from './field-errors.ts';
import { oneLine, wordsOf } from './message-text.ts';
import type { Answer } from './observation.ts';
import { isOrderLike } from './order-signs.ts';
import { findServiceCode } from './service-code.ts';

/** What an error answer says, as far as it says it; the interface shows no shape (section 7.2). */
export interface ServiceError {
  code?: string;
  message?: string;
  requestId?: string;
  /** What is wrong with which field. */
  issues?: ErrorIssue[];
}

const messageNames = [
  ...['message', 'Message', 'detail', 'errorMessage', 'error_message', 'faultstring', 'error_description'],
  ...['description', 'title', 'msg', 'error', 'errors'],
];
const requestIdNames = ['requestId', 'request_id', 'traceId', 'debug_id', 'correlationId'];
const requestIdHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];
/** Members by which an answer calls itself an error, when they have something in them. */
const errorNames = ['error', 'errors'];
/** The same in what is no order; an order may have fields of these names. */
const envelopeNames = ['fault', 'errorCode', 'error_code', '__type'];
const successWord = /^(?:OK|SUCCESS|SUCCEEDED|DONE|ACCEPTED|CREATED|COMPLETED|CANCELL?ED)$/;

/** Code, message, field errors and request id of an error answer, whatever its shape and content type. */
export function readServiceError(answer: Answer): ServiceError {
  const places = errorPlaces(answer.body);
  const issues = readFieldErrors(answer.body, places);
  const told = firstText(places, messageNames, () => true) ?? plainText(answer);
  const code = findServiceCode(answer.body, places, issues, told);
  const message =
    firstText(places, messageNames, (text) => text !== code) ??
    plainText(answer) ??
    (issues.length === 0 ? undefined : issues.map(({ path, message }) => `${path}: ${message}`).join('; '));
  const requestId =
    firstText([...places, answer.body ?? null], requestIdNames, () => true) ??
    requestIdHeaders.map((name) => answer.headers[name]).find((value) => value !== undefined);
  const line = oneLine(message ?? '');
  const id = oneLine(requestId ?? '');
  return {
    ...(code === undefined ? {} : { code }),
    ...(line === '' ? {} : { message: line }),
    ...(id === '' ? {} : { requestId: id }),
    ...(issues.length === 0 ? {} : { issues }),
  };
}

/** Whether a body speaks of an error, whatever status it came with. */
export function isErrorBody(body: Json | undefined): boolean {
  if (member(body, 'success') === false) return true;
  if (errorNames.some((name) => isTold(member(body, name)))) return true;
  return !isOrderLike(body) && isErrorEnvelope(body);
}

function isErrorEnvelope(body: Json | undefined): boolean {
  if (member(body, 'ok') === false || envelopeNames.some((name) => isTold(member(body, name)))) return true;
  const isErrorStatus = ['status', 'statusCode', 'code'].some((name) => {
    const value = member(body, name);
    return isJsonNumber(value) && /^[45]\d\d$/.test(value.toString());
  });
  const code = member(body, 'code');
  const isCoded = typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) && !successWord.test(code);
  return (
    isErrorStatus ||
    /^(?:error|fail|failed|failure)$/.test(String(member(body, 'status'))) ||
    (isCoded && typeof member(body, 'message') === 'string')
  );
}

function isTold(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  if (isJsonNumber(value)) return !/^0+$/.test(value.toString());
  if (Array.isArray(value)) return value.length > 0;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

function plainText(answer: Answer): string | undefined {
  const text = answer.body === undefined ? wordsOf(answer.text) : textOf(answer.body);
  return text?.trim() ? text : undefined;
}
