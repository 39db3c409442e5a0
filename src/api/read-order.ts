import { isJsonObject, type Json, member } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';

/** An order that the service assigned an id to (interface section 2.1). */
export interface ServiceOrder {
  id: string;
  order: Order;
}

/**
 * The order in an answer: bare, or under `data`, `order`, `result` or `data.order`, since the interface does
 * not show the shape (sections 4.1, 4.2). Undefined when there is none with an `id`.
 */
export function readOrder(body: Json | undefined): ServiceOrder | undefined {
  const data = member(body, 'data');
  const nested = [member(data, 'order'), data, member(body, 'order'), member(body, 'result')];
  // An envelope may have an id of its own; what looks like an order counts before what is inside it.
  for (const place of isOrderLike(body) ? [body] : [...nested, body]) {
    const id = textField(place, 'id');
    if (isJsonObject(place) && id !== undefined && id !== '') return { id, order: place };
  }
  return undefined;
}

function isOrderLike(body: Json | undefined): boolean {
  const signs = ['orderNumber', 'externalOrderId', 'items', 'collectionMode', 'customer'];
  return signs.some((field) => member(body, field) !== undefined);
}
