import type { ApiClient } from '../api/client.ts';
import { type Creation, createOrder } from '../api/create-order.ts';
import { idempotencyKey } from '../api/idempotency-key.ts';
import { nextStep } from '../api/next-step.ts';
import { CliError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { jsonText, member } from '../orders/json.ts';
import { textField } from '../orders/order.ts';
import { writeOrderBody } from '../orders/order-body.ts';
import type { OrderOutcome } from './order-outcome.ts';
import type { PlannedOrder } from './plan.ts';
import { isOpen, notSent, placeOf, recallOutcome } from './recall-outcome.ts';
import { createIntent, recordCreation } from './record-creation.ts';

export interface Sender {
  client: ApiClient;
  ledger: Ledger;
  run: string;
}

export interface Sent {
  outcome: OrderOutcome;
  /** Why no other order should be begun; after a 403, why none should if the next answer is one too. */
  stop?: CliError | undefined;
  isForbidden?: boolean;
}

/** Sends one order: the intent is in the ledger before the request leaves, and what came of it after. */
export async function sendOrder(planned: PlannedOrder, { client, ledger, run }: Sender): Promise<Sent> {
  const { externalOrderId, order } = planned;
  const body = writeOrderBody(order);
  const key = idempotencyKey(externalOrderId, body, 0);
  const prepared = ledgerStep(() => {
    const known = recallOutcome(planned, ledger);
    if (known !== undefined) return { known };
    const before = ledger.recall(externalOrderId);
    const hasOpenAttempt = before !== undefined && isOpen(before);
    const intent = createIntent(externalOrderId, body, key, hasOpenAttempt ? before.run : run);
    ledger.record(intent);
    return { before, hasOpenAttempt, intent };
  });
  if (prepared instanceof CliError) return { outcome: notSent(planned), stop: prepared };
  if ('known' in prepared) return { outcome: prepared.known };
  const { before, hasOpenAttempt, intent } = prepared;
  const creation = await createOrder(client, { order, body, key, hasOpenAttempt });
  const outcome: OrderOutcome = {
    ...{ ...placeOf(planned), ...toOutcome(creation, intent.run), idempotencyKey: key },
    // What was not processed now says nothing of the attempt before it.
    ...(hasOpenAttempt && wasNotProcessed(creation) ? { outcome: 'unknown' } : {}),
  };
  const recorded = ledgerStep(() => recordCreation(ledger, intent, creation, before));
  const stop = recorded instanceof CliError ? recorded : stopOf(creation);
  return { outcome, stop, isForbidden: 'ending' in creation && creation.ending.outcome === 'forbidden' };
}

function wasNotProcessed(creation: Creation): boolean {
  return 'ending' in creation && (creation.outcome === 'not_sent' || creation.ending.outcome === 'forbidden');
}

/** A ledger that cannot be written ends the sending; it is no reason to lose what is known. */
export function ledgerStep<Result>(step: () => Result): Result | CliError {
  try {
    return step();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

function stopOf(creation: Creation): CliError | undefined {
  if (!('ending' in creation)) return undefined;
  const { outcome, stop } = creation.ending;
  const concernsAll =
    creation.outcome === 'not_sent' || outcome === 'forbidden' || nextStep(outcome) === 'stop';
  return concernsAll || stop !== undefined ? creation.error : undefined;
}

function toOutcome(
  creation: Creation,
  run: string,
): Pick<OrderOutcome, 'outcome' | 'attempts'> & Partial<OrderOutcome> {
  const { outcome, attempts } = creation;
  if (!('order' in creation)) return { outcome, attempts, ...toldBy(creation.error) };
  const { id, order } = creation.order;
  const orderNumber = textField(order, 'orderNumber');
  const delivery = member(order, 'delivery');
  return {
    outcome,
    attempts,
    orderId: id,
    ...(orderNumber === undefined ? {} : { orderNumber }),
    ...(delivery === undefined || delivery === null ? {} : { delivery: jsonText(delivery) }),
    ...('error' in creation ? toldBy(creation.error) : {}),
    ...(outcome === 'created' ? { createdByRun: run } : {}),
  };
}

function toldBy({ reportedCode, wholeMessage, details: { hint } }: CliError): Partial<OrderOutcome> {
  return { code: reportedCode, message: wholeMessage, ...(hint === undefined ? {} : { fix: hint }) };
}
