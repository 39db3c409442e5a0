import { isJsonObject, type Json, type JsonObject, jsonText, member, writeJson } from '../orders/json.ts';
import type { Answer } from './observation.ts';

/** What an error answer says, as far as it says it; the interface shows no shape (section 7.2). */
export interface ServiceError {
  code?: string;
  message?: string;
  requestId?: string;
}

const codeShape = /^[A-Za-z][\w.-]{0,99}$/;
const codeKeys = [
  'code',
  'errorCode',
  'error_code',
  'errorcode',
  'serviceCode',
  'name',
  '__type',
  'type',
  'error',
];
const messageKeys = [
  'message',
  'Message',
  'detail',
  'errorMessage',
  'error_message',
  'faultstring',
  'error_description',
  'description',
  'title',
  'error',
];
const requestIdKeys = ['requestId', 'request_id', 'traceId', 'debug_id', 'correlationId'];
const requestIdHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];
const longestMessage = 300;
/** Of a page of HTML or text; what is looked through must be bounded, or a hostile page takes minutes. */
const longestPage = 20_000;

/** Code, message and request id of an error answer, whatever its shape. */
export function readServiceError(answer: Answer): ServiceError {
  const places = errorPlaces(answer.body);
  const code = firstText(places, codeKeys, (text) => codeShape.test(text));
  const message = firstText(places, messageKeys, (text) => text !== code) ?? plainText(answer);
  const requestId =
    firstText([...places, answer.body], requestIdKeys, () => true) ??
    requestIdHeaders.map((name) => answer.headers[name]).find((value) => value !== undefined);
  return {
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message: oneLine(message) }),
    ...(requestId === undefined ? {} : { requestId: oneLine(requestId) }),
  };
}

/** Whether a body speaks of an error, whatever status it came with. */
export function isErrorBody(body: Json | undefined): boolean {
  const isTold = (value: Json | undefined) =>
    !/^(?:|null|false|""|\[\]|\{\})$/.test(value === undefined ? '' : writeJson(value));
  return member(body, 'success') === false || isTold(member(body, 'error')) || isTold(member(body, 'errors'));
}

/** The objects of a body that may speak of the error, innermost first. */
function errorPlaces(body: Json | undefined): JsonObject[] {
  const error = member(body, 'error');
  const errors = member(body, 'errors');
  const firstError = Array.isArray(errors) ? errors[0] : undefined;
  const nested = member(error, 'error') ?? member(member(body, 'data'), 'error');
  const fault = member(body, 'fault');
  const top = Array.isArray(body) ? body[0] : body;
  return [nested, error, firstError, fault, member(fault, 'detail'), top].filter(isJsonObject);
}

function firstText(
  places: readonly (Json | undefined)[],
  keys: readonly string[],
  accepts: (text: string) => boolean,
): string | undefined {
  for (const place of places) {
    for (const key of keys) {
      const value = member(place, key);
      const text = Array.isArray(value) ? value.map(jsonText).join('; ') : value;
      if (typeof text === 'string' && text.trim() !== '' && accepts(text)) return text;
    }
  }
  return undefined;
}

function plainText(answer: Answer): string | undefined {
  if (answer.body !== undefined && typeof answer.body !== 'string') return undefined;
  const text = answer.body ?? withoutTags(answer.text.slice(0, longestPage));
  return text.trim() === '' ? undefined : text;
}

function withoutTags(page: string): string {
  return page.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
}
