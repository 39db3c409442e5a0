import type { Behaviour } from '../behaviour/behaviour.ts';
import { Refusal } from '../behaviour/refusal.ts';
import type { SandboxParts } from '../parts.ts';
import type { Caller } from '../store/accounts.ts';
import type { StoredOrder } from '../store/orders.ts';
import type { Store } from '../store/store.ts';

/** Cancel (interface section 4.4), inside a transaction: the order, and what the behaviour does to its delivery. */
export function cancelOrder(parts: SandboxParts, caller: Caller, id: string, reason: string): StoredOrder {
  const { store, behaviour, clock } = parts;
  const { orders, deliveries } = behaviour;
  const order = findOrder(store, caller, id);
  const { status, orderNumber } = order;
  if (!orders.cancellable.includes(status)) {
    throw new Refusal('orderNotCancellable', `Order ${orderNumber} is ${status} and cannot be cancelled`);
  }
  if (status === orders.cancelled) return order;
  store.orders.cancel(id, orders.cancelled, reason, clock.now());
  if (orders.cancelFreesExternalOrderId) store.orders.freeExternalId(id);
  cancelDelivery(store, id, deliveries);
  return findOrder(store, caller, id);
}

function cancelDelivery(
  { deliveries }: Store,
  orderId: string,
  { whenOrderCancelled, cancelled }: Behaviour['deliveries'],
): void {
  if (whenOrderCancelled === 'cancelled') deliveries.move(orderId, cancelled);
  if (whenOrderCancelled === 'removed') deliveries.remove(orderId);
}

/** An order of the caller's merchant; to anyone else it does not exist (interface section 5). */
export function findOrder(store: Store, { merchantId }: Caller, id: string): StoredOrder {
  const order = store.orders.find(merchantId, id);
  if (!order) throw new Refusal('orderUnknown', `There is no order with the id "${id}"`);
  return order;
}
