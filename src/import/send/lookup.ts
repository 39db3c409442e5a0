import { closestOrder } from '../../api/operations/create.ts';
import { getOrder } from '../../api/operations/find.ts';
import type { LookupResult } from '../../api/pages/order-finder.ts';
import { isCancelled, type ServiceOrder } from '../../api/responses/order.ts';
import { CliError } from '../../errors.ts';
import { compareOrders } from '../../orders/compare.ts';
import type { Order } from '../../orders/order.ts';
import type { FieldPlaces } from '../../orders/unnamed-fields.ts';
import type { OrderToSend, SendContext } from './recall.ts';

/** `cancelled`: all orders with its ID are; `absent`: it certainly does not exist; `inconclusive`: nothing is proven. */
export type ComparedLookup =
  | { kind: 'equal' | 'different'; order: ServiceOrder; differing: string[]; notCompared: string[] }
  | { kind: 'cancelled'; orders: ServiceOrder[] }
  | { kind: 'absent' | 'inconclusive' };

/** Error: `key_refused`, which concerns every order. */
export async function lookUpOrder(
  { externalOrderId, order }: OrderToSend,
  { client, finder, ledger, places }: SendContext,
): Promise<ComparedLookup> {
  const replaced = new Set(ledger.cancellations.replacedIds(externalOrderId));
  const result = await finder.find(externalOrderId, client);
  if (result.kind === 'not_allowed' && result.error.code === 'key_refused') throw result.error;
  return compareLookup(result, order, { replaced, places });
}

/** A read that fails proves nothing; sending shows whether the service is reachable. */
export async function readOrder(
  orderId: string,
  { externalOrderId, order }: OrderToSend,
  { client, places }: SendContext,
): Promise<ComparedLookup> {
  try {
    return compareFound(await getOrder(client, orderId, externalOrderId), order, places);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { kind: error.code === 'order_not_found' ? 'absent' : 'inconclusive' };
  }
}

/** `replaced` are the IDs of cancelled orders that no longer count. */
export function compareLookup(
  result: LookupResult,
  order: Order,
  { replaced, places }: { replaced: ReadonlySet<string>; places: FieldPlaces },
): ComparedLookup {
  if (result.kind !== 'absent' && result.kind !== 'found') return { kind: 'inconclusive' };
  const orders = result.kind === 'found' ? result.orders.filter(({ id }) => !replaced.has(id)) : [];
  if (orders.length === 0) return { kind: result.isComplete ? 'absent' : 'inconclusive' };
  const found = closestOrder(orders, order, places);
  if (!isCancelled(found)) return compareFound(found, order, places);
  return result.isComplete ? { kind: 'cancelled', orders } : { kind: 'inconclusive' };
}

export function compareFound(found: ServiceOrder, order: Order, places: FieldPlaces): ComparedLookup {
  if (isCancelled(found)) return { kind: 'cancelled', orders: [found] };
  const { differing, notCompared } = compareOrders(order, found.order, places);
  return { kind: differing.length === 0 ? 'equal' : 'different', order: found, differing, notCompared };
}
