import type { LookupResult, OrderFinder } from '../../api/pages/order-finder.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import { isCancelled } from '../../api/responses/order.ts';
import { isOpen, type LedgerEntry, notCompared } from '../../ledger/entry.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isRecent, settlingMilliseconds } from './decide.ts';
import { namesOf } from './outcomes.ts';
import { takeOver } from './recall-outcome.ts';
import { createdRow } from './record-creation.ts';
import { workThrough } from './work-through.ts';

/**
 * What became of an open order by a look-up alone.
 * - `created`: it is there; - `cancelled`: it is there, and cancelled
 * - `absent`: it is certainly not there, and sending it again is safe
 * - `rejected`: another run heard that in the meantime
 * - `unknown`: still open, and `code` says why
 */
export const settledOutcomes = ['created', 'cancelled', 'rejected', 'absent', 'unknown'] as const;

export interface Settled {
  externalOrderId: string;
  outcome: (typeof settledOutcomes)[number];
  /** - `too_early`: an attempt may still take effect; - `nothing_proven`: the look-up says nothing; - `stopped`: it was not begun */
  code?: 'in_other_run' | 'too_early' | 'nothing_proven' | 'stopped';
  /** Milliseconds since the epoch: from then on a look-up that does not find it proves that it is not there. */
  provableAt?: number;
  orderId?: string;
  orderNumber?: string;
  idempotencyKey?: string;
}

export interface Settler {
  finder: OrderFinder;
  ledger: Ledger;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Looks an open order up and writes down what that proves; nothing is sent. Each write follows a look at the entry
 * in the same transaction, so that others may send or settle the same order meanwhile. Error: `ledger_not_writable`.
 */
export async function settleOrder(externalOrderId: string, settler: Settler): Promise<Settled> {
  const { finder, ledger, now } = settler;
  const open = await ledger.transaction(() => takeUp(externalOrderId, settler));
  if ('outcome' in open) return open;
  const lookupResult = await finder.find(externalOrderId);
  return ledger.transaction(() => {
    const row = takeUp(externalOrderId, settler);
    return 'outcome' in row ? row : record(row, lookupResult, ledger, now());
  });
}

/** The entry of an order that is open and nobody's; else what there is to say of it. */
function takeUp(externalOrderId: string, { ledger, now }: Settler): LedgerEntry | Settled {
  const row = ledger.orders.recall(externalOrderId);
  // It was withdrawn: nothing of it was ever processed.
  if (row === undefined) return { externalOrderId, outcome: 'absent' };
  const told = { externalOrderId, ...namesOf(row) };
  if (!isOpen(row)) return { ...told, outcome: row.state === 'rejected' ? 'rejected' : 'created' };
  if (row.state === 'unknown') return takeOver(row, ledger, now());
  if (ledger.runs.isAlive(row.holder)) return { ...told, outcome: 'unknown', code: 'in_other_run' };
  const taken = takeOver(row, ledger, now());
  ledger.orders.record(taken);
  return taken;
}

function record(row: LedgerEntry, lookupResult: LookupResult, ledger: Ledger, now: number): Settled {
  const { externalOrderId } = row;
  const told = { externalOrderId, ...namesOf(row) };
  const unproven: Settled = { ...told, outcome: 'unknown', code: 'nothing_proven' };
  if (lookupResult.kind !== 'found' && lookupResult.kind !== 'absent') return unproven;
  const replaced = new Set(ledger.cancellations.replaced(externalOrderId));
  const orders =
    lookupResult.kind === 'found' ? lookupResult.orders.filter(({ id }) => !replaced.has(id)) : [];
  const alive = orders.find((order) => !isCancelled(order));
  if (alive !== undefined) return recordFound(row, alive, 'created', ledger);
  if (!lookupResult.isComplete) return unproven;
  const [cancelled] = orders;
  if (cancelled !== undefined) {
    for (const { id } of orders) ledger.cancellations.add({ orderId: id, externalOrderId });
    return recordFound(row, cancelled, 'cancelled', ledger);
  }
  if (!isRecent(row, now)) return { ...told, outcome: 'absent' };
  const latest = Math.max(row.unknownAt ?? 0, row.disputedAt ?? 0);
  return { ...told, outcome: 'unknown', code: 'too_early', provableAt: latest + settlingMilliseconds };
}

/** The content that was sent is not kept here, so the next import has to compare it. */
function recordFound(
  row: LedgerEntry,
  order: ServiceOrder,
  outcome: 'created' | 'cancelled',
  { orders }: Ledger,
): Settled {
  const created = { ...createdRow(row, order, row.run), code: notCompared };
  orders.record(created);
  return { externalOrderId: row.externalOrderId, outcome, ...namesOf(created) };
}

export interface SettleOptions extends Settler {
  /** The most look-ups under way at a time. */
  concurrency: number;
  /** Aborted: begin no other look-up. */
  stopping: AbortSignal;
}

/** Settles orders, several at a time; those that were not begun stay open. Error: `ledger_not_writable`. */
export async function settleOrders(
  externalOrderIds: readonly string[],
  { concurrency, stopping, ...settler }: SettleOptions,
): Promise<Settled[]> {
  const settled: Settled[] = [];
  await workThrough(externalOrderIds.entries(), concurrency, async ([place, externalOrderId]) => {
    settled[place] = stopping.aborted
      ? { externalOrderId, outcome: 'unknown', code: 'stopped' }
      : await settleOrder(externalOrderId, settler);
  });
  return settled;
}
