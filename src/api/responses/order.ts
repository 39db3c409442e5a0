import { isJsonObject, type Json, member } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import { isUuid } from '../../orders/order-reference.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { isErrorBody, isOrderLike } from './body-kind.ts';

/** An order with the ID that the service assigned (interface section 2.1). */
export interface ServiceOrder {
  id: string;
  order: Order;
}

/** The order in a body, bare or in an envelope: the interface defines none (4.1, 4.2). Undefined for an error. */
export function readOrder(body: Json | undefined): ServiceOrder | undefined {
  const isBare = isOrderLike(body);
  if (!isBare && isErrorBody(body)) return undefined;
  const data = member(body, 'data');
  const nested = [member(data, 'order'), data, member(body, 'order'), member(body, 'result')];
  // An envelope may have an id too, so the nested objects come before it; an order comes before what it contains.
  for (const object of isBare ? [body] : [...nested, body]) {
    const id = textField(object, 'id');
    if (isJsonObject(object) && id !== undefined && id !== '') return { id, order: object };
  }
  return undefined;
}

/** Whether two IDs are the same; the letters of a UUID may differ in case. */
export function isSameId(one: string, other: string): boolean {
  return one === other || (isUuid(one) && one.toLowerCase() === other.toLowerCase());
}

/** The only assumption about a status: `CANCELLED` or `CANCELED`, in any case. */
export function isCancelled({ order }: ServiceOrder): boolean {
  return /^cancell?ed$/i.test(textField(order, 'status') ?? '');
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

/** Whether a response is marked as the repetition of an earlier one. The interface defines no such header (section 4.1). */
export function isReplayed(response: ServiceResponse): boolean {
  return replayHeaders.some((name) => /^(?:true|1|yes|replayed)$/i.test(response.headers[name] ?? ''));
}
