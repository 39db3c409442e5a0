import { bestMatch, type IsOurs, olderCopyIn, settleSpelling } from '../../api/operations/create.ts';
import { getOrder } from '../../api/operations/find.ts';
import { type LookupResult, withoutReplaced } from '../../api/pages/order-finder.ts';
import { isCancelled, type ServiceOrder } from '../../api/responses/order.ts';
import { isEcho } from '../../api/responses/replay.ts';
import { CliError } from '../../errors.ts';
import { hashOrder, isOpen, type LedgerEntry, notCompared } from '../../ledger/order-log.ts';
import { compareOrders, type Difference } from '../../orders/compare.ts';
import type { Order } from '../../orders/order.ts';
import type { FieldPaths } from '../../orders/unnamed-fields.ts';
import type { OrderToSend } from '../orders/plan.ts';
import type { SendContext } from './context.ts';

/** `equal` with `differences`: what the service shows otherwise of an order of ours. */
export interface ComparedOrder {
  kind: 'equal' | 'different';
  order: ServiceOrder;
  differences: Difference[];
  notCompared: string[];
  /** Of several orders with its ID. */
  isOneOfSeveral: boolean;
}

/**
 * `cancelled`: all orders with its ID; `absent`: certainly does not exist; `listed`: an order may be it, such as one with its
 * ID in another spelling and other content; `inconclusive`: nothing is proven.
 */
export type ComparedLookup =
  | ComparedOrder
  | { kind: 'cancelled'; orders: ServiceOrder[] }
  | { kind: 'absent' | 'listed' | 'inconclusive' };

/** Error: `key_refused`. */
export async function lookUpOrder(
  { externalOrderId, order }: OrderToSend,
  entry: LedgerEntry | undefined,
  context: SendContext,
): Promise<ComparedLookup> {
  const { finder, ledger, fieldPaths } = context;
  // A lookup that proves nothing must leave time for the request after it.
  const client = context.client.forHalfTheTime();
  const replacedIds = ledger.cancellations.replacedIds(externalOrderId);
  const listed = await finder.find(externalOrderId, client);
  const result = await settleSpelling(client, listed, { externalOrderId, order, fieldPaths });
  if (result.kind === 'not_allowed' && result.error.code === 'key_refused') throw result.error;
  const begun = entry?.first409At ? ledger.runs.startedAt(entry.run) : undefined;
  const older = begun && olderCopyIn(result, { from: begun, clockAhead: context.client.clockAhead() });
  if (older) return compareFound(older, order, fieldPaths, () => false);
  return compareLookup(result, order, {
    replacedIds,
    fieldPaths,
    isOurs: isFromAttempt(entry, order, context),
  });
}

/** A read that fails proves nothing; sending shows whether the service is reachable. */
export async function readOrder(
  { externalOrderId, order }: OrderToSend,
  entry: LedgerEntry | undefined,
  context: SendContext,
): Promise<ComparedLookup> {
  const { client, fieldPaths } = context;
  try {
    const found = await getOrder(client, entry?.orderId ?? '', externalOrderId);
    return compareFound(found, order, fieldPaths, isFromAttempt(entry, order, context));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { kind: error.code === 'order_not_found' ? 'absent' : 'inconclusive' };
  }
}

/** Judges the order found after an attempt of ours with an unknown outcome. */
function isFromAttempt(
  entry: LedgerEntry | undefined,
  order: Order,
  { client, ledger, now }: SendContext,
): IsOurs {
  const hadAttempt =
    entry !== undefined && (isOpen(entry) || entry.unknownAt !== null || entry.code === notCompared);
  const isSame = hadAttempt && entry.bodyHash === hashOrder(order);
  const from = isSame ? ledger.runs.startedAt(entry.run) : undefined;
  return (differences, found) =>
    from !== undefined &&
    isEcho(differences, found, { from, until: now(), clockAhead: client.clockAhead() }, false);
}

/** `replacedIds` are the IDs of cancelled orders that no longer count. */
export function compareLookup(
  result: LookupResult,
  order: Order,
  {
    replacedIds,
    fieldPaths,
    isOurs,
  }: { replacedIds: ReadonlySet<string>; fieldPaths: FieldPaths; isOurs: IsOurs },
): ComparedLookup {
  const lookup = withoutReplaced(result, replacedIds);
  if (lookup.kind === 'absent') return { kind: lookup.isComplete ? 'absent' : 'inconclusive' };
  if (lookup.kind === 'unsettled' && lookup.isListed) return { kind: 'listed' };
  if (lookup.kind !== 'found') return { kind: 'inconclusive' };
  const { orders, isComplete } = lookup;
  const found = bestMatch(orders, order, fieldPaths, isOurs);
  if (!isCancelled(found)) {
    const compared = compareFound(found, order, fieldPaths, isOurs);
    return 'order' in compared ? { ...compared, isOneOfSeveral: orders.length > 1 } : compared;
  }
  return isComplete ? { kind: 'cancelled', orders } : { kind: 'inconclusive' };
}

export function compareFound(
  found: ServiceOrder,
  order: Order,
  fieldPaths: FieldPaths,
  isOurs: IsOurs,
): ComparedLookup {
  if (isCancelled(found)) return { kind: 'cancelled', orders: [found] };
  const compared = compareOrders(order, found.order, fieldPaths);
  const isEqual = compared.differences.length === 0 || isOurs(compared.differences, found);
  return { kind: isEqual ? 'equal' : 'different', order: found, isOneOfSeveral: false, ...compared };
}
