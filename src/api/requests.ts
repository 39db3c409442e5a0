import { hash } from 'node:crypto';
import { command, t } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { parseJson, writeJson } from '../orders/json.ts';
import type { HttpRequest } from './http/transport.ts';

/** Interface section 4.1. */
export function createRequest(body: string, idempotencyKey: string): HttpRequest {
  return { method: 'POST', path: '', headers: { 'idempotency-key': idempotencyKey }, body };
}

/** A UUID version 8 (interface section 4.1): the same for the same order on every machine, another one for other content. */
export function idempotencyKey(externalOrderId: string, body: string, generation: number): string {
  const parts = [externalOrderId, body, String(generation)].map(
    (part) => `${Buffer.byteLength(part)}:${part}`,
  );
  const hex = hash('sha256', parts.join('')).slice(0, 32);
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  const last = `8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${last}`;
}

/** Interface section 4.4. Error: `order_not_found` for an id that could be another route. */
export function cancelRequest(id: string, reason: string): HttpRequest {
  return { method: 'POST', path: `${idSegment(id)}/cancel`, body: writeJson({ reason }) };
}

/** Interface section 4.2. Error: `order_not_found` for an id that could be another route. */
export function getRequest(id: string): HttpRequest {
  return { method: 'GET', path: idSegment(id) };
}

/** A request as it is shown to the user, without the API key. */
export function describeRequest({ method, path, headers = {}, body = '{}' }: HttpRequest, ordersUrl: string) {
  return { method, url: `${ordersUrl}${path}`, headers: { ...headers }, body: parseJson(body) };
}

function idSegment(id: string): string {
  // `.` and `..` lead to another route, and servers read `%2E` as a dot and `%2F` as a slash.
  if (/^\.{0,2}$|[/\\\p{Cc}\p{Cs}]/u.test(id)) {
    throw new CliError('order_not_found', t`There is no order ${JSON.stringify(id)}.`, {
      hint: t`Check the number, or run: ${command('list')}`,
    });
  }
  return `/${encodeURIComponent(id)}`;
}
