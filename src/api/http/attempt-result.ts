import type { Json } from '../../orders/json.ts';
import { ConnectFailure } from './connect.ts';
import type { Broken } from './exchange.ts';

export const operations = ['create', 'get', 'list', 'cancel'] as const;
export type Operation = (typeof operations)[number];

/** A complete answer of the service. */
export interface ServiceResponse {
  kind: 'response';
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The text read as JSON; undefined when it is none. */
  body: Json | undefined;
}

/** An attempt that brought no complete answer. */
export interface Failure {
  kind: 'failure';
  /** False only when it is certain that no byte of the request left. */
  mayHaveBeenSent: boolean;
  /** The certificate was not accepted: trying again would not help. */
  isCertificate: boolean;
  reason: string;
  /** A connection that had been used before was closed before any byte of this answer came. */
  closedWhileIdle?: boolean;
}

/** What was seen on one attempt. */
export type AttemptResult = ServiceResponse | Failure;

const reasons: Record<string, string> = {
  UND_ERR_SOCKET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ECONNRESET: 'the connection was reset',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer were too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was not as long as it said',
};
const closings = new Set(['UND_ERR_SOCKET', 'EPIPE', 'ECONNRESET']);

/**
 * An exchange that broke → what it proves. `wasReused`: the connection had carried an answer before, so that a
 * service that closes it when it is idle may have done so while the request was on its way.
 */
export function failureOf({ error, wasSent, wasAnswered }: Broken, wasReused: boolean): Failure {
  const { code } = error as { code?: unknown };
  const name = typeof code === 'string' ? code : '';
  const closedWhileIdle = wasSent && wasReused && !wasAnswered && closings.has(name);
  return {
    kind: 'failure',
    mayHaveBeenSent: wasSent,
    isCertificate: error instanceof ConnectFailure && error.isCertificate,
    reason: reasons[name] ?? messageOf(error, name),
    ...(closedWhileIdle ? { closedWhileIdle } : {}),
  };
}

function messageOf(error: unknown, code: string): string {
  if (code.startsWith('HPE_')) return 'the answer was not HTTP';
  return error instanceof Error && error.message !== '' ? error.message : 'the connection failed';
}
