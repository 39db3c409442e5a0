import { maxConcurrency } from '../../api/pacing/limiter.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { isSendable, type PlannedOrder } from '../../import/orders/plan.ts';
import type { Problem } from '../../import/problem.ts';
import { rejectsOf } from '../../import/results/files.ts';
import {
  createOutcomeStore,
  isTwice,
  type OrderOutcome,
  type OutcomeStore,
  type SameId,
  toRecord,
  withWarnings,
} from '../../import/results/order-outcome.ts';
import { createTally, type Tally } from '../../import/results/summary.ts';
import type { SendContext } from '../../import/send/context.ts';
import { knownCopies, lookUpCopies } from '../../import/send/copies.ts';
import {
  cancelledOutcome,
  leftOutOutcome,
  notSentOutcome,
  skippedOutcome,
  withCopies,
} from '../../import/send/outcomes.ts';
import { createErrorLimit, sendOrders } from '../../import/send/send-orders.ts';
import { drained } from '../../output/print.ts';
import { invalidOutcomeOf, ledgerWarnings } from './compare.ts';
import type { FieldProving } from './prove-fields.ts';
import type { ImportJob } from './read.ts';

interface SendFileOptions {
  /** Called when no more orders will be sent. */
  onStop(): void;
  /** Orders that are sent before all others, each alone. */
  proving?: FieldProving | undefined;
  warnsFromLedger?: boolean;
}

export interface SentFile {
  /** The outcome of every order that was read, selected or not. */
  store: OutcomeStore;
  tally: Tally;
  stoppedBy: CliError | undefined;
}

/** Keeps the outcome of every order of the file, sent or not. */
export async function sendFile(
  context: Context,
  { plan, flags, openSpill }: ImportJob,
  sendContext: SendContext,
  { onStop, proving, warnsFromLedger = false }: SendFileOptions,
): Promise<SentFile> {
  let progress = context.status.startProgress(plan.counts.selected);
  const { clock, interruption, system, report } = context;
  const store = createOutcomeStore(openSpill());
  const tally = createTally();
  const found = new WeakMap<PlannedOrder, Problem[]>();
  const withoutSending = (order: PlannedOrder): OrderOutcome | undefined => {
    const { leftOut, isSelected } = order;
    if (isSelected && warnsFromLedger) found.set(order, ledgerWarnings(order, context, sendContext));
    if (isSelected && leftOut === undefined) {
      return isSendable(order) ? undefined : invalidOutcomeOf(order, context, sendContext);
    }
    const known =
      leftOut === undefined
        ? skippedOutcome(order, sendContext)
        : leftOutOutcome(order, leftOut, sendContext);
    if (isSelected) return known;
    // Of orders that were not selected, the results file keeps what is known.
    const isNew = known.outcome === 'left_out' || (known.outcome === 'not_sent' && known.code === 'stopped');
    return isNew ? { ...notSentOutcome(order), code: 'not_selected' } : known;
  };
  const { concurrency } = flags;
  const limit = createErrorLimit(flags.maxErrors, plan.counts.selected - plan.counts.invalid);
  const show = (outcome: OrderOutcome) => {
    if (report.showsOutcomes) progress.writeAbove(() => report.outcome(toRecord(outcome, system)));
  };
  /** The rows of orders whose outcome is complete only after the lookups at the end, by their ID. */
  const waiting = new Map<string, number>();
  const sentAlone = new Map<number, OrderOutcome | undefined>();
  const finish = async (order: PlannedOrder, sent: OrderOutcome, mayBeSeveral = false) => {
    const { isSelected } = order;
    const problems = isSelected ? [...order.problems, ...(found.get(order) ?? [])] : [];
    const outcome = withWarnings(sent, problems, system);
    store.add(order.row, outcome, isSelected ? rejectsOf(order, outcome) : []);
    if (sentAlone.has(order.row)) sentAlone.set(order.row, outcome);
    if (!isSelected) return;
    if (order.leftOut === undefined) tally.add(outcome);
    if (mayBeSeveral) waiting.set(order.externalOrderId, order.row);
    else show(outcome);
    const { total: _, ...counts } = tally.orders;
    progress.update(counts);
    await drained(system.stdout);
  };
  /** After a signal the rest of the plan is still read, so that every order gets an outcome. */
  const sendDue = (isLast: boolean, isDue?: (order: PlannedOrder) => boolean, orders = plan.orders()) => {
    const inOtherRun = new Set<number>();
    const ended = sendOrders(orders, sendContext, {
      concurrency: workersFor(concurrency === 'auto' ? maxConcurrency : concurrency),
      stopping: isLast ? AbortSignal.abort() : interruption.stopping,
      leaving: interruption.leaving,
      withoutSending,
      ...(isDue === undefined ? {} : { isDue }),
      tooMany: (outcome) => (outcome.code === 'in_other_run' ? undefined : limit.count(outcome)),
      onStop,
      onOutcome: (order, sent, mayBeSeveral) => {
        if (isLast || sent.code !== 'in_other_run' || !order.isSelected)
          return finish(order, sent, mayBeSeveral);
        inOtherRun.add(order.row);
      },
    });
    return ended.then((stoppedBy) => ({ inOtherRun, stoppedBy }));
  };
  /** Returns why nothing more may be sent. */
  const sendAlone = async (): Promise<CliError | undefined> => {
    for (let next = proving?.next(); next !== undefined; next = proving?.next()) {
      if (interruption.stopping.aborted) return undefined;
      const { row } = next.planned;
      sentAlone.set(row, undefined);
      const { stoppedBy } = await sendDue(false, undefined, [next.planned]);
      const outcome = sentAlone.get(row);
      // Another run is sending it: it is looked at with the others.
      if (outcome === undefined) sentAlone.delete(row);
      progress.stop();
      if (stoppedBy !== undefined) return stoppedBy;
      const dropped = await proving?.check(next, outcome);
      if (dropped?.isCancelled && outcome !== undefined) store.add(row, cancelledOutcome(outcome), []);
      if (dropped !== undefined) return dropped.error;
      progress = context.status.startProgress(plan.counts.selected);
    }
    return undefined;
  };
  try {
    const stoppedFirst = await sendAlone();
    const isOther = ({ row }: PlannedOrder) => !sentAlone.has(row);
    let { inOtherRun, stoppedBy = stoppedFirst } = await sendDue(stoppedFirst !== undefined, isOther);
    for (let pause = minPause; inOtherRun.size > 0; pause = Math.min(2 * pause, maxPause)) {
      if (stoppedBy !== undefined || interruption.stopping.aborted) break;
      await clock.sleep(pause, interruption.stopping);
      const due = inOtherRun;
      ({ inOtherRun, stoppedBy } = await sendDue(false, ({ row }) => due.has(row)));
      if (pause === maxPause && inOtherRun.size === due.size) break;
    }
    if (inOtherRun.size > 0) await sendDue(true, ({ row }) => inOtherRun.has(row));
    countUnread(tally, plan.counts.selected);
    const isStopped = stoppedBy !== undefined || interruption.stopping.aborted;
    const sameIds = await findCopies(isStopped, sendContext).catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      stoppedBy ??= error;
      return [];
    });
    const byId = new Map(sameIds.map((sameId) => [sameId.externalOrderId, sameId]));
    for (const [externalOrderId, row] of waiting) {
      const outcome = store.at(row);
      const sameId = byId.get(externalOrderId);
      if (outcome === undefined) continue;
      const complete = sameId === undefined ? outcome : withCopies(outcome, sameId);
      if (sameId !== undefined) store.add(row, complete, []);
      show(complete);
      await drained(system.stdout);
    }
    tally.twice.push(...sameIds.filter(isTwice));
    return { store, tally, stoppedBy };
  } finally {
    progress.stop();
  }
}

/** The lookups at the end of a run; after a stop, what earlier ones showed. Error: `ledger_not_writable`. */
async function findCopies(isStopped: boolean, context: SendContext): Promise<SameId[]> {
  const due = context.entries.findWithCopies();
  if (due.length === 0) return [];
  return isStopped ? knownCopies(due) : lookUpCopies(due, context);
}

/** Milliseconds between two looks at the orders that other runs are sending. */
const [minPause, maxPause] = [100, 3200];

/** Twice the concurrent requests: the other orders are in the ledger already, ready for the next free slot. */
function workersFor(concurrency: number): number {
  return concurrency === 1 ? 1 : 2 * concurrency;
}

/** Orders that were not read from the plan were not sent: the program had to exit at once. */
function countUnread({ orders }: Tally, selected: number): void {
  orders.not_sent += selected - orders.total;
  orders.total = selected;
}
