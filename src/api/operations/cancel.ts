import { command, t } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import type { Json } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import type { ApiClient } from '../client.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import type { CallResult } from '../pacing/attempts.ts';
import { toStopError } from '../pacing/stop.ts';
import { cancelRequest } from '../requests.ts';
import { isErrorBody, isOrderLike, isSuccessWord } from '../responses/error-body.ts';
import { saysFailure } from '../responses/failure-signs.ts';
import {
  isCancelled,
  isSameId,
  mayHaveExternalId,
  nameOf,
  readOrder,
  type ServiceOrder,
  wordFor,
} from '../responses/order.ts';
import { isElsewhere } from '../responses/outcome.ts';
import { lastWords, recognizeNotFound, toCliError } from '../to-cli-error.ts';
import { getOrder } from './find.ts';

/**
 * If `isCurrent` is false, only IDs and number are known. After a rejection, `order` is as it was read before. `stop`: why
 * no other order may be cancelled.
 */
export type CancelResult =
  | { outcome: 'cancelled' | 'already_cancelled'; order: ServiceOrder; isCurrent: boolean }
  | { outcome: 'refused' | 'not_found'; order: ServiceOrder; error: CliError }
  | { outcome: 'unknown'; order: ServiceOrder; error: CliError; stop?: CliError };

/**
 * Interface section 4.4. Reads the order again if the outcome is unknown. Errors: `key_refused`, `permission_missing`,
 * `wrong_base_url`, `unreachable`, `throttled`.
 */
export async function cancelOrder(
  client: ApiClient,
  order: ServiceOrder,
  reason: string,
): Promise<CancelResult> {
  const request = cancelRequest(order.id, reason);
  const result = await client.call('cancel', request, {
    accepts: (response) => confirms(response, order),
    resendsUnknown: false,
  });
  const { attemptResult, sawUnknown } = result;
  const outcome = recognizeNotFound('cancel', result.outcome, attemptResult);
  if (outcome === 'succeeded' && attemptResult.kind === 'response') {
    const cancelled = readOrder(attemptResult.body);
    if (cancelled !== undefined) return { outcome: 'cancelled', order: cancelled, isCurrent: true };
    const now = await readAgain(client, order);
    const isDone =
      attemptResult.body === undefined || showsCancellation(attemptResult.body, order, now.order);
    if (isDone) return { outcome: 'cancelled', ...now };
    return unknownCancellation(now.order, result);
  }
  const error = result.stop === undefined ? toCliError('cancel', result) : toStopError(result.stop);
  // An earlier attempt may have been processed and caused the rejection.
  if (outcome === 'unknown' || sawUnknown) return settle(client, order, result);
  if (outcome === 'rejected') return { outcome: 'refused', order, error };
  if (outcome === 'not_found') return { outcome, order: identifiersOf(order), error };
  throw error;
}

/** A success response that is empty or has this order. */
function confirms({ body, text }: ServiceResponse, { id, order }: ServiceOrder): boolean {
  const found = readOrder(body);
  if (found !== undefined) {
    return isSameId(found.id, id) && mayHaveExternalId(found.order, textField(order, 'externalOrderId'));
  }
  if (body === undefined) return text.trim() === '';
  return !isErrorBody(body) && !isOrderLike(body);
}

/**
 * For JSON that is neither the order nor an error: the order must be cancelled, or have another status than before. A
 * courier changes the status too, so a changed one does not count beside words of failure.
 */
function showsCancellation(body: Json, before: ServiceOrder, now: ServiceOrder): boolean {
  if (isCancelled(now)) return true;
  const [old, current] = [before, now].map(({ order }) => textField(order, 'status'));
  const isSuccess = (word: string) => word === current || isSuccessWord(word);
  return old !== undefined && current !== undefined && old !== current && !saysFailure(body, isSuccess);
}

async function settle(client: ApiClient, before: ServiceOrder, result: CallResult): Promise<CancelResult> {
  const { order, isCurrent } = await readAgain(client, before);
  if (isCancelled(order)) return { outcome: 'already_cancelled', order, isCurrent };
  return unknownCancellation(order, result);
}

async function readAgain(
  client: ApiClient,
  before: ServiceOrder,
): Promise<{ order: ServiceOrder; isCurrent: boolean }> {
  try {
    const externalOrderId = textField(before.order, 'externalOrderId');
    return { order: await getOrder(client, before.id, externalOrderId), isCurrent: true };
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

function unknownCancellation(now: ServiceOrder, result: CallResult): CancelResult {
  const { order } = now;
  const last = result.stop === undefined ? toCliError('cancel', result) : toStopError(result.stop);
  const isMisdirected = isElsewhere(result.outcome);
  const name = nameOf(now);
  const status = textField(order, 'status');
  const words = isMisdirected ? last.sentence : lastWords(result);
  const sentence =
    status === undefined
      ? t`It is not known whether order ${name} was cancelled: the service did not confirm it. Its current status is not known. ${words}`
      : t`It is not known whether order ${name} was cancelled: the service did not confirm it. Its status is now ${status}. ${words}`;
  const next = t`If it is not cancelled, run the same command again. Check it with: ${command('get', wordFor(now))}`;
  const error = new CliError('outcome_unknown', sentence, {
    ...last.details,
    hint: isMisdirected ? t`Check the base URL. ${next}` : next,
    outcome: 'unknown',
  });
  return { outcome: 'unknown', order: now, error, ...(isMisdirected ? { stop: last } : {}) };
}
