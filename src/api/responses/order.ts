import { isJsonObject, type Json, member } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import { isUuid } from '../../orders/order-reference.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { isErrorBody, isOrderLike } from './body-kind.ts';

/** An order that the service assigned an id to (interface section 2.1). */
export interface ServiceOrder {
  id: string;
  order: Order;
}

/**
 * The order in an answer: bare, or under `data`, `order`, `result` or `data.order`, since the interface does
 * not show the shape (sections 4.1, 4.2). Undefined when there is none with an `id`, and for an error.
 */
export function readOrder(body: Json | undefined): ServiceOrder | undefined {
  const isBare = isOrderLike(body);
  if (!isBare && isErrorBody(body)) return undefined;
  const data = member(body, 'data');
  const nested = [member(data, 'order'), data, member(body, 'order'), member(body, 'result')];
  // An envelope may have an id of its own; what looks like an order counts before what is inside it.
  for (const place of isBare ? [body] : [...nested, body]) {
    const id = textField(place, 'id');
    if (isJsonObject(place) && id !== undefined && id !== '') return { id, order: place };
  }
  return undefined;
}

/** Whether two ids name one order: exactly, but for the case of a UUID. */
export function isSameId(one: string, other: string): boolean {
  return one === other || (isUuid(one) && one.toLowerCase() === other.toLowerCase());
}

const replayHeaders = [
  'idempotent-replayed',
  'idempotency-replayed',
  'idempotency-replay',
  'x-idempotency-replayed',
  'x-idempotency-status',
  'idempotency-status',
  'request-idempotency',
];

/** Whether an answer says of itself that it repeats an earlier one; the interface shows no such sign (section 4.1). */
export function isReplayed(answer: ServiceResponse): boolean {
  return replayHeaders.some((name) => /^(?:true|1|yes|replayed)$/i.test(answer.headers[name] ?? ''));
}
