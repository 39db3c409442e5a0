import { likestOrder } from '../../api/operations/create.ts';
import type { LookupResult } from '../../api/pages/order-finder.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import { isCancelled } from '../../api/responses/order.ts';
import { compareOrders } from '../../orders/compare.ts';
import type { Order } from '../../orders/order.ts';

/**
 * What the service showed of an order.
 * - `equal`, `other`: it is there, with this content or with other
 * - `cancelled`: every order with its own id is cancelled; - `absent`: it is certainly not there
 * - `nothing`: nobody can say
 */
export type Seen =
  | { kind: 'equal' | 'other'; order: ServiceOrder; differing: string[]; notCompared: string[] }
  | { kind: 'cancelled'; orders: ServiceOrder[] }
  | { kind: 'absent' | 'nothing' };

/** Compares what was found with what is to be sent; orders that were replaced are none of this one. */
export function judgeFinding(lookupResult: LookupResult, order: Order, replaced: ReadonlySet<string>): Seen {
  if (lookupResult.kind !== 'absent' && lookupResult.kind !== 'found') return { kind: 'nothing' };
  const orders =
    lookupResult.kind === 'found' ? lookupResult.orders.filter(({ id }) => !replaced.has(id)) : [];
  if (orders.length === 0) return { kind: lookupResult.isComplete ? 'absent' : 'nothing' };
  const found = likestOrder(orders, order);
  if (!isCancelled(found)) return judgeOrder(found, order);
  return lookupResult.isComplete ? { kind: 'cancelled', orders } : { kind: 'nothing' };
}

/** The same for one order that was read. */
export function judgeOrder(found: ServiceOrder, order: Order): Seen {
  if (isCancelled(found)) return { kind: 'cancelled', orders: [found] };
  const { differing, notCompared } = compareOrders(order, found.order);
  return { kind: differing.length === 0 ? 'equal' : 'other', order: found, differing, notCompared };
}
