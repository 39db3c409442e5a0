import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'undici';
import type { Request } from './case-shape.ts';
import { ordersIn, type ReturnedOrder } from './envelope.ts';
import type { Names } from './names.ts';
import type { Service } from './start-service.ts';

export const collection = '/api/v1/merchant/orders';

const validOrder: Record<string, unknown> = JSON.parse(
  readFileSync(new URL('../../../fixtures/contract/valid-order.json', import.meta.url), 'utf8'),
);

export interface ContractResponse {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  orders: ReturnedOrder[];
}

/** Sends a request of a case, by default with the key `own` and, for a create, a new Idempotency-Key. */
export async function sendRequest(
  { baseUrl }: Service,
  names: Names,
  { method, path, key = 'own', query = {}, headers = {}, order, body, rawBody }: Request,
): Promise<ContractResponse> {
  const url = new URL(baseUrl + names.fillPath(path));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, names.fill(value));
  const sent: Record<string, string | null> = {
    ...(key === 'none' ? {} : { authorization: `Bearer ${names.fill(`{keys.${key}}`)}` }),
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    ...(method === 'POST' && path === collection ? { 'idempotency-key': randomUUID() } : {}),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
  const response = await request(url, {
    method,
    headers: Object.fromEntries(
      Object.entries(sent).flatMap(([name, value]) => (value === null ? [] : [[name, names.fill(value)]])),
    ),
    body:
      rawBody ?? (method === 'GET' ? null : JSON.stringify(names.fillAll(body ?? wholeOrder(order ?? {})))),
  });
  const text = await response.body.text();
  return { status: response.statusCode, headers: response.headers, text, orders: ordersIn(parse(text)) };
}

function wholeOrder(fields: Record<string, unknown>): Record<string, unknown> {
  const isAbsent = (value: unknown) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, '$absent');
  return Object.fromEntries(
    Object.entries({ ...validOrder, ...fields }).filter(([, value]) => !isAbsent(value)),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
