import type { Json, JsonObject } from '../../orders/json.ts';

export const orderEnvelopes = {
  bare: (order: JsonObject): Json => order,
  data: (order: JsonObject): Json => ({ data: order }),
  order: (order: JsonObject): Json => ({ order }),
};

interface OrderPage {
  orders: JsonObject[];
  page: number;
  pageSize: number;
  total: number;
  /** Of the last page, or the first when there are no orders. */
  lastPage: number;
  urlOf(page: number): string;
}

export interface ListResponse {
  body: Json;
  headers?: Record<string, string>;
}

export const listEnvelopes = {
  data_page: ({ orders, page, pageSize, total }) => ({ body: { data: orders, page, pageSize, total } }),
  array: ({ orders }) => ({ body: orders }),
  data_meta: ({ orders, page, pageSize, total }) => ({
    body: { data: orders, meta: { page, pageSize, total, pageCount: Math.ceil(total / pageSize) } },
  }),
  data_has_more: ({ orders, page, lastPage }) => ({
    body: { object: 'list', data: orders, has_more: page < lastPage },
  }),
  link_header: ({ orders, page, lastPage, urlOf }) => ({
    body: orders,
    ...(page < lastPage ? { headers: { Link: `<${urlOf(page + 1)}>; rel="next"` } } : {}),
  }),
} satisfies Record<string, (page: OrderPage) => ListResponse>;
