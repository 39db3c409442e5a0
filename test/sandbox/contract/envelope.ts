export interface ReturnedOrder {
  [field: string]: unknown;
  id: string;
}

/**
 * The orders in a response with any envelope (the document shows none): the outermost objects that have an `id` and an
 * `orderNumber`.
 */
export function ordersIn(json: unknown): ReturnedOrder[] {
  if (typeof json !== 'object' || json === null) return [];
  if ('id' in json && 'orderNumber' in json) return [json as ReturnedOrder];
  return Object.values(json).flatMap(ordersIn);
}
