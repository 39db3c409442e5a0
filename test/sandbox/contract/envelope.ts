export interface AnsweredOrder {
  [field: string]: unknown;
  id: string;
}

/**
 * The orders in an answer, whatever the envelope, since the document shows none: the outermost objects that
 * have an `id` and an `orderNumber`.
 */
export function ordersIn(json: unknown): AnsweredOrder[] {
  if (typeof json !== 'object' || json === null) return [];
  if ('id' in json && 'orderNumber' in json) return [json as AnsweredOrder];
  return Object.values(json).flatMap(ordersIn);
}
