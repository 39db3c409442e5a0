import type { ErrorIssue } from '../../errors.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { readFieldErrors } from './field-errors.ts';
import { errorObjects, firstText, oneLine, textOf, textOfPage } from './message-text.ts';
import { findServiceCode } from './service-codes.ts';

/** What an error response says. The interface defines no shape for it (section 7.2). */
export interface ServiceError {
  code?: string;
  message?: string;
  requestId?: string;
  issues?: ErrorIssue[];
}

const messageNames = [
  ...['message', 'Message', 'detail', 'errorMessage', 'error_message', 'faultstring', 'error_description'],
  ...['description', 'title', 'msg', 'error', 'errors'],
];
const requestIdNames = ['requestId', 'request_id', 'traceId', 'debug_id', 'correlationId'];
const requestIdHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];

/** The code, message, field errors and request ID of an error response, whatever its shape and content type. */
export function readServiceError(response: ServiceResponse): ServiceError {
  const objects = errorObjects(response.body);
  const issues = readFieldErrors(response.body, objects);
  const text = firstText(objects, messageNames, () => true) ?? plainText(response);
  const code = findServiceCode(response.body, objects, issues, text);
  const message =
    firstText(objects, messageNames, (text) => text !== code) ??
    plainText(response) ??
    (issues.length === 0 ? undefined : issues.map(({ path, message }) => `${path}: ${message}`).join('; '));
  const requestId =
    firstText([...objects, response.body ?? null], requestIdNames, () => true) ??
    requestIdHeaders.map((name) => response.headers[name]).find((value) => value !== undefined);
  const line = oneLine(message ?? '');
  const id = oneLine(requestId ?? '');
  return {
    ...(code === undefined ? {} : { code }),
    ...(line === '' ? {} : { message: line }),
    ...(id === '' ? {} : { requestId: id }),
    ...(issues.length === 0 ? {} : { issues }),
  };
}

function plainText(response: ServiceResponse): string | undefined {
  const text = response.body === undefined ? textOfPage(response.text) : textOf(response.body);
  return text?.trim() ? text : undefined;
}
