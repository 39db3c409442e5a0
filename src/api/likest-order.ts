import { compareOrders } from '../orders/compare.ts';
import type { Order } from '../orders/order.ts';
import { isCancelled } from './cancel-order.ts';
import type { ServiceOrder } from './read-order.ts';

/** Of several orders with one own id: one that is not cancelled, with this content when there is one. */
export function likestOrder(found: readonly ServiceOrder[], order: Order): ServiceOrder {
  const alive = found.filter((one) => !isCancelled(one));
  const equal = alive.find((one) => compareOrders(order, one.order).differing.length === 0);
  return (equal ?? alive[0] ?? found[0]) as ServiceOrder;
}
