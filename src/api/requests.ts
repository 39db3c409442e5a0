import { advice, command } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { parseJson, writeJson } from '../orders/json.ts';
import type { HttpRequest } from './http/transport.ts';

/** Interface section 4.1. */
export function createRequest(body: string, idempotencyKey: string): HttpRequest {
  return { method: 'POST', path: '', headers: { 'idempotency-key': idempotencyKey }, body };
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
    throw new CliError('order_not_found', `There is no order ${JSON.stringify(id)}.`, {
      hint: advice`Check the number, or run: ${command('list')}`,
    });
  }
  return `/${encodeURIComponent(id)}`;
}
