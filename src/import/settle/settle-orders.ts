import { workThrough } from '../work-through.ts';
import { type Settled, type Settler, settleOrder } from './settle-order.ts';

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
