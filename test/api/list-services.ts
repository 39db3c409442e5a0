import templates from './list-services.json' with { type: 'json' };
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

/** Common list envelopes, those that state little included. */
export const envelopes: Record<string, unknown> = templates.envelopes;

/** What frameworks and other services send in their default manner; none of these states its orders as bare objects under `data`. */
export const frameworkEnvelopes: Record<string, unknown> = templates.frameworkEnvelopes;

/** What the templates name with `$`; what is undefined is left out. */
function valuesOf(of: Page) {
  const { orders, page, size, total, isLast, next } = of;
  const ifAny = <T>(value: T) => (isLast ? undefined : value);
  const start = (page - 1) * size;
  const range = orders.length === 0 ? '*' : `${start}-${start + orders.length - 1}`;
  return {
    ...of,
    ...{ start, count: orders.length, pages: Math.ceil(total / size), totalText: `${total}` },
    ...{ hasNext: !isLast, nextPage: isLast ? null : page + 1, token: ifAny('abc') },
    ...{
      nextIfAny: ifAny(next),
      nextLink: ifAny({ href: next }),
      nextPath: ifAny(`/orders?page=${page + 1}`),
    },
    internalUrl: `http://internal:8080/orders?page=${page}`,
    internalLink: ifAny({ href: `http://internal:8080/orders?page=${page + 1}&size=${size}` }),
    nextRecords: ifAny('/services/data/v62.0/query/01g-2000'),
    linkList: [{ rel: 'self', href: '/' }, ...(isLast ? [] : [{ rel: 'next', href: next }])],
    linkHeader: ifAny(`<${next}>; rel="next", </>; rel="first"`),
    range: `orders ${range}/${total}`,
    // The null of a Go slice without elements.
    ordersOrNull: orders.length === 0 ? null : orders,
    embedded: orders.length === 0 ? undefined : { merchantOrderDtoList: orders },
    attributes: orders.map((attributes, index) => ({ id: index + 1, attributes })),
    edges: orders.map((node, index) => ({ cursor: `c${index}`, node })),
    resources: orders.map((order) => {
      const { id, ...attributes } = order as { id: string };
      return { type: 'orders', id, attributes };
    }),
  } as Record<string, unknown>;
}

/** A page in that envelope. */
function wrap(name: string, page: Page): Reply {
  const values = valuesOf(page);
  const fill = (template: unknown) =>
    JSON.parse(JSON.stringify(template), (_key, value) =>
      typeof value === 'string' && value.slice(1) in values && value.startsWith('$')
        ? values[value.slice(1)]
        : value,
    );
  const headers: Record<string, unknown> = templates.headers;
  return {
    json: fill(envelopes[name] ?? frameworkEnvelopes[name]),
    headers: fill(headers[name] ?? {}),
  };
}

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
    return wrap(envelope, {
      orders,
      page,
      size,
      total: (total ?? ((correct) => correct))(count),
      isLast,
      next,
    });
  };
}
