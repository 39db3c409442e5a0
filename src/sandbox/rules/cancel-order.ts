import { ApiError } from '../behaviour/api-error.ts';
import type { Caller } from '../store/accounts.ts';
import type { StoredOrder } from '../store/orders.ts';
import type { Store } from '../store/store.ts';
import type { Service } from './service.ts';

/** Cancels an order and its delivery (interface section 4.4), inside a transaction. @throws ApiError */
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

/** Cancels an order of any merchant in any state, and its delivery by the rule of the behaviour. Returns whether it exists. */
export function putCancelled({ store, behaviour, clock }: Service, id: string, reason: string): boolean {
  const { cancelled, cancelFreesExternalOrderId } = behaviour.orders;
  const { whenOrderCancelled, cancelled: cancelledDelivery } = behaviour.deliveries;
  const isFound = store.orders.cancel(id, cancelled, reason, clock.now());
  if (cancelFreesExternalOrderId) store.orders.freeExternalId(id);
  if (whenOrderCancelled === 'cancelled') store.deliveries.move(id, cancelledDelivery, null);
  if (whenOrderCancelled === 'removed') store.deliveries.remove(id);
  return isFound;
}

/** Finds an order of the caller's own merchant only (interface section 5). @throws ApiError */
export function findOrder(store: Store, { merchantId }: Caller, id: string): StoredOrder {
  const order = store.orders.find(merchantId, id.toLowerCase());
  if (!order) throw new ApiError('orderUnknown', `There is no order with the id "${id}"`);
  return order;
}
