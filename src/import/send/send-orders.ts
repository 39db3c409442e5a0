import { again, type Sentence, t } from '../../advice/advice.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { hashOrder } from '../../ledger/order-log.ts';
import type { ErrorLimit } from '../choices.ts';
import type { PlannedOrder } from '../orders/plan.ts';
import type { OrderOutcome, OutcomeName } from '../results/order-outcome.ts';
import type { SendContext } from './context.ts';
import { forEachConcurrent } from './for-each-concurrent.ts';
import { stoppedOutcome } from './outcomes.ts';
import { sendOrder } from './send-order.ts';

/** How many more orders are reported as not sent after `leaving`: about a second of reading. */
export const maxOrdersAfterLeaving = 100_000;

/** Orders with an unknown outcome that are kept in memory, to send again at the end. */
const maxRetries = 1000;

interface SendOptions {
  concurrency: number;
  stopping: AbortSignal;
  /** Aborted: leave the rest of the plan unread as well. */
  leaving: AbortSignal;
  /** The outcome of an order that is not to be sent; undefined for one that is. */
  withoutSending(order: PlannedOrder): OrderOutcome | undefined;
  isDue?(order: PlannedOrder): boolean;
  tooMany(outcome: OrderOutcome): CliError | undefined;
  /**
   * Called once for every order, in any order; the next order starts when this ends. `mayBeSeveral`: a lookup has to show
   * how many orders there are.
   */
  onOutcome(order: PlannedOrder, outcome: OrderOutcome, mayBeSeveral: boolean): void | Promise<void>;
  onStop?(): void;
}

/**
 * Sends the orders of a plan; those with an unknown outcome again at the end. Each order gets one outcome.
 * After an error that concerns all orders the rest is `not_sent`, and the error is returned.
 */
export async function sendOrders(
  orders: Iterable<PlannedOrder>,
  context: SendContext,
  options: SendOptions,
): Promise<CliError | undefined> {
  const { ledger, run } = context;
  const { concurrency, stopping, leaving, onOutcome, withoutSending, tooMany } = options;
  let stoppedBy: CliError | undefined;
  const stop = (error: CliError | undefined) => {
    if (error === undefined || stoppedBy !== undefined) return;
    stoppedBy = error;
    options.onStop?.();
  };
  const finish = (order: PlannedOrder, outcome: OrderOutcome, mayBeSeveral = false) => {
    if (order.isSelected && order.leftOut === undefined) {
      const bodyHash = outcome.outcome === 'unknown' ? hashOrder(order.order) : undefined;
      ledger.transaction(() => ledger.runs.recordOrder(run, { ...outcome, bodyHash })).catch(stop);
    }
    return onOutcome(order, outcome, mayBeSeveral);
  };
  /** Of an order that was to be sent when the service rejected the API key, or what it may do. */
  const withReason = (outcome: OrderOutcome, reason = stoppedBy): OrderOutcome => {
    const isUnsent = outcome.outcome === 'not_sent' && outcome.code !== 'in_other_run';
    if (!isUnsent || reason?.exitCode !== exitCodes.keyRefused) return outcome;
    return { ...outcome, code: reason.reportedCode, message: reason.wholeSentence };
  };
  const forbidden = createForbiddenTracker();
  const retries: { order: PlannedOrder; first: OrderOutcome }[] = [];

  const send = async (order: PlannedOrder, first?: OrderOutcome) => {
    const { stop: error, isForbidden, outcome, mayBeSeveral } = await sendOrder(order, context);
    if (first !== undefined) outcome.attempts += first.attempts;
    const canRetry = first === undefined && error === undefined && retries.length < maxRetries;
    if (outcome.outcome === 'unknown' && outcome.attempts > 0 && canRetry) {
      retries.push({ order, first: outcome });
      return;
    }
    if (isForbidden && error !== undefined) {
      // The outcome waits for the next response, even when the run is stopping. An unknown outcome stays so.
      const ended = forbidden.on403(error, (name) => {
        if (outcome.outcome === 'unknown') return void finish(order, outcome);
        void finish(order, {
          ...outcome,
          outcome: name,
          ...(name === 'rejected' ? { fix: rejectedBy403 } : {}),
        });
      });
      return stop(ended);
    }
    if (outcome.attempts > 0 && outcome.outcome !== 'not_sent') forbidden.onOther();
    await finish(order, withReason(outcome, stoppedBy ?? error), mayBeSeveral);
    stop(error ?? tooMany(outcome));
  };

  const isStopping = () => stopping.aborted || leaving.aborted || stoppedBy !== undefined;
  const onReadError = (error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    stop(error);
  };
  await forEachConcurrent(readDue(orders, options), concurrency, (order) => {
    const outcome = withoutSending(order);
    if (outcome !== undefined) return finish(order, outcome);
    return isStopping() ? finish(order, withReason(stoppedOutcome(order, context))) : send(order);
  }).catch(onReadError);
  // Lookups are safer now: no create moves an order to a page that was already read.
  await forEachConcurrent(retries.values(), concurrency, ({ order, first }) =>
    isStopping() ? finish(order, first) : send(order, first),
  );
  stop(forbidden.end());
  // Transactions keep their order: after this one, all others are written.
  await ledger.transaction(() => undefined).catch(stop);
  return stoppedBy;
}

const rejectedBy403 = t`The service accepts other orders of this key, so fix what the message names.`;

function* readDue(
  orders: Iterable<PlannedOrder>,
  { leaving, isDue }: SendOptions,
): Generator<PlannedOrder, undefined> {
  let afterLeaving = 0;
  for (const order of orders) {
    if (leaving.aborted) afterLeaving += 1;
    if (afterLeaving > maxOrdersAfterLeaving) return undefined;
    if (isDue === undefined || isDue(order)) yield order;
  }
  return undefined;
}

/** A 403 concerns one order when the next response is another one, else the API key. */
function createForbiddenTracker() {
  type End = (outcome: 'rejected' | 'not_sent') => void;
  let setAside: { error: CliError; end: End } | undefined;
  let hadOther = false;
  let hasStopped = false;
  const release = (outcome: 'rejected' | 'not_sent') => {
    setAside?.end(outcome);
    setAside = undefined;
  };
  return {
    /** Sets the order aside; returns the error that ends the run at a second 403 in a row. */
    on403: (error: CliError, end: End): CliError | undefined => {
      if (setAside === undefined && !hasStopped) {
        setAside = { error, end };
        return undefined;
      }
      hasStopped = true;
      release('not_sent');
      end('not_sent');
      return error;
    },
    onOther: () => {
      hadOther = true;
      release('rejected');
    },
    /** At the end of the run: the error, when a 403 was the only response. */
    end: (): CliError | undefined => {
      const error = hadOther ? undefined : setAside?.error;
      release(hadOther ? 'rejected' : 'not_sent');
      return error;
    },
  };
}

const definite: ReadonlySet<OutcomeName> = new Set(['created', 'already_exists', 'rejected', 'conflict']);
const failed: ReadonlySet<OutcomeName> = new Set(['rejected', 'conflict']);

const firstResponses = 5;

/** Default: the larger of 20 and 10 % of the orders may fail, but not the first five with one rejection. */
export function createErrorLimit(limit: ErrorLimit | undefined, orders: number) {
  const max = maxFailures(limit, orders);
  const first: OrderOutcome[] = [];
  const reasons = new Map<string, number>();
  let finished = 0;
  let responses = 0;
  let failures = 0;
  let hasStopped = false;
  return {
    /** Returns the error `too_many_errors` once, for the outcome that ends the run. */
    count: (outcome: OrderOutcome): CliError | undefined => {
      finished += 1;
      // Without an attempt there was no response.
      if (outcome.attempts === 0 || !definite.has(outcome.outcome)) return undefined;
      responses += 1;
      if (first.length < firstResponses) first.push(outcome);
      if (!failed.has(outcome.outcome)) return undefined;
      failures += 1;
      const reason = outcome.code ?? outcome.outcome;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      const isTooMany =
        failures > max || (limit === undefined && responses === firstResponses && areSameRejection(first));
      if (!isTooMany || hasStopped || finished >= orders) return undefined;
      hasStopped = true;
      return tooManyErrors(failures, responses, reasons);
    },
  };
}

function maxFailures(limit: ErrorLimit | undefined, orders: number): number {
  if (limit === undefined) return Math.max(20, orders / 10);
  return limit.unit === 'percent' ? (orders * limit.max) / 100 : limit.max;
}

function areSameRejection(outcomes: readonly OrderOutcome[]): boolean {
  return outcomes.every(({ outcome, code }) => outcome === 'rejected' && code === outcomes[0]?.code);
}

function tooManyErrors(failures: number, responses: number, reasons: ReadonlyMap<string, number>): CliError {
  const [[reason, times] = ['', 0]] = [...reasons].sort(([, left], [, right]) => right - left);
  return new CliError('too_many_errors', stoppedSentence(failures, responses, reason, times), {
    hint: t`Fix the cause and run the same command again: no order is created twice.\nTo continue regardless of errors, run it with --max-errors 100%.${again()}`,
  });
}

function stoppedSentence(failures: number, responses: number, reason: string, times: number): Sentence {
  if (failures < responses) {
    return times === failures
      ? t`Stopped: ${failures} of the first ${responses} orders failed with ${reason}.`
      : t`Stopped: ${failures} of the first ${responses} orders failed, most often with ${reason} (${times}).`;
  }
  if (failures === 1) return t`Stopped: the first order failed with ${reason}.`;
  return times === failures
    ? t`Stopped: the first ${failures} orders all failed with ${reason}.`
    : t`Stopped: the first ${failures} orders all failed, most often with ${reason} (${times}).`;
}
