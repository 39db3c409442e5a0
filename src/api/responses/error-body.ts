import type { ErrorIssue } from '../../errors.ts';
import type { Json } from '../../orders/json.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { findCodeByShape } from './errors/code-shapes.ts';
import type { ErrorText, ErrorWords } from './errors/collected-words.ts';
import { requestIdNames } from './errors/error-names.ts';
import { readErrorWords } from './errors/error-words.ts';
import { hasSpace, isStatusPhrase, joinTexts, oneLine } from './message-text.ts';
import { findKnownCode, knownServiceCodes, textsSent } from './service-codes.ts';
import { readXml } from './xml-text.ts';

/** What an error response says. The interface defines no shape for it (section 7.2). */
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
  const { text, body } = response;
  const words = readErrorWords(body === undefined ? readText(text) : body);
  const sent = textsSent(response.requestBody);
  const texts = words.texts.filter(({ text }) => !sent.has(text)).sort((one, other) => one.rank - other.rank);
  const objects = words.objects.sort((one, other) => one.rank - other.rank);
  const issues = issuesOf(words, texts).filter(({ message }) => !sent.has(message));
  const code = findKnownCode(response) ?? ownCode(response, findCodeByShape(objects, issues, texts[0]?.text));
  const message = messageOf(
    texts.filter(({ text }) => text !== code),
    issues,
  );
  const requestId = [
    ...objects.flatMap(({ members }) => requestIdNames.map((name) => members.get(name))),
    ...requestIdHeaders.map((name) => response.headers[name]),
  ].find((value) => typeof value === 'string' && value.trim() !== '');
  const id = oneLine(String(requestId ?? ''));
  return {
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(id === '' ? {} : { requestId: id }),
    ...(issues.length === 0 ? {} : { issues }),
  };
}

const formShape = /^[\w.[\]-]+=[^&=\s]*(?:&[\w.[\]-]+=[^&=\s]*)+$/;

/** What a body that is not JSON says: XML, a form or a text; nothing when it is compressed or in another character set. */
function readText(text: string): Json {
  const start = text.slice(0, maxStart);
  if (start.includes('\0') || start.split('\ufffd').length > start.length / 10 + 1) return '';
  const isForm = formShape.test(start.trim());
  return isForm ? Object.fromEntries(new URLSearchParams(start.trim())) : (readXml(text) ?? text);
}

/** In a 4xx, a code of interface section 7 that is not found as such is an echo of what was sent. */
function ownCode({ status }: ServiceResponse, code: string | undefined): string | undefined {
  const isEcho = status >= 400 && status < 500 && knownServiceCodes.has(code ?? '');
  return isEcho ? undefined : code;
}

/** The problems with fields; where nothing says more than a status, any other text. */
function issuesOf({ issues, otherTexts }: ErrorWords, texts: readonly ErrorText[]): ErrorIssue[] {
  if (issues.length > 0 || texts.some(({ text }) => !isStatusPhrase(text))) return issues;
  const sentences = otherTexts.filter(({ message }) => hasSpace(message));
  return sentences.length > 0 || texts.length > 0 ? sentences : otherTexts;
}

/** The text about the whole error, and further ones that are sentences; else the problems with fields. */
function messageOf(texts: readonly ErrorText[], issues: readonly ErrorIssue[]): string | undefined {
  const [first, ...more] = texts.filter(({ text }) => !isStatusPhrase(text));
  const problems = issues.map(({ path, message }) => `${path}: ${message}`);
  if (first === undefined)
    return oneLine(problems.length > 0 ? problems.join('; ') : (texts[0]?.text ?? '')) || undefined;
  const further = more.filter(
    ({ text, isHeading }) => !isHeading && (hasSpace(text) || !hasSpace(first.text)),
  );
  return oneLine(joinTexts([first, ...further].map(({ text }) => text)) ?? '') || undefined;
}
