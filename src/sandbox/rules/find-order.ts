import { Refusal } from '../refusal.ts';
import type { Caller } from '../store/accounts.ts';
import type { StoredOrder } from '../store/orders.ts';
import type { Store } from '../store/store.ts';

/** An order of the caller's merchant; to anyone else it does not exist (interface section 5). */
export function findOrder(store: Store, { merchantId }: Caller, id: string): StoredOrder {
  const order = store.orders.find(merchantId, id);
  if (!order) throw new Refusal('orderUnknown', `There is no order with the id "${id}"`);
  return order;
}
