import type { ApiClient } from '../../api/client.ts';
import { olderCopyIn, settlingMilliseconds } from '../../api/operations/create.ts';
import { maxConcurrency } from '../../api/pacing/limiter.ts';
import {
  createOrderFinder,
  type LookupResult,
  type OrderFinder,
  type RespelledOrders,
  withoutReplaced,
} from '../../api/pages/order-finder.ts';
import { isCancelled, type ServiceOrder } from '../../api/responses/order.ts';
import { isOlderThan } from '../../api/responses/replay.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import {
  type LedgerEntry,
  notCompared,
  type OrderLog,
  type SentOrder,
  statedIds,
} from '../../ledger/order-log.ts';
import type { Order } from '../../orders/order.ts';
import { isRecent } from './decide.ts';
import { forEachConcurrent } from './for-each-concurrent.ts';
import type { OpenOrders } from './merchant-entries.ts';
import { recoverEntry } from './outcomes.ts';
import { copiesAfter, createdEntry } from './record.ts';

export interface Settled {
  externalOrderId: string;
  /**
   * `conflict`: an order older than the attempt has the ID; `not_found`: certainly does not exist, and may be sent
   * again; `rejected`: by a response to another run; `unknown`: still open.
   */
  outcome: 'created' | 'conflict' | 'cancelled' | 'rejected' | 'not_found' | 'unknown';
  /** `too_early`: an attempt may still take effect; `nothing_proven`: by the lookup; `stopped`: not looked up. */
  code?: 'in_other_run' | 'too_early' | 'nothing_proven' | 'stopped';
  /** Milliseconds since the epoch: from then on, a lookup that does not find the order proves its absence. */
  provableAt?: number;
  orderId?: string;
  orderNumber?: string;
  idempotencyKey?: string;
  /** As the lookup showed it. */
  order?: Order;
}

/** `seesAll`: see `OpenOrders`. */
interface SettleContext extends Pick<OpenOrders, 'log' | 'seesAll'> {
  finder: Pick<OrderFinder, 'find'>;
  ledger: Ledger;
  /** How many milliseconds the service's clock is ahead, when known. */
  clockAhead(): number | undefined;
  now(): number;
  stopping: AbortSignal;
}

export type SettledOrder = SentOrder & Settled;

/** Orders that were not looked up stay open. Error: `ledger_not_writable`. */
export async function settleOpenOrders(
  ofKeys: readonly OpenOrders[],
  {
    client,
    concurrency = maxConcurrency,
    ...shared
  }: Pick<SettleContext, 'ledger' | 'now' | 'stopping'> & { client: ApiClient; concurrency?: number },
): Promise<SettledOrder[]> {
  const context = { ...shared, finder: createOrderFinder(client), clockAhead: client.clockAhead };
  const orders = ofKeys.flatMap(({ open, log, seesAll }) => open.map((order) => ({ order, log, seesAll })));
  const settled: SettledOrder[] = [];
  await forEachConcurrent(orders.entries(), concurrency, async ([index, { order, log, seesAll }]) => {
    const result = await settleOrder(order.externalOrderId, { ...context, log, seesAll });
    settled[index] = { ...order, ...result };
  });
  return settled;
}

/** Reads the entry again in the transaction, since other runs may settle it. Error: `ledger_not_writable`. */
export async function settleOrder(externalOrderId: string, context: SettleContext): Promise<Settled> {
  const { finder, ledger, stopping } = context;
  const stopped: Settled = { externalOrderId, outcome: 'unknown', code: 'stopped' };
  const open = await ledger.transaction(() => claimOpenEntry(externalOrderId, context));
  if ('outcome' in open) return open;
  if (stopping.aborted) return stopped;
  const lookup = await finder.find(externalOrderId);
  const settled = await ledger.transaction(() => {
    const entry = claimOpenEntry(externalOrderId, context);
    return 'outcome' in entry ? entry : recordLookup(entry, lookup, context);
  });
  return settled.code === 'nothing_proven' && stopping.aborted ? stopped : settled;
}

function claimOpenEntry(externalOrderId: string, { ledger, log, now }: SettleContext): LedgerEntry | Settled {
  const entry = log.find(externalOrderId);
  // The intent was withdrawn: no request was processed.
  if (entry === undefined) return { externalOrderId, outcome: 'not_found' };
  const ids = { externalOrderId, ...statedIds(entry) };
  if (entry.state === 'created') {
    const isCancelled = ledger.cancellations.has(entry.orderId ?? '');
    return { ...ids, outcome: isCancelled ? 'cancelled' : 'created' };
  }
  if (entry.state === 'rejected' || entry.state === 'not_found') return { ...ids, outcome: entry.state };
  if (entry.state === 'unknown') return recoverEntry(entry, ledger, now());
  if (ledger.runs.isAlive(entry.lastRun)) return { ...ids, outcome: 'unknown', code: 'in_other_run' };
  const recovered = recoverEntry(entry, ledger, now());
  log.record(recovered);
  return recovered;
}

function recordLookup(
  entry: LedgerEntry,
  result: LookupResult | RespelledOrders,
  { ledger, log, seesAll, clockAhead, now }: SettleContext,
): Settled {
  const { externalOrderId } = entry;
  const ids = { externalOrderId, ...statedIds(entry) };
  const unproven: Settled = { ...ids, outcome: 'unknown', code: 'nothing_proven' };
  if (result.kind === 'respelled') {
    // The ledger does not keep the content that would tell whose it is; after a 409, an older order is another one.
    const begun = entry.first409At === null ? undefined : ledger.runs.startedAt(entry.run);
    const lookup = { kind: 'unsettled', isListed: true, respelled: result.orders } as const;
    const older = begun && olderCopyIn(lookup, { from: begun, clockAhead: clockAhead() });
    return older ? recordFound(entry, older, 'conflict', log) : unproven;
  }
  const lookup = withoutReplaced(result, ledger.cancellations.replacedIds(externalOrderId));
  if (lookup.kind !== 'found' && lookup.kind !== 'absent') return unproven;
  const orders = lookup.kind === 'found' ? lookup.orders : [];
  const alive = orders.find((order) => !isCancelled(order));
  if (alive !== undefined) {
    const begun = ledger.runs.startedAt(entry.run);
    const isOlder = begun !== undefined && isOlderThan(alive, begun, clockAhead());
    return recordFound(entry, alive, isOlder ? 'conflict' : 'created', log);
  }
  if (!lookup.isComplete || (orders.length === 0 && !seesAll)) return unproven;
  const [cancelled] = orders;
  if (cancelled !== undefined) {
    for (const { id } of orders) ledger.cancellations.add({ orderId: id, externalOrderId });
    return recordFound(entry, cancelled, 'cancelled', log);
  }
  if (!isRecent(entry, now())) {
    log.record({ ...entry, state: 'not_found' });
    return { ...ids, outcome: 'not_found' };
  }
  const latest = Math.max(entry.unknownAt ?? 0, entry.first409At ?? 0);
  return { ...ids, outcome: 'unknown', code: 'too_early', provableAt: latest + settlingMilliseconds };
}

/**
 * The ledger does not keep the content that was sent, so the next import has to compare it. No run created an older
 * order, so no undo may cancel it.
 */
function recordFound(
  entry: LedgerEntry,
  order: ServiceOrder,
  outcome: 'created' | 'conflict' | 'cancelled',
  log: OrderLog,
): Settled {
  const run = outcome === 'conflict' ? '' : entry.run;
  const copies = copiesAfter(entry, outcome === 'created');
  const created = { ...createdEntry({ ...entry, copies }, order, run), code: notCompared };
  log.record(created);
  const { externalOrderId } = entry;
  return { externalOrderId, outcome, ...statedIds(created), order: order.order };
}
