import { type Json, member } from '../orders/json.ts';

const signs = ['orderNumber', 'externalOrderId', 'items', 'collectionMode', 'customer'];

/** Whether a value carries a field that only an order has (interface section 2), and so is no envelope around one. */
export function isOrderLike(value: Json | undefined): boolean {
  return signs.some((field) => member(value, field) !== undefined);
}
