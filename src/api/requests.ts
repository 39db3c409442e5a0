import { createHash } from 'node:crypto';
import { CliError } from '../errors.ts';
import { parseJson, writeJson } from '../orders/json.ts';
import type { HttpRequest } from './http/transport.ts';

/** The request that creates an order (interface section 4.1): `body` is sent as it is. */
export function createRequest(body: string, idempotencyKey: string): HttpRequest {
  return { method: 'POST', path: '', headers: { 'idempotency-key': idempotencyKey }, body };
}

/** The request that cancels an order (interface section 4.4). Error: `order_not_found` for an id that could be another route. */
export function cancelRequest(id: string, reason: string): HttpRequest {
  return { method: 'POST', path: `${idSegment(id)}/cancel`, body: writeJson({ reason }) };
}

/** The request that reads an order (interface section 4.2). Error: `order_not_found` for an id that could be another route. */
export function getRequest(id: string): HttpRequest {
  return { method: 'GET', path: idSegment(id) };
}

/** A request as it is shown to the user, without the API key. */
export function describeRequest({ method, path, headers = {}, body = '{}' }: HttpRequest, ordersUrl: string) {
  return { method, url: `${ordersUrl}${path}`, headers: { ...headers }, body: parseJson(body) };
}

/** The id as one path segment. Error: `order_not_found`. */
function idSegment(id: string): string {
  // `.` and `..` lead to another route, and servers read `%2E` as a dot and `%2F` as a slash.
  if (/^\.{0,2}$|[/\\\p{Cc}\p{Cs}]/u.test(id)) {
    throw new CliError('order_not_found', `There is no order ${JSON.stringify(id)}.`, {
      hint: 'Check the number, or run: merchant-orders list',
    });
  }
  return `/${encodeURIComponent(id)}`;
}

/**
 * The `Idempotency-Key` of a create (interface section 4.1): a UUID (version 8) from the SHA-256 of the external
 * order ID, the exact body and the generation. The same order has the same key on every machine, so a repeated
 * request is recognised; an order with other content has another key.
 */
export function idempotencyKey(externalOrderId: string, body: string, generation: number): string {
  const digest = createHash('sha256');
  for (const part of [externalOrderId, body, String(generation)]) {
    digest.update(`${Buffer.byteLength(part)}:`).update(part);
  }
  const hex = digest.digest('hex').slice(0, 32);
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}
