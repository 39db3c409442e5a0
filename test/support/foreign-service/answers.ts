import type { IncomingHttpHeaders } from 'node:http';
import { type ForeignOrder, type Orders, textOf } from './orders.ts';

export const apiKey = 'sandbox_key-of-the-foreign-service';

const collection = '/api/v1/merchant/orders';
const mostPerPage = 50;

interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Told {
  status: number;
  headers: Record<string, string>;
  content: string;
}

/** What the interface document says a service does; where it is silent, one choice of many. */
export function answerTo(orders: Orders, asked: Asked): Told {
  const { method, url, headers } = asked;
  const { pathname, searchParams } = new URL(url, 'http://service');
  if (headers.authorization === undefined) return problem(400, 'no-credentials');
  if (headers.authorization !== `Bearer ${apiKey}`) return problem(401, 'bad-credentials');
  if (pathname === collection && method === 'POST') return create(orders, asked);
  if (pathname === collection && method === 'GET') return list(orders, searchParams);
  const [, id = '', cancel] = /^\/api\/v1\/merchant\/orders\/([^/]+)(\/cancel)?$/.exec(pathname) ?? [];
  const order = orders.find(decodeURIComponent(id));
  if (!order) return problem(404, 'no-such-order');
  if (method === 'GET' && !cancel) return json(200, { result: shown(order) });
  if (method === 'POST' && cancel) return cancelled(order, asked.body);
  return problem(405, 'method-not-allowed');
}

function create(orders: Orders, { headers, body }: Asked): Told {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string') return problem(428, 'no-idempotency-key');
  const kept = orders.keptUnder(key);
  if (kept) return kept.body === body ? json(200, { result: shown(kept.order) }) : problem(409, 'key-reused');
  const sent = JSON.parse(body) as Record<string, unknown>;
  const { collectionMode: mode, collectionAmount: amount } = sent;
  const isPositive = typeof amount === 'string' && /[1-9]/.test(amount);
  if ((mode === 'NONE' && isPositive) || (mode === 'COLLECT' && !isPositive)) {
    return problem(400, 'invalid', 'MERCHANT_API_INVALID_ORDER');
  }
  const lines = (sent.items ?? []) as { sku?: string }[];
  if (lines.some(({ sku }) => sku?.startsWith('NO-'))) return problem(422, 'sku', 'PRODUCT_SKU_NOT_FOUND');
  const ownId = textOf(sent.externalOrderId);
  if (ownId !== undefined && orders.isTaken(ownId)) return problem(422, 'external-id-exists');
  return json(200, { result: shown(orders.add(sent, key, body)) });
}

function list(orders: Orders, query: URLSearchParams): Told {
  const page = Number(query.get('page') ?? 0);
  const size = Math.min(Number(query.get('pageSize') ?? 10), mostPerPage);
  const is = (name: string, value: string | undefined) => !query.has(name) || query.get(name) === value;
  const found = orders
    .all()
    .filter(
      (order) =>
        is('externalOrderId', order.externalOrderId) &&
        is('orderNumber', order.orderNumber) &&
        is('status', order.status) &&
        is('customerPhone', order.phone) &&
        order.createdAt >= (query.get('createdFrom') ?? '') &&
        order.createdAt.slice(0, 10) <= (query.get('createdTo') ?? '9999').slice(0, 10),
    );
  const totalPages = Math.ceil(found.length / size);
  return json(200, {
    _embedded: { orders: found.slice(page * size, (page + 1) * size).map(shown) },
    page: { size, totalElements: found.length, totalPages, number: page },
  });
}

function cancelled(order: ForeignOrder, body: string): Told {
  const { reason } = JSON.parse(body) as { reason?: unknown };
  if (typeof reason !== 'string' || reason.trim() === '') return problem(422, 'no-reason');
  if (order.status !== 'ready_for_fulfilment') return problem(409, 'not-cancellable');
  order.status = 'cancelled';
  return { status: 202, headers: {}, content: '' };
}

function shown({ sent, phone: _phone, ...order }: ForeignOrder): object {
  return { ...sent, ...order, delivery: null };
}

function json(status: number, value: unknown, contentType = 'application/json'): Told {
  return { status, headers: { 'content-type': contentType }, content: JSON.stringify(value) };
}

function problem(status: number, name: string, code?: string): Told {
  const type = `https://service.example/problems/${name}`;
  const told = { type, title: name.replaceAll('-', ' '), status, ...(code === undefined ? {} : { code }) };
  return json(status, told, 'application/problem+json');
}
