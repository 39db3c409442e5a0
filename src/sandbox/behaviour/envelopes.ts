import type { Json, JsonObject } from '../../orders/json.ts';

export const orderEnvelopes = {
  bare: (order: JsonObject): Json => order,
  data: (order: JsonObject): Json => ({ data: order }),
  order: (order: JsonObject): Json => ({ order }),
  result: (order: JsonObject): Json => ({ result: order }),
  'data.order': (order: JsonObject): Json => ({ data: { order } }),
};

interface OrderPage {
  orders: JsonObject[];
  page: number;
  pageSize: number;
  total: number;
  firstPage: number;
  urlOf(page: number): string;
}

interface ListResponse {
  body: Json;
  headers?: Record<string, string>;
}

type ToListResponse = (page: OrderPage) => ListResponse;

function pageCount({ total, pageSize }: OrderPage): number {
  return Math.ceil(total / pageSize);
}

function lastPage(page: OrderPage): number {
  return Math.max(page.firstPage, page.firstPage + pageCount(page) - 1);
}

function hasNext(page: OrderPage): boolean {
  return page.page < lastPage(page);
}

function nextUrl(page: OrderPage): string | null {
  return hasNext(page) ? page.urlOf(page.page + 1) : null;
}

function previousUrl({ page, firstPage, urlOf }: OrderPage): string | null {
  return page > firstPage ? urlOf(page - 1) : null;
}

/** Opaque; null on the last page. */
function nextCursor(page: OrderPage): string | null {
  return hasNext(page) ? Buffer.from(`page:${page.page + 1}`).toString('base64url') : null;
}

const simpleEnvelopes = {
  data_page: ({ orders, page, pageSize, total }) => ({ body: { data: orders, page, pageSize, total } }),
  array: ({ orders }) => ({ body: orders }),
  data_meta: (found) => ({
    body: {
      data: found.orders,
      meta: { page: found.page, pageSize: found.pageSize, total: found.total, pageCount: pageCount(found) },
    },
  }),
  data_pagination: ({ orders, page, pageSize, total }) => ({
    body: { data: orders, pagination: { page, per_page: pageSize, total_count: total } },
  }),
  data_has_more: (found) => ({
    body: { object: 'list', data: found.orders, has_more: hasNext(found), next_cursor: nextCursor(found) },
  }),
  items: ({ orders, page, pageSize, total }) => ({ body: { items: orders, total, page, limit: pageSize } }),
  items_next_page_token: (found) => {
    const nextPageToken = nextCursor(found);
    return { body: { items: found.orders, ...(nextPageToken === null ? {} : { nextPageToken }) } };
  },
  orders: ({ orders, page, pageSize, total }) => ({ body: { orders, page, pageSize, total } }),
  result: ({ orders, total }) => ({ body: { result: orders, total } }),
  results: ({ orders, page, total }) => ({ body: { results: orders, page, total } }),
  records: ({ orders, page, pageSize, total }) => ({
    body: { records: orders, current: page, size: pageSize, total },
  }),
  list: ({ orders, page, pageSize, total }) => ({ body: { list: orders, pageNum: page, pageSize, total } }),
  rows: ({ orders, total }) => ({ body: { rows: orders, count: total } }),
  nested_items: ({ orders, page, pageSize, total }) => ({
    body: { data: { items: orders, page, pageSize, total } },
  }),
  nested_orders: (found) => ({
    body: {
      data: { orders: found.orders, pageInfo: { hasNextPage: hasNext(found), endCursor: nextCursor(found) } },
    },
  }),
  success_data: ({ orders }) => ({ body: { success: true, data: orders } }),
  link_header: (found) => ({
    body: found.orders,
    ...(hasNext(found) ? { headers: { Link: `<${found.urlOf(found.page + 1)}>; rel="next"` } } : {}),
  }),
  total_count_header: ({ orders, total }) => ({ body: orders, headers: { 'X-Total-Count': String(total) } }),
} satisfies Record<string, ToListResponse>;

/** Envelopes of web frameworks and standards. */
const frameworkEnvelopes = {
  django_rest: (found) => ({
    body: { count: found.total, next: nextUrl(found), previous: previousUrl(found), results: found.orders },
  }),
  spring: (found) => ({
    body: {
      content: found.orders,
      totalElements: found.total,
      totalPages: pageCount(found),
      number: found.page,
      size: found.pageSize,
      numberOfElements: found.orders.length,
      first: found.page === found.firstPage,
      last: !hasNext(found),
      empty: found.orders.length === 0,
    },
  }),
  hal: (found) => ({
    body: {
      _embedded: { orders: found.orders },
      _links: { self: { href: found.urlOf(found.page) }, ...linkTo('next', nextUrl(found)) },
      page: {
        size: found.pageSize,
        totalElements: found.total,
        totalPages: pageCount(found),
        number: found.page,
      },
    },
  }),
  laravel: (found) => ({
    body: {
      current_page: found.page,
      data: found.orders,
      first_page_url: found.urlOf(found.firstPage),
      last_page: lastPage(found),
      next_page_url: nextUrl(found),
      per_page: found.pageSize,
      prev_page_url: previousUrl(found),
      total: found.total,
    },
  }),
  json_api: (found) => ({
    body: {
      data: found.orders,
      links: { self: found.urlOf(found.page), next: nextUrl(found) },
      meta: { total: found.total },
    },
  }),
} satisfies Record<string, (found: OrderPage) => ReturnType<ToListResponse>>;

function linkTo(name: string, href: string | null) {
  return href === null ? {} : { [name]: { href } };
}

const all = { ...simpleEnvelopes, ...frameworkEnvelopes };

export const listEnvelopes: Record<keyof typeof all, ToListResponse> = all;
