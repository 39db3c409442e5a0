import { errors } from 'undici';
import { type Text, t } from '../../advice/advice.ts';
import type { Json } from '../../orders/json.ts';
import type { ConnectionEnd } from './connect.ts';
import { ConnectFailure, LocalFailure, outOfMemory, tlsCodeOf } from './connect-failure.ts';
import { RequestError, type RequestFailure, ResponseTooLarge } from './response-reader.ts';

export const operations = ['create', 'get', 'list', 'cancel'] as const;
export type Operation = (typeof operations)[number];

export interface ServiceResponse {
  kind: 'response';
  status: number;
  /** Names in lower case; several values of one name joined with commas. */
  headers: Readonly<Record<string, string>>;
  text: string;
  /** Undefined if the text is not JSON. */
  body: Json | undefined;
  /** As it was sent: a response may echo it. */
  requestBody?: string | undefined;
}

export interface Failure {
  kind: 'failure';
  /** False only when it is certain that no byte of the request was sent. */
  mayHaveBeenSent: boolean;
  isCertificate: boolean;
  reason: Text;
  /** Without a full stop. */
  cure?: Text;
  isLocal?: boolean;
  /** A reused connection closed before the first byte of a response. */
  closedWhileIdle?: boolean;
  /** A success response with more bytes than we read. */
  isTooLarge?: boolean;
  /** A `100 Continue` that was not asked for, which the HTTP library cannot read past: so is every response. */
  isContinue?: boolean;
}

export type AttemptResult = ServiceResponse | Failure;

const closed = t`the connection was closed`;
const lost = t`the network connection was lost`;
const notHttp = t`the response was not valid HTTP/1.1`;
const reasons: Record<string, Text> = {
  UND_ERR_SOCKET: closed,
  EPIPE: closed,
  ECONNRESET: t`the connection was reset`,
  ETIMEDOUT: lost,
  EHOSTUNREACH: lost,
  ENETUNREACH: lost,
  ENETDOWN: lost,
  UND_ERR_HEADERS_OVERFLOW: t`the headers of the response were too large`,
  // undici asserts that an upgrade (101) was requested.
  ERR_ASSERTION: notHttp,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: t`the response was not as long as its Content-Length`,
};
const closedCodes = new Set(['UND_ERR_SOCKET', 'EPIPE', 'ECONNRESET']);

export function toFailure(
  { error, wasSent, hasResponseBegun }: RequestFailure,
  end?: ConnectionEnd,
): Failure {
  const cause = end?.cause ?? error;
  const isOutOfMemory = !wasSent && cause instanceof RangeError;
  const connectFailure = cause instanceof ConnectFailure ? cause : isOutOfMemory ? outOfMemory() : undefined;
  // The service may have closed the idle connection while this request was on its way.
  const wasIdle = wasSent && end?.wasReused === true && !hasResponseBegun && closedCodes.has(codeOf(error));
  return {
    kind: 'failure',
    mayHaveBeenSent: wasSent && connectFailure === undefined,
    isCertificate: connectFailure?.isCertificate ?? false,
    reason: connectFailure?.sentence ?? reasonOf(cause),
    ...(connectFailure?.cure === undefined ? {} : { cure: connectFailure.cure }),
    ...(connectFailure instanceof LocalFailure ? { isLocal: true } : {}),
    ...(wasIdle ? { closedWhileIdle: true } : {}),
    ...(error instanceof ResponseTooLarge ? { isTooLarge: true } : {}),
    ...(isContinue(error) ? { isContinue: true } : {}),
  };
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** How undici reports a response with the status 100; it has no code of its own. */
function isContinue(error: unknown): boolean {
  return error instanceof errors.SocketError && error.message === 'bad response';
}

const continueLine = '100 Continue';

function reasonOf(error: unknown): Text {
  if (isContinue(error))
    return t`the service sends "${continueLine}" before its responses, although it was not requested`;
  if (error instanceof RequestError) return error.sentence;
  if (error instanceof errors.HTTPParserError) return notHttp;
  const tlsCode = tlsCodeOf(error);
  if (tlsCode !== undefined) return t`the secure connection broke off (${tlsCode})`;
  const code = codeOf(error);
  if (code !== '') return reasons[code] ?? t`the connection failed (${code})`;
  return error instanceof Error && error.message !== '' ? error.message : t`the connection failed`;
}
