import { ApiError } from '../behaviour/api-error.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import type { Caller } from '../store/accounts.ts';
import type { StoredOrder } from '../store/orders.ts';
import type { Store } from '../store/store.ts';
import type { Service } from './service.ts';

/** Cancels an order and its delivery (interface section 4.4), inside a transaction. @throws ApiError */
export function cancelOrder(service: Service, caller: Caller, id: string, reason: string): StoredOrder {
  const { store, behaviour, clock } = service;
  const { orders, deliveries } = behaviour;
  const order = findOrder(store, caller, id);
  const { status, orderNumber } = order;
  if (!orders.cancellable.includes(status)) {
    throw new ApiError('orderNotCancellable', `Order ${orderNumber} is ${status} and cannot be cancelled`);
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

/** Finds an order of the caller's own merchant only (interface section 5). @throws ApiError */
export function findOrder(store: Store, { merchantId }: Caller, id: string): StoredOrder {
  const order = store.orders.find(merchantId, id);
  if (!order) throw new ApiError('orderUnknown', `There is no order with the id "${id}"`);
  return order;
}
