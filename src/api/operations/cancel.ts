import { CliError } from '../../errors.ts';
import { textField } from '../../orders/order.ts';
import type { ApiClient } from '../client.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { toStopError } from '../pacing/stop.ts';
import { cancelRequest } from '../requests.ts';
import { isErrorBody, isOrderLike } from '../responses/body-kind.ts';
import { isCancelled, isSameId, readOrder, type ServiceOrder } from '../responses/order.ts';
import { recognizeNotFound, toCliError } from '../to-cli-error.ts';
import { getOrder } from './find.ts';

/**
 * How a cancellation ended. `order` is the order as it is now; where that is not known (`isCurrent` false) it has
 * only what names it. After a refusal it is the order as it was read before.
 */
export type CancelResult =
  | { outcome: 'cancelled' | 'already_cancelled'; order: ServiceOrder; isCurrent: boolean }
  | { outcome: 'refused' | 'not_found' | 'unknown'; order: ServiceOrder; error: CliError };

/**
 * Cancels an order that was read before (interface section 4.4). An attempt without an answer is never assumed
 * to have failed: the order is read again, and what it says then is reported.
 * Errors that end a run are thrown: `key_refused`, `permission_missing`, `wrong_base_url`, `unreachable`, `throttled`.
 */
export async function cancelOrder(
  client: ApiClient,
  order: ServiceOrder,
  reason: string,
): Promise<CancelResult> {
  const request = cancelRequest(order.id, reason);
  const ending = await client.call('cancel', request, {
    accepts: (answer) => isBelieved(answer, order.id),
    resendsUnknown: false,
  });
  const { attemptResult, sawUnknown } = ending;
  const outcome = recognizeNotFound('cancel', ending.outcome, attemptResult);
  if (outcome === 'succeeded') {
    const answered = attemptResult.kind === 'response' ? readOrder(attemptResult.body) : undefined;
    if (answered !== undefined) return { outcome: 'cancelled', order: answered, isCurrent: true };
    return { outcome: 'cancelled', ...(await readAgain(client, order)) };
  }
  const error = ending.stop === undefined ? toCliError('cancel', ending) : toStopError(ending.stop);
  // A refusal after an attempt of ours that may have been processed may mean that it was.
  if (outcome === 'unknown' || sawUnknown) return settle(client, order, error);
  if (outcome === 'rejected') return { outcome: 'refused', order, error };
  if (outcome === 'not_found') return { outcome, order: namesOf(order), error };
  throw error;
}

/** A success answer that holds our order, or none at all; never an error, a page, or another order. */
function isBelieved({ body, text }: ServiceResponse, id: string): boolean {
  const answered = readOrder(body);
  if (answered !== undefined) return isSameId(answered.id, id);
  if (body === undefined) return text.trim() === '';
  return !isErrorBody(body) && !isOrderLike(body);
}

async function settle(client: ApiClient, before: ServiceOrder, error: CliError): Promise<CancelResult> {
  const { order, isCurrent } = await readAgain(client, before);
  if (isCancelled(order)) return { outcome: 'already_cancelled', order, isCurrent };
  return { outcome: 'unknown', order, error: unknownCancellation(order, error) };
}

async function readAgain(
  client: ApiClient,
  before: ServiceOrder,
): Promise<{ order: ServiceOrder; isCurrent: boolean }> {
  try {
    return { order: await getOrder(client, before.id), isCurrent: true };
  } catch (error) {
    if (error instanceof CliError) return { order: namesOf(before), isCurrent: false };
    throw error;
  }
}

/** What the service never changes of an order (interface section 2.1). */
function namesOf({ id, order }: ServiceOrder): ServiceOrder {
  const names = ['id', 'orderNumber', 'externalOrderId'];
  return { id, order: Object.fromEntries(Object.entries(order).filter(([name]) => names.includes(name))) };
}

function unknownCancellation({ id, order }: ServiceOrder, { details }: CliError): CliError {
  const name = textField(order, 'orderNumber') ?? id;
  // What the service calls it goes into a command only when no shell can read more into it.
  const word = /^\w[\w.-]*$/.test(name) ? name : id;
  const status = textField(order, 'status');
  const seen = status === undefined ? 'how it stands now is not known' : `its status is ${status} now`;
  return new CliError(
    'outcome_unknown',
    `Nobody can say whether order ${name} was cancelled: no answer came that can be trusted; ${seen}.`,
    {
      ...details,
      hint: `Look at it with: merchant-orders get ${word}; if it is not cancelled, run the same command again.`,
      outcome: 'unknown',
    },
  );
}
