import type { Failure } from './observation.ts';

/** Errors that come before the first byte of a request leaves. */
const beforeSending = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
]);
const certificateCode = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;
const reasons: Record<string, string> = {
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNREFUSED: 'nothing answers at that address',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  UND_ERR_SOCKET: 'the connection was closed',
  ECONNRESET: 'the connection was reset',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'the answer was too large',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer were too large',
};

/**
 * An error of undici → what it proves. `abortedByUs`: our own deadline or leaving ended the attempt;
 * `neverConnected`: it came before there was a connection to send on.
 */
export function failureOf(error: unknown, abortedByUs: boolean, neverConnected: boolean): Failure {
  if (abortedByUs) {
    const reason = 'no answer in time';
    return { kind: 'failure', mayHaveBeenSent: true, isCertificate: false, reason };
  }
  const code = codeOf(error);
  const isCertificate = certificateCode.test(code);
  // An abort that is not ours is a proxy that refused to connect us (undici words it like an abort).
  const refusedByProxy = code === 'UND_ERR_ABORTED';
  const reason = refusedByProxy ? 'the proxy refused the connection' : (reasons[code] ?? messageOf(error));
  return {
    kind: 'failure',
    mayHaveBeenSent: !(neverConnected || isCertificate || refusedByProxy || beforeSending.has(code)),
    isCertificate,
    reason: isCertificate ? `its certificate was not accepted (${code})` : reason,
  };
}

function codeOf(error: unknown): string {
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return code;
  if (cause !== undefined) return codeOf(cause);
  return errors?.[0] === undefined ? '' : codeOf(errors[0]);
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'the connection failed';
}
