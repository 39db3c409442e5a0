import { errors } from 'undici';
import type { Json } from '../../orders/json.ts';
import { ConnectFailure } from './connect.ts';
import type { RequestFailure } from './response-reader.ts';

export const operations = ['create', 'get', 'list', 'cancel'] as const;
export type Operation = (typeof operations)[number];

export interface ServiceResponse {
  kind: 'response';
  status: number;
  /** Names in lower case; several values of one name joined with commas. */
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The text as JSON; undefined when it is not JSON. */
  body: Json | undefined;
}

export interface Failure {
  kind: 'failure';
  /** False only when it is certain that no byte of the request was sent. */
  mayHaveBeenSent: boolean;
  /** The certificate was not accepted, so a retry would not help. */
  isCertificate: boolean;
  reason: string;
  /** A reused connection was closed before any byte of the response was received. */
  closedWhileIdle?: boolean;
}

export type AttemptResult = ServiceResponse | Failure;

const reasons: Record<string, string> = {
  UND_ERR_SOCKET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ECONNRESET: 'the connection was reset',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the response were too large',
  // undici asserts that an upgrade (101) was requested.
  ERR_ASSERTION: 'the response was not valid HTTP/1.1',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the response was not as long as its Content-Length',
};
const closedCodes = new Set(['UND_ERR_SOCKET', 'EPIPE', 'ECONNRESET']);

/** `wasReused`: the service may have closed the idle connection while this request was on its way. */
export function toFailure({ error, wasSent, hasResponseBegun }: RequestFailure, wasReused: boolean): Failure {
  const code: unknown = (error as { code?: unknown }).code;
  const name = typeof code === 'string' ? code : '';
  const closedWhileIdle = wasSent && wasReused && !hasResponseBegun && closedCodes.has(name);
  return {
    kind: 'failure',
    mayHaveBeenSent: wasSent,
    isCertificate: error instanceof ConnectFailure && error.isCertificate,
    reason: reasons[name] ?? messageOf(error),
    ...(closedWhileIdle ? { closedWhileIdle } : {}),
  };
}

function messageOf(error: unknown): string {
  if (error instanceof errors.HTTPParserError) return 'the response was not valid HTTP/1.1';
  return error instanceof Error && error.message !== '' ? error.message : 'the connection failed';
}
