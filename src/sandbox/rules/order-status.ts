import { ApiError } from '../behaviour/api-error.ts';
import type { Caller } from '../store/accounts.ts';
import type { StoredOrder } from '../store/orders.ts';
import type { Store } from '../store/store.ts';
import type { Service } from './service.ts';

/** Interface section 4.4; inside a transaction. @throws ApiError */
export function cancelOrder(service: Service, caller: Caller, id: string, reason: string): StoredOrder {
  const { store, behaviour } = service;
  const { orders } = behaviour;
  const order = findOrder(store, caller, id);
  const { status, orderNumber } = order;
  if (!orders.cancellable.includes(status)) {
    throw new ApiError('orderNotCancellable', `Order ${orderNumber} is ${status} and cannot be cancelled`);
  }
  if (status === orders.cancelled) return order;
  putCancelled(service, order.id, reason);
  return findOrder(store, caller, id);
}

/** Whatever its state and merchant. Returns whether the order exists. */
function putCancelled({ store, behaviour, clock }: Service, id: string, reason: string): boolean {
  const { cancelled, cancelFreesExternalOrderId } = behaviour.orders;
  const { whenOrderCancelled, cancelled: cancelledDelivery } = behaviour.deliveries;
  const isFound = store.orders.cancel(id, cancelled, reason, clock.now());
  if (cancelFreesExternalOrderId) store.orders.freeExternalId(id);
  if (whenOrderCancelled === 'cancelled') store.deliveries.move(id, cancelledDelivery, null);
  if (whenOrderCancelled === 'removed') store.deliveries.remove(id);
  return isFound;
}

/** Only orders of the caller's own merchant (interface section 5). @throws ApiError */
export function findOrder(store: Store, { merchantId }: Caller, id: string): StoredOrder {
  const order = store.orders.find(merchantId, id.toLowerCase());
  if (!order) throw new ApiError('orderUnknown', `There is no order with the id "${id}"`);
  return order;
}

/**
 * Moves an order of any merchant and its delivery, which an order that leaves its first state gets if it has none. Inside
 * a transaction. Returns whether the order exists.
 */
export function moveOrder(service: Service, id: string, status: string): boolean {
  const { store, behaviour, clock, randomUuid } = service;
  const at = clock.now();
  const { orders, deliveries } = behaviour;
  if (status === orders.cancelled) return putCancelled(service, id, 'Cancelled by the platform');
  if (!store.orders.move(id, status)) return false;
  store.orders.reclaimExternalId(id);
  const place = orders.states.indexOf(status);
  const isLast = place === orders.states.length - 1;
  const deliveryStatus = (isLast ? undefined : deliveries.states[place]) ?? deliveries.states.at(-1) ?? '';
  const deliveredAt = isLast ? at : null;
  const isMoved = store.deliveries.move(id, deliveryStatus, deliveredAt);
  if (!isMoved && place > 0) {
    store.deliveries.add(id, timeOrderedUuid(at, randomUuid()), deliveryStatus, deliveredAt);
  }
  return true;
}

/** Moves orders that have been in their state for `advanceAfterSeconds`. */
export function advanceOrders(service: Service, { merchantId }: Caller): void {
  const { store, behaviour, clock } = service;
  const { states, advanceAfterSeconds } = behaviour.orders;
  if (advanceAfterSeconds === null) return;
  for (const [place, next] of [...states.entries()].slice(1).reverse()) {
    const due = clock.now() - place * advanceAfterSeconds * 1000;
    for (const state of states.slice(0, place)) {
      for (const id of store.orders.createdUntil(merchantId, state, due)) moveOrder(service, id, next);
    }
  }
}

/** UUID version 7 (RFC 9562): consecutive ids are close in the index, so inserts are fast. */
export function timeOrderedUuid(time: number, randomUuid: string): string {
  const digits = Math.trunc(time).toString(16).padStart(12, '0').slice(-12);
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7${randomUuid.slice(15)}`;
}
