import { putCancelled } from './cancel-order.ts';
import type { Service } from './service.ts';

/**
 * Moves an order of any merchant to any of its states, and its delivery with it, inside a transaction. An order that
 * leaves its first state gets its delivery, if it has none. `at`: the time of the move, in epoch milliseconds. Returns
 * whether the order exists.
 */
export function moveOrder(service: Service, id: string, status: string, at = service.clock.now()): boolean {
  const { store, behaviour, randomUuid } = service;
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

/** UUID version 7 (RFC 9562): consecutive ids are close in the index, which makes inserts fast. */
export function timeOrderedUuid(time: number, randomUuid: string): string {
  const digits = Math.trunc(time).toString(16).padStart(12, '0').slice(-12);
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7${randomUuid.slice(15)}`;
}
