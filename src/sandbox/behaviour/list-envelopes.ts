import { namesOf } from './error-body.ts';
import { frameworkEnvelopes } from './framework-envelopes.ts';
import { hasNext, nextCursor, pageCount, type ToListAnswer } from './order-page.ts';

/** Envelopes of no framework in particular. */
export const simpleEnvelopes = {
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
} satisfies Record<string, ToListAnswer>;

/** The envelopes that lists have in the wild, by name. */
const all = { ...simpleEnvelopes, ...frameworkEnvelopes };

export const listEnvelopes: Record<keyof typeof all, ToListAnswer> = all;

export const listEnvelopeNames = namesOf(listEnvelopes);
