import { CliError } from '../../errors.ts';
import { compareOrders } from '../../orders/compare.ts';
import { type Order, textField } from '../../orders/order.ts';
import type { ApiClient } from '../client.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import type { CallResult } from '../pacing/attempts.ts';
import { toStopError } from '../pacing/stop.ts';
import type { LookupResult, OrderFinder } from '../pages/order-finder.ts';
import { createRequest } from '../requests.ts';
import { isCancelled, isReplayed, readOrder, type ServiceOrder } from '../responses/order.ts';
import { toCliError } from '../to-cli-error.ts';
import { getOrder } from './find.ts';

/** One order as it is to be sent: `body` is the exact text of `order`, `key` the `Idempotency-Key`. */
export interface NewOrder {
  externalOrderId: string;
  order: Order;
  body: string;
  key: string;
  /** An earlier run sent this key and never learnt what came of it. */
  hasOpenAttempt: boolean;
  /** It was refused after that, by a definite answer, but what was sent before that may still take effect. */
  mayComeLate: boolean;
  /** A refusal may be an old one, of an order that was created since: it is looked up before it is believed. */
  looksUpRefusals: boolean;
  /** Whatever was sent before has had its time to take effect: what is not found now is not there. */
  isOverdue: boolean;
  /** The `id`s of cancelled orders with the same own id, which this one is to replace. */
  replaced: ReadonlySet<string>;
}

/**
 * What became of a create (interface section 4.1).
 * - `created`, `already_exists`: the order is there with the content that was sent; `notCompared` names the fields
 *   that an order which was there before does not show
 * - `conflict`: an order with this own id is there with other content, or is cancelled: `differing` names the fields
 * - `rejected`: definitely refused; `not_sent`: definitely not processed
 * - `unknown`: it may exist; `isDisputed` when the service said that it does, and it was not found
 */
export type Creation =
  | { outcome: 'created' | 'already_exists'; order: ServiceOrder; notCompared: string[]; attempts: number }
  | { outcome: 'conflict'; order: ServiceOrder; differing: string[]; attempts: number; error: CliError }
  | {
      outcome: 'rejected' | 'not_sent' | 'unknown';
      attempts: number;
      ending: CallResult;
      isDisputed: boolean;
      error: CliError;
      /** What the last answer was by itself. */
      last: CliError;
    };

/** Creates one order, sending the same bytes under the same key until it is known what came of it. Never throws for an outcome. */
export async function createOrder(
  client: ApiClient,
  finder: OrderFinder,
  create: NewOrder,
): Promise<Creation> {
  const { externalOrderId } = create;
  let lookupResult: LookupResult | undefined;
  let sentAgain = false;
  let isDisputed = false;
  const ending = await client.call('create', createRequest(create.body, create.key), {
    accepts: (answer) => readOwnOrder(answer, externalOrderId) !== undefined,
    resendsUnknown: true,
    resendsAfterLookUp: async (before) => {
      isDisputed ||= saysThere(before);
      lookupResult = withoutReplaced(await finder.find(externalOrderId), create);
      sentAgain = lookupResult.kind !== 'found' && staysOpen(create, before, lookupResult, isDisputed);
      return sentAgain;
    },
  });
  isDisputed ||= saysThere(ending);
  const mayBeOurs = ending.sawUnknown || create.hasOpenAttempt;
  const answered = ending.outcome === 'succeeded' ? ownOrderOf(ending, externalOrderId) : undefined;
  if (answered !== undefined) {
    const isOld = isReplayed(ending.attemptResult as ServiceResponse);
    // An old answer says what the order was like; of our own attempts just now it is young enough.
    const current = isOld && !ending.sawUnknown ? await readNow(client, answered) : answered;
    return compared(create, current, {
      outcome: isOld && !mayBeOurs ? 'already_exists' : 'created',
      wasThere: isOld || mayBeOurs,
      attempts: ending.attempts,
    });
  }
  const needsLookUp =
    ending.outcome === 'rejected_or_exists' ||
    ending.sawUnknown ||
    sentAgain ||
    (ending.outcome === 'rejected' && (create.hasOpenAttempt || create.looksUpRefusals));
  if (!needsLookUp) return unanswered(create, ending, isDisputed, undefined);
  if (lookupResult === undefined || sentAgain) {
    lookupResult = withoutReplaced(await finder.find(externalOrderId), create);
  }
  if (lookupResult.kind !== 'found') return unanswered(create, ending, isDisputed, lookupResult);
  return compared(create, likestOrder(lookupResult.orders, create.order), {
    outcome: mayBeOurs ? 'created' : 'already_exists',
    wasThere: true,
    attempts: ending.attempts,
  });
}

/** The order as it is by now, when the service shows it. */
async function readNow(client: ApiClient, old: ServiceOrder): Promise<ServiceOrder> {
  try {
    return await getOrder(client, old.id);
  } catch (error) {
    if (error instanceof CliError) return old;
    throw error;
  }
}

/** A 409: the service says that there is such an order, or one under way. */
function saysThere({ outcome, attemptResult }: CallResult): boolean {
  return (
    outcome === 'rejected_or_exists' && attemptResult.kind === 'response' && attemptResult.status === 409
  );
}

/** Cancelled orders that this one is to replace are no sign of it. */
function withoutReplaced(lookupResult: LookupResult, { replaced }: NewOrder): LookupResult {
  if (lookupResult.kind !== 'found') return lookupResult;
  const orders = lookupResult.orders.filter(({ id }) => !replaced.has(id));
  return orders.length > 0
    ? { ...lookupResult, orders }
    : { kind: 'absent', isComplete: lookupResult.isComplete };
}

function compared(
  { externalOrderId, order, key, replaced }: NewOrder,
  found: ServiceOrder,
  told: { outcome: 'created' | 'already_exists'; wasThere: boolean; attempts: number },
): Creation {
  const { differing, notCompared } = compareOrders(order, found.order);
  const { outcome, attempts, wasThere } = told;
  const isGone = isCancelled(found) || replaced.has(found.id);
  if (!isGone && differing.length === 0) {
    return { outcome, order: found, notCompared: wasThere ? notCompared : [], attempts };
  }
  const name = textField(found.order, 'orderNumber') ?? found.id;
  const error = isGone
    ? new CliError(
        'order_cancelled',
        `The order ${externalOrderId} was created before and is cancelled (${name}).`,
        {
          hint: 'Create it under a new id.',
          outcome: 'rejected',
          idempotencyKey: key,
        },
      )
    : new CliError(
        'order_conflict',
        `An order ${externalOrderId} is there already with other content (${name}; other: ${differing.join(', ')}).`,
        {
          hint: `Compare with: merchant-orders get ${name}; to replace it, cancel it and create the new one under a new id.`,
          outcome: 'rejected',
          idempotencyKey: key,
        },
      );
  return { outcome: 'conflict', order: found, differing, attempts, error };
}

function unanswered(
  create: NewOrder,
  ending: CallResult,
  isDisputed: boolean,
  lookupResult: LookupResult | undefined,
): Creation {
  const { outcome, attempts } = ending;
  const details = { idempotencyKey: create.key };
  const last =
    ending.stop === undefined
      ? toCliError('create', ending, details)
      : toStopError(ending.stop, { ...details, outcome: 'not_sent' });
  if (staysOpen(create, ending, lookupResult, isDisputed)) {
    const error = unknownOutcome(create, ending);
    return { outcome: 'unknown', attempts, ending, isDisputed, error, last };
  }
  const isRefusal = outcome === 'rejected' || outcome === 'rejected_or_exists' || outcome === 'forbidden';
  return {
    outcome: isRefusal ? 'rejected' : 'not_sent',
    ...{ attempts, ending, isDisputed, error: last, last },
  };
}

/**
 * Whether nobody can say yet, of an order that was not found. Once unknown, an order stays so until a definite
 * answer or a look-up that proves something; so does one that is said to be there.
 */
function staysOpen(
  create: NewOrder,
  ending: CallResult,
  lookupResult: LookupResult | undefined,
  isDisputed: boolean,
): boolean {
  const { outcome, sawUnknown } = ending;
  const mayBeThere = sawUnknown || create.hasOpenAttempt;
  const isAbsent = lookupResult?.kind === 'absent' && lookupResult.isComplete;
  if (outcome === 'rejected') return mayBeThere && lookupResult !== undefined && !isAbsent;
  if (outcome !== 'rejected_or_exists') return sawUnknown || isDisputed;
  const isWaitedFor = mayBeThere || create.mayComeLate;
  if (lookupResult?.kind === 'not_allowed') return isWaitedFor;
  if (lookupResult?.kind === 'unsettled') return true;
  if (create.isOverdue && isAbsent && !sawUnknown) return false;
  return isWaitedFor || saysThere(ending);
}

function unknownOutcome({ externalOrderId, key }: NewOrder, ending: CallResult): CliError {
  const sentence = `Order ${externalOrderId} was sent, and no answer came that can be trusted: it may exist.`;
  return new CliError('outcome_unknown', sentence, {
    ...toCliError('create', ending).details,
    idempotencyKey: key,
    hint: 'Run the same command again: it settles this order and never creates it twice.',
    outcome: 'unknown',
  });
}

function ownOrderOf({ attemptResult }: CallResult, externalOrderId: string): ServiceOrder | undefined {
  return attemptResult.kind === 'response' ? readOwnOrder(attemptResult, externalOrderId) : undefined;
}

/** The order in a create's answer, unless it is another order than the one that was sent. */
function readOwnOrder(answer: ServiceResponse, externalOrderId: string): ServiceOrder | undefined {
  const found = readOrder(answer.body);
  const theirs = textField(found?.order, 'externalOrderId');
  return theirs === undefined || theirs === externalOrderId ? found : undefined;
}

/** Of several orders with one own id: one that is not cancelled, with this content when there is one. */
export function likestOrder(found: readonly ServiceOrder[], order: Order): ServiceOrder {
  const alive = found.filter((one) => !isCancelled(one));
  const equal = alive.find((one) => compareOrders(order, one.order).differing.length === 0);
  return (equal ?? alive[0] ?? found[0]) as ServiceOrder;
}
