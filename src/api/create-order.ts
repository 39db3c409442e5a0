import { CliError, type ErrorDetails } from '../errors.ts';
import { compareOrders } from '../orders/compare.ts';
import { type Order, textField } from '../orders/order.ts';
import type { Ending } from './attempts.ts';
import type { ApiClient } from './client.ts';
import { lookUp } from './look-up.ts';
import type { Answer } from './observation.ts';
import { readOrder, type ServiceOrder } from './read-order.ts';
import { toCliError } from './refusal.ts';
import { isReplayed } from './replay.ts';
import { createRequest } from './requests.ts';
import { toStopError } from './stop.ts';

/** One order as it is to be sent: `body` is the exact text of `order`, `key` the `Idempotency-Key`. */
export interface NewOrder {
  order: Order;
  body: string;
  key: string;
  /** An earlier run sent this key and never learnt what came of it. */
  hasOpenAttempt: boolean;
}

/**
 * What became of a create (interface section 4.1).
 * - `created`, `already_exists`: the order is there with the content that was sent
 * - `conflict`: an order with this own id is there with other content, or may be: `differing` names the fields
 * - `rejected`: definitely refused; `not_sent`: definitely not processed
 * - `unknown`: it may exist
 */
export type Creation =
  | { outcome: 'created' | 'already_exists'; order: ServiceOrder; attempts: number }
  | { outcome: 'conflict'; order: ServiceOrder; differing: string[]; attempts: number; error: CliError }
  | { outcome: 'rejected' | 'not_sent' | 'unknown'; attempts: number; ending: Ending; error: CliError };

/** Creates one order, sending the same bytes under the same key until it is known what came of it. Never throws for an outcome. */
export async function createOrder(client: ApiClient, create: NewOrder): Promise<Creation> {
  const externalOrderId = textField(create.order, 'externalOrderId');
  let found: LookedUp | undefined;
  let sentAgain = false;
  const ending = await client.call('create', createRequest(create.body, create.key), {
    accepts: (answer) => readOwnOrder(answer, externalOrderId) !== undefined,
    // Without an own id a repeat is recognised by its key alone, so a person decides.
    resendsUnknown: externalOrderId !== undefined,
    resendsAfterLookUp: async (before) => {
      if (externalOrderId === undefined) return false;
      found ??= await lookUpOne(client, externalOrderId);
      sentAgain = typeof found === 'string' && isOpen(create, before, false);
      return sentAgain;
    },
  });
  const mayBeOurs = ending.sawUnknown || create.hasOpenAttempt;
  const answered = ending.outcome === 'answered' ? ownOrderOf(ending, externalOrderId) : undefined;
  if (answered !== undefined) {
    const isOld = isReplayed(ending.observation as Answer) && !mayBeOurs;
    return compared(create, answered, isOld ? 'already_exists' : 'created', ending.attempts);
  }
  const isOldRefusal = ending.outcome === 'refused' && create.hasOpenAttempt;
  const needsLookUp = ending.outcome === 'disputed' || ending.sawUnknown || isOldRefusal || sentAgain;
  if (!needsLookUp || externalOrderId === undefined) return unanswered(create, ending, false);
  if (found === undefined || sentAgain) found = await lookUpOne(client, externalOrderId);
  // What was said to be there, and was not found, stays open too.
  if (typeof found === 'string') return unanswered(create, ending, found === 'unsettled' || sentAgain);
  return compared(create, found, mayBeOurs ? 'created' : 'already_exists', ending.attempts);
}

function compared(
  { order, key }: NewOrder,
  found: ServiceOrder,
  outcome: 'created' | 'already_exists',
  attempts: number,
): Creation {
  const { differing } = compareOrders(order, found.order);
  if (differing.length === 0) return { outcome, order: found, attempts };
  const name = textField(found.order, 'orderNumber') ?? found.id;
  const ownId = textField(order, 'externalOrderId') ?? '';
  const error = new CliError(
    'order_conflict',
    `An order ${ownId} is there already with other content (${name}; other: ${differing.join(', ')}).`,
    {
      hint: `Compare with: merchant-orders get ${name}; to replace it, cancel it and create the new one under a new id.`,
      outcome: 'rejected',
      idempotencyKey: key,
    },
  );
  return { outcome: 'conflict', order: found, differing, attempts, error };
}

function unanswered(create: NewOrder, ending: Ending, isUnsettled: boolean): Creation {
  const { order, key } = create;
  const { outcome, attempts } = ending;
  const details = { idempotencyKey: key };
  if (isOpen(create, ending, isUnsettled)) {
    return { outcome: 'unknown', attempts, ending, error: unknownOutcome(order, details, ending) };
  }
  const error =
    ending.stop === undefined
      ? toCliError('create', ending, details)
      : toStopError(ending.stop, { ...details, outcome: 'not_sent' });
  const isRefusal = outcome === 'refused' || outcome === 'disputed' || outcome === 'forbidden';
  return { outcome: isRefusal ? 'rejected' : 'not_sent', attempts, ending, error };
}

/** Once unknown, an order stays unknown until a definite answer; so does one whose id is said to exist but was not found. */
function isOpen(create: NewOrder, ending: Ending, isUnsettled: boolean): boolean {
  const { outcome, observation, sawUnknown } = ending;
  if (outcome === 'refused') return false;
  if (sawUnknown || isUnsettled) return true;
  if (outcome !== 'disputed') return false;
  const isSaidToExist = observation.kind === 'answer' && observation.status === 409;
  return isSaidToExist || create.hasOpenAttempt;
}

function unknownOutcome(order: Order, details: ErrorDetails, ending: Ending): CliError {
  const ownId = textField(order, 'externalOrderId');
  const told = toCliError('create', ending).details;
  const hint =
    ownId === undefined
      ? `Run the same command with --idempotency-key ${details.idempotencyKey}; do not create the order anew.`
      : 'Run the same command again: it settles this order and never creates it twice.';
  const sentence = `Order ${ownId ?? 'without an own id'} was sent, and no answer came that can be trusted: it may exist.`;
  return new CliError('outcome_unknown', sentence, { ...told, ...details, hint, outcome: 'unknown' });
}

type LookedUp = ServiceOrder | 'absent' | 'not_allowed' | 'unsettled';

/** A look-up that fails proves nothing; of a key that may only write no look-up can be had, so its refusals stand. */
async function lookUpOne(client: ApiClient, externalOrderId: string): Promise<LookedUp> {
  try {
    const [found] = await lookUp(client, 'externalOrderId', externalOrderId);
    return found ?? 'absent';
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return error.code === 'key_refused' || error.code === 'permission_missing' ? 'not_allowed' : 'unsettled';
  }
}

function ownOrderOf({ observation }: Ending, externalOrderId: string | undefined): ServiceOrder | undefined {
  return observation.kind === 'answer' ? readOwnOrder(observation, externalOrderId) : undefined;
}

/** The order in a create's answer, unless it is another order than the one that was sent. */
function readOwnOrder(answer: Answer, externalOrderId: string | undefined): ServiceOrder | undefined {
  const found = readOrder(answer.body);
  const theirs = textField(found?.order, 'externalOrderId');
  return theirs === undefined || theirs === externalOrderId ? found : undefined;
}
