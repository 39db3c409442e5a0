import { CliError } from '../errors.ts';
import { parseJson, writeJson } from '../orders/json.ts';
import type { HttpRequest } from './transport.ts';

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

/** A request as a person reads it; the header with the key is left out. */
export function describeRequest({ method, path, headers = {}, body = '{}' }: HttpRequest, ordersUrl: string) {
  return { method, url: `${ordersUrl}${path}`, headers: { ...headers }, body: parseJson(body) };
}

/** An id is one segment of the path, or it is not asked for. */
function idSegment(id: string): string {
  // `.` and `..` lead to another route, and servers read `%2E` as a dot and `%2F` as a slash.
  if (/^\.{0,2}$|[/\\\p{Cc}\p{Cs}]/u.test(id)) {
    throw new CliError('order_not_found', `There is no order ${JSON.stringify(id)}.`, {
      hint: 'Check the number; run: merchant-orders list',
    });
  }
  return `/${encodeURIComponent(id)}`;
}
