import { CliError } from '../errors.ts';
import { createForbiddenRule } from './forbidden-rule.ts';
import type { OrderOutcome } from './order-outcome.ts';
import type { PlannedOrder } from './plan.ts';
import { notBegun, notSent } from './recall-outcome.ts';
import { ledgerStep, type Sender, sendOrder } from './send-order.ts';

export interface SendOptions extends Sender {
  /** The most requests at a time. */
  concurrency: number;
  /** Aborted: begin no other order. */
  stopping: AbortSignal;
  onOutcome(outcome: OrderOutcome): void;
  /** Told when no other order is to be begun; those that wait to leave are not to wait any longer. */
  onStop?(): void;
}

/**
 * Sends orders, several at a time. Every order gets one outcome; when something would fail for all of them,
 * no other is begun, the rest is `not_sent`, and the error says why.
 */
export async function sendOrders(
  orders: readonly PlannedOrder[],
  options: SendOptions,
): Promise<{ outcomes: OrderOutcome[]; stoppedBy: CliError | undefined }> {
  const { concurrency, stopping, onOutcome } = options;
  const outcomes: OrderOutcome[] = [];
  let stoppedBy: CliError | undefined;
  const stop = (error: CliError | undefined) => {
    if (error === undefined || stoppedBy !== undefined) return;
    stoppedBy = error;
    options.onStop?.();
  };
  const settle = (outcome: OrderOutcome) => {
    outcomes.push(outcome);
    onOutcome(outcome);
  };
  const forbidden = createForbiddenRule(settle);

  const work = async (queue: Iterable<PlannedOrder>) => {
    for (const planned of queue) {
      if (stopping.aborted || stoppedBy !== undefined) {
        const unsent = ledgerStep(() => notBegun(planned, options.ledger));
        settle(unsent instanceof CliError ? notSent(planned) : unsent);
        continue;
      }
      const { outcome, stop: error, isForbidden } = await sendOrder(planned, options);
      if (isForbidden && error !== undefined) {
        // Called whatever stopped the run: it settles the outcome.
        stop(forbidden.sawForbidden(outcome, error));
        continue;
      }
      if (outcome.attempts > 0 && outcome.outcome !== 'not_sent') forbidden.sawOther();
      settle(outcome);
      stop(error);
    }
  };
  // One queue for all: an iterator hands each order out once.
  const queue = orders.values();
  await Promise.all(Array.from({ length: Math.min(concurrency, orders.length) }, () => work(queue)));
  stop(forbidden.end());
  return { outcomes, stoppedBy };
}
