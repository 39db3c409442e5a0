import type { SandboxParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import type { Caller } from '../store/accounts.ts';
import type { StoredOrder } from '../store/orders.ts';
import { findOrder } from './find-order.ts';

/** Cancel (interface section 4.4): the order, and its delivery with it. */
export function cancelOrder(parts: SandboxParts, caller: Caller, id: string, reason: string): StoredOrder {
  const { store, behaviour, now } = parts;
  return store.inTransaction(() => {
    const { status, orderNumber } = findOrder(store, caller, id);
    if (!behaviour.orders.cancellable.includes(status)) {
      throw new Refusal('orderNotCancellable', `Order ${orderNumber} is ${status} and cannot be cancelled`);
    }
    store.orders.cancel(id, behaviour.orders.cancelled, reason, now());
    store.deliveries.move(id, behaviour.deliveries.cancelled);
    return findOrder(store, caller, id);
  });
}
