import { isCancelled } from '../../api/cancel-order.ts';
import { likestOrder } from '../../api/likest-order.ts';
import type { Finding } from '../../api/order-finder.ts';
import type { ServiceOrder } from '../../api/read-order.ts';
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
export function judgeFinding(finding: Finding, order: Order, replaced: ReadonlySet<string>): Seen {
  if (finding.kind !== 'absent' && finding.kind !== 'found') return { kind: 'nothing' };
  const orders = finding.kind === 'found' ? finding.orders.filter(({ id }) => !replaced.has(id)) : [];
  if (orders.length === 0) return { kind: finding.isComplete ? 'absent' : 'nothing' };
  const found = likestOrder(orders, order);
  if (!isCancelled(found)) return judgeOrder(found, order);
  return finding.isComplete ? { kind: 'cancelled', orders } : { kind: 'nothing' };
}

/** The same for one order that was read. */
export function judgeOrder(found: ServiceOrder, order: Order): Seen {
  if (isCancelled(found)) return { kind: 'cancelled', orders: [found] };
  const { differing, notCompared } = compareOrders(order, found.order);
  return { kind: differing.length === 0 ? 'equal' : 'other', order: found, differing, notCompared };
}
