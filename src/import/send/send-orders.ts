import { CliError } from '../../errors.ts';
import type { ReadOrder } from '../orders/plan-import.ts';
import type { OrderOutcome } from '../results/order-outcome.ts';
import { type OrderToSend, toSend } from './order-to-send.ts';
import { unsent } from './recall-outcome.ts';
import { type Sender, sendOrder } from './send-order.ts';
import { workThrough } from './work-through.ts';

/** An order that was sent, and of which nobody knew at the time what came of it. */
interface Aside {
  placed: PlacedOrder;
  order: OrderToSend;
  outcome: OrderOutcome;
}

/** Orders that are still told to be not sent by who is to leave at once: what is read in about a second. */
const mostAfterLeaving = 100_000;

/** Those that wait for the end of the run, in memory. */
const mostAside = 1000;

/** An order of the file at its place among them, from 0. */
export interface PlacedOrder extends ReadOrder {
  place: number;
}

export interface SendOptions extends Sender {
  /** The most orders under way at a time. */
  concurrency: number;
  /** Aborted: begin no other order. */
  stopping: AbortSignal;
  /** Aborted: leave the rest of the file unread as well. */
  leaving: AbortSignal;
  /** The outcome of an order that is not to be sent; undefined for one that is. */
  withoutSending(order: ReadOrder): OrderOutcome | undefined;
  /** The error that ends the run, when an outcome was one too many of its kind. */
  tooMany(outcome: OrderOutcome): CliError | undefined;
  /** Told for every order, in any order; the next one of its place is begun when it is done. */
  onOutcome(order: PlacedOrder, outcome: OrderOutcome): void | Promise<void>;
  /** Told when no other order is to be begun; those that wait to leave are not to wait any longer. */
  onStop?(): void;
}

/**
 * Sends the orders of a file while it is read, several at a time and no more of them in memory; those that stayed
 * unknown are settled at the end, when nothing else is sent. Every order that was read gets one outcome; when
 * something would fail for all of them, no other is begun, the rest is `not_sent`, and the error says why.
 */
export async function sendOrders(
  batches: AsyncIterable<Iterable<ReadOrder>>,
  options: SendOptions,
): Promise<CliError | undefined> {
  const { concurrency, stopping, leaving, ledger, run, onOutcome, withoutSending, tooMany } = options;
  let stoppedBy: CliError | undefined;
  const stop = (error: CliError | undefined) => {
    if (error === undefined || stoppedBy !== undefined) return;
    stoppedBy = error;
    options.onStop?.();
  };
  const settle = async (placed: PlacedOrder, outcome: OrderOutcome) => {
    if (placed.isSelected) ledger.transaction(() => ledger.runs.note(run, outcome)).catch(stop);
    await onOutcome(placed, outcome);
  };
  const forbidden = createForbiddenRule();
  const aside: Aside[] = [];

  const sendOne = async (placed: PlacedOrder, order: OrderToSend, before?: OrderOutcome) => {
    const { stop: error, isForbidden, ...sent } = await sendOrder(order, options);
    const attempts = sent.outcome.attempts + (before?.attempts ?? 0);
    const outcome = { ...sent.outcome, attempts };
    const mayBeSettled = before === undefined && error === undefined && aside.length < mostAside;
    if (outcome.outcome === 'unknown' && attempts > 0 && mayBeSettled) {
      aside.push({ placed, order, outcome });
      return;
    }
    if (isForbidden && error !== undefined) {
      // Asked whatever stopped the run: it settles the outcome. What an earlier run may have sent stays unknown.
      const ended = forbidden.sawForbidden(error, (name) => {
        void settle(placed, outcome.outcome === 'unknown' ? outcome : { ...outcome, outcome: name });
      });
      return stop(ended);
    }
    const isAnswer = outcome.attempts > 0 && outcome.outcome !== 'not_sent';
    if (isAnswer) forbidden.sawOther();
    await settle(placed, outcome);
    stop(error ?? tooMany(outcome));
  };

  const isEnding = () => stopping.aborted || leaving.aborted || stoppedBy !== undefined;
  // The file changed: what was sent of it is known.
  const onError = (error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    stop(error);
  };
  await workThrough(placeOrders(batches, leaving), concurrency, async (placed) => {
    const known = withoutSending(placed);
    const order = toSend(placed.planned);
    if (known !== undefined) await settle(placed, known);
    else if (isEnding()) await settle(placed, unsent(order, options));
    else await sendOne(placed, order);
  }).catch(onError);
  // Nothing else is sent now that could hide an order from those who look for it.
  await workThrough(aside.values(), concurrency, async ({ placed, order, outcome }) => {
    if (isEnding()) await settle(placed, outcome);
    else await sendOne(placed, order, outcome);
  });
  stop(forbidden.end());
  // Whatever came before is written when this is.
  await ledger.transaction(() => undefined).catch(stop);
  return stoppedBy;
}

async function* placeOrders(
  batches: AsyncIterable<Iterable<ReadOrder>>,
  leaving: AbortSignal,
): AsyncGenerator<PlacedOrder, undefined> {
  let [place, left] = [0, 0];
  for await (const batch of batches) {
    for (const order of batch) {
      if (leaving.aborted) left += 1;
      if (left > mostAfterLeaving) return undefined;
      yield { ...order, place };
      place += 1;
    }
  }
  return undefined;
}

/** How an order ends that was answered with 403: its outcome is told once it is known what that meant. */
export type SettleForbidden = (outcome: 'rejected' | 'not_sent') => void;

/** What a 403 means for a run: about one order when the next answer is another, about the key when it is not. */
export interface ForbiddenRule {
  /** The error that ends the run, when this is the second 403 in a row. */
  sawForbidden(error: CliError, settle: SettleForbidden): CliError | undefined;
  sawOther(): void;
  /** At the end: the error, when a 403 was the only answer of the run. */
  end(): CliError | undefined;
}

export function createForbiddenRule(): ForbiddenRule {
  let aside: { error: CliError; settle: SettleForbidden } | undefined;
  let hasSeenOther = false;
  let hasStopped = false;
  const release = (outcome: 'rejected' | 'not_sent') => {
    aside?.settle(outcome);
    aside = undefined;
  };
  return {
    sawForbidden: (error, settle) => {
      if (hasStopped) {
        settle('not_sent');
        return error;
      }
      if (aside === undefined) {
        aside = { error, settle };
        return undefined;
      }
      hasStopped = true;
      release('not_sent');
      settle('not_sent');
      return error;
    },
    sawOther: () => {
      hasSeenOther = true;
      release('rejected');
    },
    end: () => {
      const error = hasSeenOther ? undefined : aside?.error;
      release(hasSeenOther ? 'rejected' : 'not_sent');
      return error;
    },
  };
}
