import type { Reply, Seen } from './foreign-service.ts';

/** One page as a service finds it. */
interface Found {
  orders: object[];
  page: number;
  size: number;
  total: number;
  isLast: boolean;
  /** Where the next page is; the query that was asked with its page replaced. */
  next: string | null;
}

type Envelope = (found: Found) => { json: unknown; headers?: Record<string, string> };

/** The envelopes that lists have in the wild; of every kind that tells much, also the one that tells little. */
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
  'HAL, its own name': ({ orders, page, total, size }) => ({
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
  'result, a next page': ({ orders, page, isLast }) => ({
    json: { result: orders, nextPage: isLast ? null : page + 1 },
  }),
  'a Link header': ({ orders, next }) => ({
    json: orders,
    headers: next === null ? {} : { link: `<${next}>; rel="next", </>; rel="first"` },
  }),
  'a count header': ({ orders, total }) => ({ json: orders, headers: { 'x-total-count': String(total) } }),
};

export interface ListService {
  envelope: string;
  count: number;
  /** In place of so many that have an id and a status. */
  orders?: readonly object[];
  /** Of the first page. */
  base?: 0 | 1;
  defaultSize?: number;
  largestSize?: number;
  ignores?: readonly string[];
  /** Makes another total of the right one. */
  total?: (total: number) => number;
}

export const idOf = (place: number): string => `S-${String(place).padStart(6, '0')}`;

/** A service with so many orders, whose answers are in that envelope. */
export function listService(options: ListService): (seen: Seen) => Reply {
  const { envelope, count, base = 1, defaultSize = 20, largestSize = 100, ignores = [], total } = options;
  const wrap = envelopes[envelope] as Envelope;
  const made = Array.from({ length: count }, (_, place) => ({ id: idOf(place), status: 'CONFIRMED' }));
  const all = options.orders ?? made;
  return ({ query, path, headers }) => {
    const asked = (name: string) => (ignores.includes(name) ? undefined : query[name]);
    const page = Number(asked('page') ?? base);
    const size = Math.min(Number(asked('pageSize') ?? defaultSize), largestSize);
    const start = (page - base) * size;
    // What stands before the first page is no page: some answer the first one then.
    const orders = all.slice(Math.max(0, start), Math.max(0, start) + size);
    const isLast = start + size >= count;
    const parameters = new URLSearchParams({ ...query, page: String(page + 1) });
    const next = isLast ? null : `http://${headers.host}${path}?${parameters}`;
    return wrap({ orders, page, size, total: (total ?? ((right) => right))(count), isLast, next });
  };
}
