import { ConnectFailure } from './connect-failure.ts';
import type { Broken } from './exchange.ts';
import type { Failure } from './observation.ts';

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
