import { advice, again } from '../../advice/advice.ts';
import type { CancelResult } from '../../api/operations/cancel.ts';
import { findOrder } from '../../api/operations/find.ts';
import { maxConcurrency } from '../../api/pacing/concurrency.ts';
import { isCancelled, nameOf, type ServiceOrder } from '../../api/responses/order.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { NamedOrder } from '../../import/results/named-orders.ts';
import { forEachConcurrent } from '../../import/send/for-each-concurrent.ts';
import { textField } from '../../orders/order.ts';
import type { ReferenceKind } from '../../orders/order-reference.ts';
import type { Cancellation } from '../../output/reporter.ts';
import { createProgress, type Progress } from '../../output/status/progress.ts';
import {
  type CancelLedger,
  cancelEntry,
  createCancelLedger,
  type Entry,
  type OrderToCancel,
  record,
} from './cancel-entry.ts';
import { type ConfirmFlags, confirmCancel } from './confirm.ts';

/** An order as it was named. */
export interface Target {
  reference: string;
  by: ReferenceKind | undefined;
  /** The other identifiers that the file has for the order. */
  names?: NamedOrder['names'];
}

interface CancelManyOptions extends ConfirmFlags {
  /** Orders of a file: with progress, several at once, and waiting for outages. */
  isBulk: boolean;
}

interface Job {
  client: Connection['client'];
  ledger: CancelLedger;
  isBulk: boolean;
  /** Counts one order in the progress. */
  count(what: string): void;
  /** Called when no more orders will be sent, so that waiting requests are not kept waiting. */
  onStop(): void;
}

/** Cancels several orders. The outcome of each is the data; the error says how many were not cancelled. */
export async function cancelMany(
  context: Context,
  targets: readonly Target[],
  options: CancelManyOptions,
): Promise<void> {
  const { isBulk } = options;
  const stopped = new AbortController();
  const { stopping } = context.interruption;
  let progress: Progress | undefined;
  await using connection = await context.connect(
    isBulk
      ? {
          waitsForOutages: true,
          limits: { concurrency: 'auto' },
          stopping: AbortSignal.any([stopping, stopped.signal]),
          onPause: (milliseconds, reason) => progress?.pause(milliseconds, reason),
        }
      : { waitsForOutages: false },
  );
  using ledger = createCancelLedger(connection);
  const { client, label } = connection;
  const onStop = () => stopped.abort();
  const withProgress = async <Result>(total: number, work: (job: Job) => Promise<Result>) => {
    if (!isBulk) return work({ client, ledger, isBulk, count: () => undefined, onStop });
    const counts: Record<string, number> = {};
    const shown = createProgress(context, total);
    progress = shown;
    const count = (what: string) => {
      counts[what] = (counts[what] ?? 0) + 1;
      shown.update(counts);
    };
    try {
      return await work({ client, ledger, isBulk, count, onStop });
    } finally {
      shown.stop();
    }
  };

  const entries = await withProgress(targets.length, (job) => readTargets(targets, job));
  const reason = await confirmCancel(context, { label, ledger, entries }, options);
  if (reason === undefined) return;
  const { cancellations, stoppedBy } = await withProgress(entries.length, (job) =>
    cancelEntries(entries, reason, job, stopping),
  );
  reportAll(context, label, cancellations, stoppedBy);
}

/** Reads every order before any is cancelled, each once however often it is named. Errors: those of a read. */
async function readTargets(targets: readonly Target[], job: Job): Promise<Entry[]> {
  const entries: Entry[] = [];
  await forEachConcurrent(targets.entries(), job.isBulk ? maxConcurrency : 1, async ([index, target]) => {
    try {
      entries[index] = await readTarget(target, job);
    } catch (error) {
      job.onStop();
      throw error;
    }
    job.count('read');
  });
  const ids = new Set<string>();
  return entries.filter((entry) => {
    if (entry.state === 'missing') return true;
    const isNew = !ids.has(entry.order.id);
    ids.add(entry.order.id);
    return isNew;
  });
}

async function readTarget({ reference, by, names = {} }: Target, job: Job): Promise<Entry> {
  const { client, ledger, isBulk } = job;
  const isKnown = async (id: string) => isBulk && (await ledger.has(id));
  const toEntry = (order: ServiceOrder, isInLedger: boolean): Entry => {
    const externalOrderId = textField(order.order, 'externalOrderId') ?? names.externalOrderId;
    return isInLedger || isCancelled(order)
      ? { state: 'already_cancelled', order, externalOrderId, isInLedger }
      : { state: 'to_cancel', order, externalOrderId };
  };
  if (by === 'id' && (await isKnown(reference))) {
    return toEntry({ id: reference, order: { ...names } }, true);
  }
  try {
    const order = await findOrder(client.forOneOrder(), reference, { by, triesAllReadings: true });
    return toEntry(order, await isKnown(order.id));
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'order_not_found') throw error;
    const { code, message } = error;
    const order = { reference, ...names };
    return {
      state: 'missing',
      cancellation: { order, outcome: 'not_found', code, message, namedAs: reference },
    };
  }
}

type Result = CancelResult | { outcome: 'not_sent'; order: ServiceOrder };

interface Cancelled {
  /** In the order in which the orders were named. */
  cancellations: Cancellation[];
  stoppedBy: CliError | undefined;
}

/** Cancels and records; an error that every order would meet ends it, and the rest is not sent. */
async function cancelEntries(
  entries: readonly Entry[],
  reason: string,
  job: Job,
  stopping: AbortSignal,
): Promise<Cancelled> {
  const { client, ledger, isBulk } = job;
  const cancellations: Cancellation[] = [];
  let stoppedBy: CliError | undefined;
  const stop = (error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    stoppedBy ??= stopping.aborted && error.code === 'unreachable' ? interrupted() : error;
    job.onStop();
  };

  const cancel = async (entry: OrderToCancel): Promise<Result> => {
    const { order } = entry;
    if (stoppedBy !== undefined) return { outcome: 'not_sent', order };
    try {
      // Another run of the same command may have cancelled it since it was read.
      if (isBulk && (await ledger.has(order.id))) return alreadyCancelled(order);
      const { result, notRecorded } = await cancelEntry(entry, {
        client: client.forOneOrder(),
        ledger,
        reason,
      });
      if (notRecorded !== undefined) stop(notRecorded);
      return result;
    } catch (error) {
      stop(error);
      return { outcome: 'not_sent', order };
    }
  };

  await forEachConcurrent(entries.entries(), isBulk ? maxConcurrency : 1, async ([index, entry]) => {
    if (entry.state === 'missing') {
      cancellations[index] = entry.cancellation;
      return;
    }
    if (entry.state === 'already_cancelled' && !entry.isInLedger) await record(entry, ledger).catch(stop);
    const result = entry.state === 'to_cancel' ? await cancel(entry) : alreadyCancelled(entry.order);
    cancellations[index] = toCancellation(result);
    job.count(result.outcome);
  });
  return { cancellations, stoppedBy };
}

function alreadyCancelled(order: ServiceOrder): Result {
  return { outcome: 'already_cancelled', order, isCurrent: true };
}

function interrupted(): CliError {
  return new CliError('interrupted', 'Stopped before all orders were cancelled.', {
    hint: advice`To cancel the rest, run the same command again.${again()}`,
  });
}

function toCancellation(result: Result): Cancellation {
  const { outcome, order } = result;
  const status = textField(order.order, 'status');
  const error =
    'error' in result ? { code: result.error.reportedCode, message: result.error.wholeMessage } : {};
  const named = outcome === 'unknown' ? { namedAs: nameOf(order) } : {};
  return { order: order.order, outcome, ...(status === undefined ? {} : { status }), ...error, ...named };
}

// These count more than unknown outcomes, which the list shows.
const firstCodes = new Set(['interrupted', 'key_refused', 'permission_missing']);

function reportAll(
  { report, print }: Context,
  label: Connection['label'],
  cancellations: Cancellation[],
  stoppedBy: CliError | undefined,
): void {
  report.cancellations(cancellations);
  const count = (...names: Cancellation['outcome'][]) =>
    cancellations.filter(({ outcome }) => names.includes(outcome)).length;
  const cancelled = count('cancelled');
  if (cancelled > 0) {
    print.note(`Cancelled ${cancelled === 1 ? '1 order' : `${cancelled} orders`} (${label}).`);
  }
  const unknown = count('unknown');
  if (stoppedBy !== undefined && (unknown === 0 || firstCodes.has(stoppedBy.code))) throw stoppedBy;
  if (unknown > 0) {
    const orders = unknown === 1 ? '1 of the orders was' : `${unknown} of the orders were`;
    throw new CliError('outcome_unknown', `It is not known whether ${orders} cancelled.`, {
      hint: advice`To find out, run the same command again.${again()}`,
      outcome: 'unknown',
    });
  }
  const failed = cancellations.length - count('cancelled', 'already_cancelled');
  if (failed === 0) return;
  throw new CliError(
    'some_orders_failed',
    `${failed} of ${cancellations.length} orders ${failed === 1 ? 'was' : 'were'} not cancelled.`,
    {
      hint: 'The list above shows why.',
    },
  );
}
