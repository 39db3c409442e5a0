import type { Failure, ServiceResponse } from '../../src/api/http/attempt-result.ts';
import { readBody } from '../../src/api/http/body.ts';

/** A response as the transport returns it. */
export function responseOf(
  status: number,
  text = '',
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return { kind: 'response', status, headers, text, body: read(text) };
}

function read(text: string) {
  try {
    return readBody(text);
  } catch {
    return undefined;
  }
}

export const lost: Failure = { kind: 'failure', mayHaveBeenSent: true, isCertificate: false, reason: 'lost' };
export const notSent: Failure = { ...lost, mayHaveBeenSent: false };
export const closedWhileIdle: Failure = { ...lost, closedWhileIdle: true };
export const badCertificate: Failure = { ...notSent, isCertificate: true };
export const throttled = (retryAfter: string) => responseOf(429, '', { 'retry-after': retryAfter });
