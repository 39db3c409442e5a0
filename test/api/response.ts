import type { Failure, ServiceResponse } from '../../src/api/http/attempt-result.ts';
import { readBody } from '../../src/api/http/body.ts';
import { readXml } from '../../src/api/http/xml.ts';

/** A response as the transport returns it. */
export function responseOf(
  status: number,
  text = '',
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return { kind: 'response', status, headers, text, body: read(status, text) };
}

function read(status: number, text: string) {
  try {
    const body = readBody(text);
    return body === undefined && /^\s*</.test(text) ? readXml(text, status >= 300) : body;
  } catch {
    return undefined;
  }
}

export const lost: Failure = { kind: 'failure', mayHaveBeenSent: true, isCertificate: false, reason: 'lost' };
export const notSent: Failure = { ...lost, mayHaveBeenSent: false };
export const closedWhileIdle: Failure = { ...lost, closedWhileIdle: true };
export const badCertificate: Failure = { ...notSent, isCertificate: true };
export const throttled = (retryAfter: string) => responseOf(429, '', { 'retry-after': retryAfter });
