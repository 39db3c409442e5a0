import { maxConcurrency } from '../../api/pacing/concurrency.ts';
import type { OrderFinder } from '../../api/pages/order-finder.ts';
import type { Connection, Context } from '../../context.ts';
import type { CliError } from '../../errors.ts';
import type { ReadOrder } from '../../import/orders/plan-import.ts';
import { isSendable } from '../../import/orders/plan-order.ts';
import { countOutcomes, type OrderOutcome } from '../../import/results/order-outcome.ts';
import { createOutcomeStore, type OutcomeStore } from '../../import/results/outcome-store.ts';
import { invalidOutcome, rejectsOf } from '../../import/results/rejects.ts';
import { createTally, type Tally } from '../../import/results/summary.ts';
import { createErrorLimit } from '../../import/send/error-limit.ts';
import { toSend } from '../../import/send/order-to-send.ts';
import { notBegun, type RecallParts } from '../../import/send/recall-outcome.ts';
import { sendOrders } from '../../import/send/send-orders.ts';
import { drained } from '../../output/print.ts';
import type { Progress } from '../../output/progress.ts';
import type { ImportJob } from './read.ts';

export interface SendParts extends RecallParts {
  client: Connection['client'];
  finder: OrderFinder;
  progress: Progress;
  /** Called when no other order is to be begun. */
  onStop(): void;
}

export interface SentFile {
  /** What became of every order that was read, of the selected ones and of the others. */
  store: OutcomeStore;
  /** Of the selected ones. */
  tally: Tally;
  stoppedBy: CliError | undefined;
}

/** Sends what of the file is to be sent, and keeps the outcome of every order in it. */
export async function sendFile(
  { interruption, system, report }: Context,
  { plan, flags, run, openSpill }: ImportJob,
  parts: SendParts,
): Promise<SentFile> {
  const store = createOutcomeStore(openSpill());
  const tally = createTally();
  const counts = countOutcomes([]);
  const withoutSending = ({ planned, isSelected }: ReadOrder): OrderOutcome | undefined => {
    if (isSelected) return isSendable(planned) ? undefined : invalidOutcome(planned);
    // The results file keeps what is known of the orders that were not meant this time.
    const known = notBegun(toSend(planned), parts);
    return known.outcome === 'not_sent' && known.code === 'stopped'
      ? { ...known, code: 'not_selected' }
      : known;
  };
  const { concurrency } = flags;
  const limit = createErrorLimit(flags.maxErrors, plan.counts.selected - plan.counts.invalid);
  // What was begun is told, and the rest of the file read, also after a signal.
  const unread = new AbortController().signal;
  const stoppedBy = await sendOrders(plan.orders(unread), {
    ...parts,
    run,
    concurrency: concurrency === 'auto' ? maxConcurrency : concurrency,
    stopping: interruption.stopping,
    leaving: interruption.leaving,
    withoutSending,
    tooMany: limit.saw,
    onOutcome: async ({ place, planned, isSelected }, outcome) => {
      store.add(place, outcome, isSelected ? rejectsOf(planned, outcome) : []);
      if (!isSelected) return;
      tally.see(outcome);
      counts[outcome.outcome] += 1;
      parts.progress.writeAbove(() => report.outcome({ ...outcome }));
      parts.progress.update(counts);
      await drained(system.stdout);
    },
  });
  countUnread(tally, plan.counts.selected);
  return { store, tally, stoppedBy };
}

/** What was not read again, because the file changed or the program was to leave at once, was not sent. */
function countUnread({ orders }: Tally, selected: number): void {
  orders.not_sent += selected - orders.total;
  orders.total = selected;
}
