import { maxConcurrency } from '../../api/pacing/concurrency.ts';
import type { Context } from '../../context.ts';
import type { CliError } from '../../errors.ts';
import type { ReadOrder } from '../../import/orders/plan-import.ts';
import { isSendable } from '../../import/orders/plan-order.ts';
import {
  createOutcomeStore,
  type OrderOutcome,
  type OutcomeStore,
} from '../../import/results/order-outcome.ts';
import { invalidOutcome, rejectsOf } from '../../import/results/rejects.ts';
import { createTally, type Tally } from '../../import/results/summary.ts';
import { createErrorLimit } from '../../import/send/error-limit.ts';
import { skippedOutcome } from '../../import/send/recall.ts';
import { type SendContext, toSend } from '../../import/send/send-context.ts';
import { sendOrders } from '../../import/send/send-orders.ts';
import { drained } from '../../output/print.ts';
import type { Progress } from '../../output/progress.ts';
import type { ImportJob } from './read.ts';

export interface SendFileOptions {
  progress: Progress;
  /** Called when no other order is to be sent. */
  onStop(): void;
}

export interface SentFile {
  /** The outcome of every order that was read, selected or not. */
  store: OutcomeStore;
  /** Counts of the selected orders. */
  tally: Tally;
  stoppedBy: CliError | undefined;
}

/** Sends the selected orders of the file, and keeps the outcome of every order in it. */
export async function sendFile(
  { interruption, system, report }: Context,
  { plan, flags, openSpill }: ImportJob,
  sendContext: SendContext,
  { progress, onStop }: SendFileOptions,
): Promise<SentFile> {
  const store = createOutcomeStore(openSpill());
  const tally = createTally();
  const withoutSending = ({ planned, isSelected }: ReadOrder): OrderOutcome | undefined => {
    if (isSelected) return isSendable(planned) ? undefined : invalidOutcome(planned);
    // The results file keeps what is known of the orders that were not selected.
    const known = skippedOutcome(toSend(planned), sendContext);
    return known.outcome === 'not_sent' && known.code === 'stopped'
      ? { ...known, code: 'not_selected' }
      : known;
  };
  const { concurrency } = flags;
  const limit = createErrorLimit(flags.maxErrors, plan.counts.selected - plan.counts.invalid);
  // After a signal the rest of the file is still read, so that its orders have an outcome.
  const unread = new AbortController().signal;
  const stoppedBy = await sendOrders(plan.orders(unread), sendContext, {
    concurrency: concurrency === 'auto' ? maxConcurrency : concurrency,
    stopping: interruption.stopping,
    leaving: interruption.leaving,
    withoutSending,
    tooMany: limit.count,
    onStop,
    onOutcome: async ({ place, planned, isSelected }, outcome) => {
      store.add(place, outcome, isSelected ? rejectsOf(planned, outcome) : []);
      if (!isSelected) return;
      tally.add(outcome);
      progress.writeAbove(() => report.outcome({ ...outcome }));
      const { total: _, ...counts } = tally.orders;
      progress.update(counts);
      await drained(system.stdout);
    },
  });
  countUnread(tally, plan.counts.selected);
  return { store, tally, stoppedBy };
}

/** Orders that were not read again were not sent: the file changed, or the program had to exit at once. */
function countUnread({ orders }: Tally, selected: number): void {
  orders.not_sent += selected - orders.total;
  orders.total = selected;
}
