import type { Caller } from '../store/accounts.ts';
import { putCancelled } from './cancel-order.ts';
import type { Service } from './service.ts';

/**
 * Moves an order of any merchant to any of its states, and its delivery with it, inside a transaction. An order that
 * leaves its first state gets its delivery, if it has none. Returns whether the order exists.
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

/** Moves the orders of the caller's merchant that have been in their state long enough, by the behaviour. */
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

/** UUID version 7 (RFC 9562): consecutive ids are close in the index, which makes inserts fast. */
export function timeOrderedUuid(time: number, randomUuid: string): string {
  const digits = Math.trunc(time).toString(16).padStart(12, '0').slice(-12);
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7${randomUuid.slice(15)}`;
}
