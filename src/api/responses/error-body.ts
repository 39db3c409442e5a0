import type { ErrorIssue } from '../../errors.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { readFieldErrors } from './field-errors.ts';
import { errorPlaces, firstText, oneLine, textOf, wordsOf } from './message-text.ts';
import { findServiceCode } from './service-codes.ts';

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
/** Code, message, field errors and request id of an error answer, whatever its shape and content type. */
export function readServiceError(answer: ServiceResponse): ServiceError {
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

function plainText(answer: ServiceResponse): string | undefined {
  const text = answer.body === undefined ? wordsOf(answer.text) : textOf(answer.body);
  return text?.trim() ? text : undefined;
}
