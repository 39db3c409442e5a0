import type { ErrorIssue } from '../../errors.ts';
import { isJsonNumber, isJsonObject, type Json, member } from '../../orders/json.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { type ErrorWords, readErrorWords, screaming } from './errors/error-words.ts';
import { hasSpace, isStatusPhrase, joinTexts, oneLine } from './message-text.ts';
import { findKnownCode, knownServiceCodes, textsSent } from './service-codes.ts';
import { readXml } from './xml-text.ts';

/** The interface defines no shape for errors (section 7.2). */
export interface ServiceError {
  code?: string;
  message?: string;
  requestId?: string;
  issues?: ErrorIssue[];
}

const requestIdHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];
const leadingCode = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\s*:/;

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
  const words = readErrorWords(body === undefined ? readText(text) : body, textsSent(response.requestBody));
  const texts = words.texts.sort((one, other) => one.rank - other.rank);
  const issues = issuesOf(words, texts);
  const [stated] = words.codes.sort((one, other) => one.order - other.order || one.rank - other.rank);
  const found =
    stated?.code ??
    issues.map(({ code }) => code).find((code) => code !== undefined && screaming.test(code)) ??
    leadingCode.exec(texts[0]?.text ?? '')?.[1];
  // A code of interface section 7 that `findKnownCode` does not find in a 4xx is an echo or from a documentation.
  const isProven = status < 400 || status > 499 || !knownServiceCodes.has(found ?? '');
  const code = findKnownCode(response) ?? (isProven ? found : undefined);
  const saying = texts.filter(({ text }) => text !== code);
  const message = messageOf(saying, issues);
  const requestIds = [...words.requestIds, ...requestIdHeaders.map((name) => headers[name] ?? '')];
  const requestId = requestIds.map(oneLine).find(Boolean);
  return {
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(issues.length === 0 ? {} : { issues }),
  };
}

const formShape = /^[\w.[\]-]+=[^&=\s]*(?:&[\w.[\]-]+=[^&=\s]*)+$/;

/** A body that is not JSON: XML, a form or text; empty if it is compressed or in another character set. */
function readText(text: string): Json {
  const start = text.slice(0, maxStart);
  if (start.includes('\0') || start.split('\ufffd').length > start.length / 10 + 1) return '';
  const isForm = formShape.test(start.trim());
  return isForm ? Object.fromEntries(new URLSearchParams(start.trim())) : (readXml(text) ?? text);
}

/** Problems with fields, or other texts if there is nothing better than a status. */
function issuesOf({ issues, otherTexts }: ErrorWords, texts: ErrorWords['texts']): ErrorIssue[] {
  if (issues.length > 0 || texts.some(({ text }) => !isStatusPhrase(text))) return issues;
  const sentences = otherTexts.filter(({ message }) => hasSpace(message));
  return sentences.length > 0 || texts.length > 0 ? sentences : otherTexts;
}

/** The best text about the whole error, and further sentences; otherwise the problems with fields. */
function messageOf(texts: ErrorWords['texts'], issues: readonly ErrorIssue[]): string | undefined {
  const [first, ...more] = texts.filter(({ text }) => !isStatusPhrase(text));
  const problems = issues.map(({ path, message }) => `${path}: ${message}`);
  if (first === undefined)
    return oneLine(problems.length > 0 ? problems.join('; ') : (texts[0]?.text ?? '')) || undefined;
  const further = more.filter(
    ({ text, isHeading }) => !isHeading && (hasSpace(text) || !hasSpace(first.text)),
  );
  return oneLine(joinTexts([first, ...further].map(({ text }) => text)) ?? '') || undefined;
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

const orderFields = ['orderNumber', 'externalOrderId', 'collectionMode', 'customer'];

/** Whether a value has a field that only orders have (interface section 2), so it is not an envelope. */
export function isOrderLike(value: Json | undefined): boolean {
  if (hasOrderField(value)) return true;
  // A list of orders may be named `items`, too.
  const items = member(value, 'items');
  if (!Array.isArray(items) || items.length === 0) return false;
  return !items.some((item) => hasOrderField(item) || hasOrderField(member(item, 'attributes')));
}

/** As `isOrderLike`, without `items`. */
export function hasOrderField(value: Json | undefined): boolean {
  return orderFields.some((field) => member(value, field) !== undefined);
}
