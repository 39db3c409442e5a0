import { command, joinTexts, type Text, t } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import { isJsonObject, type Json, jsonText, member } from '../../orders/json.ts';
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
 * If `isCurrent` is false, only IDs and number are known. `cancel_pending`: accepted, and nothing has changed. After a
 * rejection, `order` is as it was read before. `stop`: why no other order may be cancelled.
 */
export type CancelResult =
  | { outcome: 'cancelled' | 'already_cancelled'; order: ServiceOrder; isCurrent: boolean }
  | { outcome: 'cancel_pending'; order: ServiceOrder; error: CliError }
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
    const { body } = attemptResult;
    const shown = readOrder(body);
    if (shown !== undefined && (isCancelled(shown) || statusOf(shown) !== statusOf(order)))
      return { outcome: 'cancelled', order: shown, isCurrent: true };
    const now = await readAgain(client, order);
    if (!now.isCurrent && body === undefined) return { outcome: 'cancelled', ...now };
    const isSuccess = (word: string) => word === statusOf(now.order) || isSuccessWord(word);
    // A courier changes the status too, so a changed one does not count beside words of failure.
    const isAccepted = body === undefined || shown !== undefined || !saysFailure(body, isSuccess);
    const isDone = isCancelled(now.order) || (isAccepted && hasChanged(order, now.order));
    if (isDone) return { outcome: 'cancelled', ...now };
    if (!isAccepted || (!now.isCurrent && shown === undefined)) return unknownCancellation(now.order, result);
    const words = body === undefined || shown !== undefined ? undefined : lastWords(result);
    return pendingCancellation(now.isCurrent ? now.order : (shown ?? order), words);
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

function statusOf({ order }: ServiceOrder): string | undefined {
  return textField(order, 'status');
}

const changedByCancelling = /status|state|reason|cancel/i;

/** Whether a status, a reason, or any field of cancelling has another value than before. */
function hasChanged(before: ServiceOrder, now: ServiceOrder): boolean {
  const isChanged = (name: string, old: Json | undefined, current: Json, counts: boolean): boolean => {
    const isOfCancelling = counts || changedByCancelling.test(name);
    if (isJsonObject(current)) {
      return Object.entries(current).some(([inner, value]) =>
        isChanged(inner, member(old, inner), value, isOfCancelling),
      );
    }
    return isOfCancelling && jsonText(current) !== '' && jsonText(current) !== jsonText(old ?? '');
  };
  return isChanged('', before.order, now.order, false);
}

/** `words`: of a response that is not the order. */
function pendingCancellation(order: ServiceOrder, words: Text | undefined): CancelResult {
  const name = nameOf(order);
  const status = statusOf(order);
  const sentence =
    status === undefined
      ? t`The service accepted the cancellation of order ${name}, but has not cancelled it yet.`
      : t`The service accepted the cancellation of order ${name}, but has not cancelled it yet: its status is still ${status}.`;
  const hint = t`Check it later with: ${command('get', wordFor(order))}`;
  const whole = words === undefined ? sentence : joinTexts([sentence, words], ' ');
  const error = new CliError('cancel_pending', whole, { hint, outcome: 'unknown' });
  return { outcome: 'cancel_pending', order, error };
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
  const last = result.stop === undefined ? toCliError('cancel', result) : toStopError(result.stop);
  const isMisdirected = isElsewhere(result.outcome);
  const name = nameOf(now);
  const status = statusOf(now);
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
