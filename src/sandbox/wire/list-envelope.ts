import type { JsonObject } from '../../orders/json.ts';

export interface OrderPage {
  orders: JsonObject[];
  page: number;
  pageSize: number;
  /** Orders that match, on all pages. */
  total: number;
}

export function listEnvelope({ orders, page, pageSize, total }: OrderPage): JsonObject {
  return { data: orders, page, pageSize, total };
}
