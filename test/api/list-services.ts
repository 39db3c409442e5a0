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

/** The null of a Go slice without elements. */
const nilIfEmpty = (orders: object[]) => (orders.length === 0 ? null : orders);
const numberOfPages = ({ total, size }: Page) => Math.ceil(total / size);

/** What frameworks and other services send in their default manner; none of these states its orders as bare objects under `data`. */
export const frameworkEnvelopes: Record<string, Envelope> = {
  'Go, nil slice': ({ orders, total }) => ({ json: { orders: nilIfEmpty(orders), total } }),
  'Go, nil slice under data': ({ orders }) => ({ json: { data: nilIfEmpty(orders) } }),
  'Go, nil slice under items': ({ orders, total }) => ({ json: { items: nilIfEmpty(orders), total } }),
  'Go, nil slice alone': ({ orders }) => ({ json: nilIfEmpty(orders) }),
  'Spring HATEOAS': ({ orders, page, size, total, isLast }) => ({
    json: {
      ...(orders.length === 0 ? {} : { _embedded: { merchantOrderDtoList: orders } }),
      _links: {
        self: { href: `http://internal:8080/orders?page=${page}` },
        ...(isLast ? {} : { next: { href: `http://internal:8080/orders?page=${page + 1}&size=${size}` } }),
      },
      page: { size, totalElements: total, totalPages: Math.ceil(total / size), number: page },
    },
  }),
  'Spring PagedModel': ({ orders, page, size, total }) => ({
    json: {
      content: orders,
      page: { size, number: page, totalElements: total, totalPages: Math.ceil(total / size) },
    },
  }),
  'Spring Data REST': ({ orders, page, size, total, next }) => ({
    json: {
      _embedded: { orders },
      _links: next === null ? {} : { next: { href: next } },
      page: { size, totalElements: total, number: page },
    },
  }),
  'API Platform 4': ({ orders, total, isLast, page }) => ({
    json: {
      '@context': '/contexts/Order',
      '@type': 'Collection',
      totalItems: total,
      member: orders,
      view: { '@type': 'PartialCollectionView', ...(isLast ? {} : { next: `/orders?page=${page + 1}` }) },
    },
  }),
  'API Platform 3 (Hydra)': ({ orders, total, isLast, page }) => ({
    json: {
      '@type': 'hydra:Collection',
      'hydra:totalItems': total,
      'hydra:member': orders,
      'hydra:view': isLast ? {} : { 'hydra:next': `/orders?page=${page + 1}` },
    },
  }),
  'mongoose-paginate': (page) => ({
    json: {
      docs: page.orders,
      totalDocs: page.total,
      limit: page.size,
      totalPages: numberOfPages(page),
      page: page.page,
      hasNextPage: !page.isLast,
      nextPage: page.isLast ? null : page.page + 1,
    },
  }),
  Tastypie: ({ orders, size, total, next }) => ({
    json: { meta: { limit: size, next, previous: null, total_count: total }, objects: orders },
  }),
  'nodes, totalCount': ({ orders, total }) => ({ json: { nodes: orders, totalCount: total } }),
  'elements, paging': ({ orders, page, size }) => ({
    json: { elements: orders, paging: { count: size, start: (page - 1) * size, links: [] } },
  }),
  'merchantOrders, totalItems': ({ orders, total }) => ({
    json: { merchantOrders: orders, totalItems: total },
  }),
  'Strapi 4': ({ orders, page, size, total }) => ({
    json: {
      data: orders.map((attributes, index) => ({ id: index + 1, attributes })),
      meta: { pagination: { page, pageSize: size, pageCount: Math.ceil(total / size), total } },
    },
  }),
  'JSON:API resources': ({ orders, next, total }) => ({
    json: {
      jsonapi: { version: '1.1' },
      data: orders.map((order) => {
        const { id, ...attributes } = order as { id: string };
        return { type: 'orders', id, attributes };
      }),
      included: [{ type: 'customers', id: 'C-1', attributes: { name: 'Бат' } }],
      links: { next },
      meta: { page: { total } },
    },
  }),
  'success, data.items': ({ orders, page, size, total }) => ({
    json: { success: true, data: { items: orders, totalCount: total, pageNumber: page, pageSize: size } },
  }),
  'code, message, data': ({ orders }) => ({ json: { code: 200, message: 'OK', data: orders } }),
  'error null': ({ orders }) => ({ json: { error: null, data: orders } }),
  'message, orders': ({ orders }) => ({ json: { message: 'Orders fetched', orders } }),
  JSend: ({ orders }) => ({ json: { status: 'success', results: orders.length, data: { orders } } }),
  'payload.entries': ({ orders, total }) => ({ json: { ok: true, payload: { entries: orders, total } } }),
  'response.values': ({ orders, isLast }) => ({ json: { response: { values: orders, last: isLast } } }),
  'GraphQL, edges': ({ orders, total, isLast }) => ({
    json: {
      data: {
        merchantOrders: {
          totalCount: total,
          edges: orders.map((node, index) => ({ cursor: `c${index}`, node })),
          pageInfo: { hasNextPage: !isLast, endCursor: 'abc' },
        },
      },
    },
  }),
  Salesforce: ({ orders, total, isLast }) => ({
    json: {
      totalSize: total,
      done: isLast,
      records: orders,
      ...(isLast ? {} : { nextRecordsUrl: '/services/data/v62.0/query/01g-2000' }),
    },
  }),
  Stripe: ({ orders, isLast }) => ({
    json: { object: 'list', url: '/orders', has_more: !isLast, data: orders },
  }),
  Zendesk: ({ orders, total, next }) => ({
    json: { orders, next_page: next, previous_page: null, count: total },
  }),
  Magento: ({ orders, page, size, total }) => ({
    json: {
      items: orders,
      search_criteria: { filter_groups: [], page_size: size, current_page: page },
      total_count: total,
    },
  }),
  OData: ({ orders, total, next }) => ({
    json: {
      '@odata.context': '$metadata#Orders',
      '@odata.count': total,
      value: orders,
      ...(next === null ? {} : { '@odata.nextLink': next }),
    },
  }),
  'Rails, kaminari': (page) => ({
    json: {
      orders: page.orders,
      meta: {
        current_page: page.page,
        next_page: page.isLast ? null : page.page + 1,
        total_pages: numberOfPages(page),
        total_count: page.total,
      },
    },
  }),
  'Laravel resource': ({ orders, page, size, total, next }) => ({
    json: {
      data: orders,
      links: { first: '/orders?page=1', last: '/orders?page=9', prev: null, next },
      meta: { current_page: page, from: 1, last_page: 9, per_page: size, to: orders.length, total },
    },
  }),
  'Django Ninja': ({ orders, total }) => ({ json: { items: orders, count: total } }),
  'fastapi-pagination': (page) => {
    const { orders, total, size } = page;
    return { json: { items: orders, total, page: page.page, size, pages: numberOfPages(page) } };
  },
  Yii: ({ orders, page, size, total, next }) => ({
    json: {
      items: orders,
      _links: { self: { href: '/orders' }, ...(next === null ? {} : { next: { href: next } }) },
      _meta: { totalCount: total, pageCount: Math.ceil(total / size), currentPage: page, perPage: size },
    },
  }),
  Bitbucket: ({ orders, size, total, page, next }) => ({
    json: { pagelen: size, size: total, page, values: orders, ...(next === null ? {} : { next }) },
  }),
  PostgREST: ({ orders, page, size, total }) => {
    const first = (page - 1) * size;
    const range = orders.length === 0 ? '*' : `${first}-${first + orders.length - 1}`;
    return { json: orders, headers: { 'content-range': `orders ${range}/${total}` } };
  },
  DataTables: ({ orders, total }) => ({
    json: { draw: 1, recordsTotal: 1_000_000, recordsFiltered: total, data: orders },
  }),
  'links as a list': ({ orders, next }) => ({
    json: {
      results: orders,
      links: [{ rel: 'self', href: '/' }, ...(next ? [{ rel: 'next', href: next }] : [])],
    },
  }),
  'a name of its own': ({ orders, total }) => ({ json: { shipments: orders, total, warnings: [] } }),
  'a name of its own, inside': ({ orders, total }) => ({ json: { found: { purchases: orders, total } } }),
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
  const wrap = (envelopes[envelope] ?? frameworkEnvelopes[envelope]) as Envelope;
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
