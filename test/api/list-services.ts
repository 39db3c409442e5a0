import type { ReceivedRequest, Reply } from './stub-service.ts';

interface Page {
  orders: object[];
  page: number;
  size: number;
  total: number;
  isLast: boolean;
  /** The URL of the next page: the requested one with another page number. */
  next: string | null;
}

type Envelope = (page: Page) => { json: unknown; headers?: Record<string, string> };

/** Common list envelopes, those that state little included. */
export const envelopes: Record<string, Envelope> = {
  'bare array': ({ orders }) => ({ json: orders }),
  'data, meta': ({ orders, page, size, total }) => ({
    json: { data: orders, meta: { page, pageSize: size, total } },
  }),
  'data, pagination': ({ orders, page, total }) => ({
    json: { data: orders, pagination: { current_page: page, total } },
  }),
  'data, has_more': ({ orders, isLast }) => ({ json: { data: orders, has_more: !isLast } }),
  'items, limit': ({ orders, page, size, total }) => ({ json: { items: orders, total, page, limit: size } }),
  'items, token beside pages': ({ orders, isLast }) => ({
    json: { items: orders, ...(isLast ? {} : { nextPageToken: 'abc' }) },
  }),
  'count, next, results': ({ orders, total, next }) => ({
    json: { count: total, next, previous: null, results: orders },
  }),
  Spring: ({ orders, page, size, total, isLast }) => ({
    json: { content: orders, totalElements: total, number: page, size, first: false, last: isLast },
  }),
  HAL: ({ orders, next }) => ({
    json: {
      _embedded: { orders },
      _links: { self: { href: '/' }, ...(next ? { next: { href: next } } : {}) },
    },
  }),
  'HAL, custom name': ({ orders, page, total, size }) => ({
    json: { _embedded: { merchantOrders: orders }, page: { number: page, size, totalElements: total } },
  }),
  Laravel: ({ orders, page, size, total, next }) => ({
    json: { data: orders, current_page: page, per_page: size, total, next_page_url: next, last_page: 9 },
  }),
  'JSON:API': ({ orders, next }) => ({ json: { data: orders, links: { next } } }),
  'orders, count': ({ orders, total }) => ({ json: { orders, count: total } }),
  'rows, count of the page': ({ orders }) => ({ json: { rows: orders, count: orders.length } }),
  'nested items': ({ orders, page, total }) => ({ json: { data: { items: orders, page, total } } }),
  'nested, page info': ({ orders, isLast }) => ({
    json: { data: { orders, pageInfo: { hasNextPage: !isLast, endCursor: 'abc' } } },
  }),
  'success, data': ({ orders }) => ({ json: { success: true, data: orders } }),
  'result, next page number': ({ orders, page, isLast }) => ({
    json: { result: orders, nextPage: isLast ? null : page + 1 },
  }),
  'Link header': ({ orders, next }) => ({
    json: orders,
    headers: next === null ? {} : { link: `<${next}>; rel="next", </>; rel="first"` },
  }),
  'count header': ({ orders, total }) => ({ json: orders, headers: { 'x-total-count': String(total) } }),
};

export interface ListService {
  envelope: string;
  count: number;
  /** By default, `count` orders with an id and a status. */
  orders?: readonly object[];
  /** The number of the first page. */
  base?: 0 | 1;
  defaultSize?: number;
  maxSize?: number;
  ignores?: readonly string[];
  /** The correct total → the stated one. */
  total?: (total: number) => number;
}

export const idOf = (index: number): string => `S-${String(index).padStart(6, '0')}`;

/** Replies with pages of orders in that envelope. */
export function listService(options: ListService): (request: ReceivedRequest) => Reply {
  const { envelope, count, base = 1, defaultSize = 20, maxSize = 100, ignores = [], total } = options;
  const wrap = envelopes[envelope] as Envelope;
  const defaultOrders = Array.from({ length: count }, (_, index) => ({
    id: idOf(index),
    status: 'CONFIRMED',
  }));
  const all = options.orders ?? defaultOrders;
  return ({ query, path, headers }) => {
    const parameter = (name: string) => (ignores.includes(name) ? undefined : query[name]);
    const page = Number(parameter('page') ?? base);
    const size = Math.min(Number(parameter('pageSize') ?? defaultSize), maxSize);
    const start = (page - base) * size;
    // Before the first page, some services return the first page.
    const orders = all.slice(Math.max(0, start), Math.max(0, start) + size);
    const isLast = start + size >= count;
    const parameters = new URLSearchParams({ ...query, page: String(page + 1) });
    const next = isLast ? null : `http://${headers.host}${path}?${parameters}`;
    return wrap({ orders, page, size, total: (total ?? ((correct) => correct))(count), isLast, next });
  };
}
