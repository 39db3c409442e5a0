import { ApiError } from '../behaviour/api-error.ts';
import { cancelledState, deliveryStates, orderStates } from '../behaviour/schema.ts';
import type { Caller } from '../store/accounts.ts';
import type { StoredOrder } from '../store/orders.ts';
import type { Service } from './service.ts';

type Status = (typeof orderStates)[number] | typeof cancelledState;

/** Interface section 4.4; inside a transaction. @throws ApiError */
export function cancelOrder(service: Service, caller: Caller, id: string, reason: string): StoredOrder {
  const { id: orderId, status, orderNumber } = findOrder(service, caller, id);
  if (status !== orderStates[0]) {
    throw new ApiError('orderNotCancellable', `Order ${orderNumber} is ${status} and cannot be cancelled`);
  }
  putCancelled(service, orderId, reason);
  return findOrder(service, caller, id);
}

/** Whatever its state and merchant. */
function putCancelled(
  { store, behaviour, clock }: Service,
  id: string,
  reason: string,
  at = clock.now(),
): void {
  store.orders.cancel(cancelledState, reason, at, id);
  if (behaviour.orders.cancelFreesExternalOrderId) store.orders.freeExternalId(id);
  store.deliveries.move(cancelledState, null, id);
}

/** Only orders of the caller's own merchant (interface section 5). @throws ApiError */
export function findOrder({ store }: Service, { merchantId }: Caller, id: string): StoredOrder {
  const order = store.orders.find(merchantId, id.toLowerCase());
  if (order) return order;
  throw new ApiError('orderUnknown', `There is no order with the id "${id}"`);
}

interface Cancellation {
  reason?: string | undefined;
  /** Epoch milliseconds. */
  at?: number | undefined;
}

/**
 * Moves an order of any merchant and its delivery, which an order that leaves its first state gets if it has none. Inside
 * a transaction.
 */
export function moveOrder(
  service: Service,
  id: string,
  status: Status,
  { reason = 'Cancelled by the platform', at: cancelledAt }: Cancellation = {},
): void {
  const { store, clock, randomUuid } = service;
  if (status === cancelledState) {
    putCancelled(service, id, reason, cancelledAt);
    return;
  }
  store.orders.move(status, id);
  store.orders.reclaimExternalId(id);
  const at = clock.now();
  const place = orderStates.indexOf(status);
  const deliveryStatus = deliveryStates[place] ?? 'DELIVERED';
  const deliveredAt = status === 'DELIVERED' ? at : null;
  const moved = store.deliveries.move(deliveryStatus, deliveredAt, id);
  if (moved === 0 && place > 0) {
    store.deliveries.add(id, timeOrderedUuid(at, randomUuid()), deliveryStatus, deliveredAt);
  }
}

/** Moves orders that have been in their state for `advanceAfterSeconds`. */
export function advanceOrders(service: Service, { merchantId }: Caller): void {
  const { store, behaviour, clock } = service;
  const { advanceAfterSeconds } = behaviour.orders;
  if (advanceAfterSeconds === null) return;
  for (const [place, next] of [...orderStates.entries()].slice(1).reverse()) {
    const due = clock.now() - place * advanceAfterSeconds * 1000;
    for (const state of orderStates.slice(0, place)) {
      for (const id of store.orders.createdUntil(merchantId, state, due)) moveOrder(service, id, next);
    }
  }
}

/** UUID version 7 (RFC 9562): consecutive ids are close in the index, so inserts are fast. */
export function timeOrderedUuid(time: number, randomUuid: string): string {
  const digits = Math.trunc(time).toString(16).padStart(12, '0').slice(-12);
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7${randomUuid.slice(15)}`;
}
