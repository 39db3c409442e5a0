import type { ErrorIssue } from '../../errors.ts';
import { isJsonNumber, isJsonObject, type Json, member } from '../../orders/json.ts';
import { hasOrderField } from '../../orders/order.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { readErrorWords, screaming } from './error-words.ts';
import { hasSpace, isStatusPhrase, joinTexts, oneLine } from './message-text.ts';
import { findKnownCode, knownServiceCodes, textsSent } from './service-codes.ts';

/** The interface defines no shape for errors (section 7.2). */
export interface ServiceError {
  code?: string;
  message?: string;
  requestId?: string;
  issues?: ErrorIssue[];
}

const requestIdHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];

const maxStart = 20_000;
const known = new WeakMap<ServiceResponse, ServiceError>();

/** The code, message, field errors and request ID of an error response, whatever its shape and content type. */
export function readServiceError(response: ServiceResponse): ServiceError {
  const error = known.get(response) ?? readError(response);
  known.set(response, error);
  return error;
}

function readError(response: ServiceResponse): ServiceError {
  const { text, body, headers, status } = response;
  const words = readErrorWords(body === undefined ? readable(text) : body, textsSent(response.requestBody));
  const { texts, issues } = words;
  const found = words.code ?? issues.map(({ code }) => code).find((code) => screaming.test(code ?? ''));
  // A code of interface section 7 that `findKnownCode` does not find in a 4xx is an echo or from a documentation.
  const isProven = status < 400 || status > 499 || !knownServiceCodes.has(found ?? '');
  const code = findKnownCode(response) ?? (isProven ? found : undefined);
  const saying = texts.filter((text) => !isStatusPhrase(text) && text !== code);
  const [first = '', ...more] = saying;
  const said = joinTexts([first, ...more.filter((text) => hasSpace(text) || !hasSpace(first))]) ?? '';
  const problems = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  const phrase = texts.find((text) => text !== code);
  const message = oneLine(said || problems || challengeOf(headers['www-authenticate']) || (phrase ?? ''));
  const requestIds = [words.requestId, ...requestIdHeaders.map((name) => headers[name])];
  const requestId = requestIds.map((id = '') => oneLine(id)).find(Boolean);
  return {
    ...(code === undefined ? {} : { code }),
    ...(message === '' ? {} : { message }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(issues.length === 0 ? {} : { issues }),
  };
}

/** The words of a challenge (RFC 6750): its description, or else its error. */
function challengeOf(header = ''): string | undefined {
  const parameters = [...header.matchAll(/([A-Za-z_]{1,40})="((?:[^"\\]|\\.){1,300})"/g)];
  const parameter = (name: string) =>
    parameters.find(([, key]) => key?.toLowerCase() === name)?.[2]?.replace(/\\(.)/g, '$1');
  const words = parameter('error_description') ?? parameter('error');
  return words === undefined ? undefined : oneLine(words);
}

/** A body without a value; empty if it is compressed or in another character set. */
function readable(text: string): string {
  const start = text.slice(0, maxStart);
  return start.includes('\0') || start.split('\ufffd').length > start.length / 10 + 1 ? '' : start;
}

/** Such as `SUCCESS` or `created`, of any operation. */
export function isSuccessWord(word: string): boolean {
  return /^(?:OK|SUCCESS|SUCCEEDED|DONE|ACCEPTED|CREATED|COMPLETED|CANCELL?ED)$/i.test(word);
}

/** Whatever the status of the response. */
export function isErrorBody(body: Json | undefined): boolean {
  if (Array.isArray(body)) {
    return body.length > 0 && body.every((item) => member(item, 'id') === undefined && isErrorBody(item));
  }
  const has = (...names: string[]) => names.some((name) => isPresent(member(body, name)));
  if (member(body, 'success') === false || has('error', 'errors')) return true;
  // An order may have such fields, too.
  if (isOrderLike(body)) return false;
  const [status = '', statusCode = '', code = ''] = ['status', 'statusCode', 'code'].map((name) =>
    String(member(body, name) ?? ''),
  );
  return (
    has('fault', 'errorCode', 'error_code', '__type') ||
    member(body, 'ok') === false ||
    [status, statusCode, code].some((text) => /^[45]\d\d$/.test(text)) ||
    /^(?:error|fail|failed|failure)$/.test(status) ||
    (/^[A-Z][A-Z0-9_]+$/.test(code) && !isSuccessWord(code) && typeof member(body, 'message') === 'string')
  );
}

/** The body if it is an error, or the errors of the parts of a batch, as in a 207. */
export function errorsIn(body: Json | undefined): Json[] {
  if (body === undefined || isErrorBody(body)) return body === undefined ? [] : [body];
  if (isOrderLike(body)) return [];
  return Array.isArray(body) || isJsonObject(body) ? Object.values(body).flatMap(errorsIn) : [];
}

function isPresent(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  if (isJsonNumber(value)) return !/^0+$/.test(value.toString());
  if (Array.isArray(value)) return value.length > 0;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

/** Whether a value has a field that only orders have (interface section 2), so it is not an envelope. */
export function isOrderLike(value: Json | undefined): boolean {
  if (hasOrderField(value)) return true;
  // A list of orders may be named `items`, too.
  const items = member(value, 'items');
  if (!Array.isArray(items) || items.length === 0) return false;
  return !items.some((item) => hasOrderField(item) || hasOrderField(member(item, 'attributes')));
}
