import { CliError } from '../../errors.ts';
import { textField } from '../../orders/order.ts';
import type { ApiClient } from '../client.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { toStopError } from '../pacing/stop.ts';
import { cancelRequest } from '../requests.ts';
import {
  isCancelled,
  isErrorBody,
  isOrderLike,
  isSameId,
  readOrder,
  type ServiceOrder,
} from '../responses/order.ts';
import { recognizeNotFound, toCliError } from '../to-cli-error.ts';
import { getOrder } from './find.ts';

/** `order` is as it is now, or has only its ids and number if that is not known (`isCurrent` false). After a rejection it is as it was read before. */
export type CancelResult =
  | { outcome: 'cancelled' | 'already_cancelled'; order: ServiceOrder; isCurrent: boolean }
  | { outcome: 'refused' | 'not_found' | 'unknown'; order: ServiceOrder; error: CliError };

/** Interface section 4.4; if the outcome is unknown, reads the order again. Errors: `key_refused`, `permission_missing`, `wrong_base_url`, `unreachable`, `throttled`. */
export async function cancelOrder(
  client: ApiClient,
  order: ServiceOrder,
  reason: string,
): Promise<CancelResult> {
  const request = cancelRequest(order.id, reason);
  const result = await client.call('cancel', request, {
    accepts: (response) => confirms(response, order.id),
    resendsUnknown: false,
  });
  const { attemptResult, sawUnknown } = result;
  const outcome = recognizeNotFound('cancel', result.outcome, attemptResult);
  if (outcome === 'succeeded') {
    const cancelled = attemptResult.kind === 'response' ? readOrder(attemptResult.body) : undefined;
    if (cancelled !== undefined) return { outcome: 'cancelled', order: cancelled, isCurrent: true };
    return { outcome: 'cancelled', ...(await readAgain(client, order)) };
  }
  const error = result.stop === undefined ? toCliError('cancel', result) : toStopError(result.stop);
  // A rejection may be the consequence of an earlier attempt that was processed.
  if (outcome === 'unknown' || sawUnknown) return settle(client, order, error);
  if (outcome === 'rejected') return { outcome: 'refused', order, error };
  if (outcome === 'not_found') return { outcome, order: identifiersOf(order), error };
  throw error;
}

/** A success response with this order or without any content; never an error, a page or another order. */
function confirms({ body, text }: ServiceResponse, id: string): boolean {
  const found = readOrder(body);
  if (found !== undefined) return isSameId(found.id, id);
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
    if (error instanceof CliError) return { order: identifiersOf(before), isCurrent: false };
    throw error;
  }
}

/** The fields that never change (interface section 2.1). */
function identifiersOf({ id, order }: ServiceOrder): ServiceOrder {
  const names = ['id', 'orderNumber', 'externalOrderId'];
  return { id, order: Object.fromEntries(Object.entries(order).filter(([name]) => names.includes(name))) };
}

function unknownCancellation({ id, order }: ServiceOrder, { details }: CliError): CliError {
  const name = textField(order, 'orderNumber') ?? id;
  // A number from the service goes into a command line only when it is safe in a shell.
  const word = /^\w[\w.-]*$/.test(name) ? name : id;
  const status = textField(order, 'status');
  const current = status === undefined ? 'Its current status is not known.' : `Its status is now ${status}.`;
  return new CliError(
    'outcome_unknown',
    `It is not known whether order ${name} was cancelled: the service did not confirm it. ${current}`,
    {
      ...details,
      hint: `If it is not cancelled, run the same command again. Check it with: merchant-orders get ${word}`,
      outcome: 'unknown',
    },
  );
}
