import { again, command, type Text, t } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import { compareOrders, type Difference } from '../../orders/compare.ts';
import { jsonText, member } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import type { FieldPaths } from '../../orders/unnamed-fields.ts';
import type { ApiClient } from '../client.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import type { CallResult } from '../pacing/attempts.ts';
import { toStopError } from '../pacing/stop.ts';
import {
  type LookupResult,
  type OrderFinder,
  type RespelledOrders,
  withoutReplaced,
} from '../pages/order-finder.ts';
import { isRespelled } from '../pages/search.ts';
import { createRequest } from '../requests.ts';
import { isOrderLike } from '../responses/error-body.ts';
import {
  isCancelled,
  mayHaveExternalId,
  nameOf,
  readOrder,
  type ServiceOrder,
  wordFor,
} from '../responses/order.ts';
import { isElsewhere, unreadable } from '../responses/outcome.ts';
import { isEcho, isOlderThan, isReplay } from '../responses/replay.ts';
import { describeResult, isLocalFailure, lastWords, toCliError, wordsOf } from '../to-cli-error.ts';
import { getOrder } from './find.ts';

/** One order to create: `body` is the exact text of `order`, `key` its `Idempotency-Key`. */
interface NewOrder {
  externalOrderId: string;
  order: Order;
  body: string;
  key: string;
  /** The IDs of cancelled orders with the same external order ID, which this one is to recreate. */
  replacedIds: ReadonlySet<string>;
  fieldPaths: FieldPaths;
}

export interface EarlierAttempts {
  /** An attempt with this key has an unknown outcome. */
  hasOpenAttempt: boolean;
  /** When its run began, in milliseconds since the epoch. */
  openSince?: number | undefined;
  /** Until when it may take effect, in milliseconds since the epoch. */
  openUntil?: number | undefined;
  /** Rejected since then, but an earlier request may still take effect. */
  mayTakeEffectLate: boolean;
  /** A rejection may be a replay that is older than the order: look the order up before believing it. */
  looksUpRejections: boolean;
  /** Earlier requests can no longer take effect, so an order that is not found does not exist. */
  isOverdue: boolean;
}

/**
 * `isDirect`: it is in the response to a create, without a sign of a replay. `notCompared`: fields that could not be
 * compared; those that an order does not show at all only if it existed before. `differences`: what the service shows
 * otherwise of an order that was created. `mayBeSeveral`: an attempt had no response, or a lookup showed several orders with
 * its ID. `saw409`: the service said that the order exists (409), but it was not found.
 */
export type Creation =
  | {
      outcome: 'created' | 'already_exists';
      order: ServiceOrder;
      isDirect: boolean;
      notCompared: string[];
      differences: Difference[];
      mayBeSeveral: boolean;
      attempts: number;
    }
  | { outcome: 'conflict'; order: ServiceOrder; differing: string[]; attempts: number; error: CliError }
  | {
      outcome: 'rejected' | 'not_sent' | 'unknown';
      attempts: number;
      result: CallResult;
      saw409: boolean;
      error: CliError;
      lastError: CliError;
    };

/** Interface section 4.1. Sends the same bytes and key in every attempt. Never throws for an outcome. */
export async function createOrder(
  client: ApiClient,
  finder: OrderFinder,
  order: NewOrder,
  earlier: EarlierAttempts,
): Promise<Creation> {
  const { externalOrderId } = order;
  let lookup: LookupResult | undefined;
  let sentAfterLookup = false;
  let saw409 = false;
  let cancelledKeepsId = false;
  const lookUp = async (last: CallResult) => {
    const listed = await finder.find(externalOrderId, client);
    const isListed = listed.kind === 'found' || listed.kind === 'respelled';
    // The filter of a list may not find the spelling that the service stores.
    const respelled = isListed ? undefined : respelledIn(last, externalOrderId);
    lookup = await settleSpelling(client, respelled ?? listed, order);
    // Some services never free the ID of a cancelled order, and respond with 409.
    cancelledKeepsId =
      isOnlyCancelled(lookup, order.replacedIds) && !last.sawUnknown && !earlier.hasOpenAttempt;
    saw409 = (saw409 || isConflictStatus(last)) && !cancelledKeepsId;
    lookup = withoutReplaced(lookup, order.replacedIds);
    return lookup;
  };
  const result = await client.call('create', createRequest(order.body, order.key), {
    accepts: (response) => readCreated(response, externalOrderId) !== undefined,
    resendsUnknown: true,
    resendsAfterLookUp: async (last) => {
      lookup = await lookUp(last);
      // A listed order without a usable id exists: another request could create a second one.
      sentAfterLookup =
        lookup.kind !== 'found' &&
        !isListed(lookup) &&
        !wouldRecur(last) &&
        staysUnknown(earlier, last, lookup, saw409);
      return sentAfterLookup;
    },
  });
  const settle = async (): Promise<Creation> => {
    const { attempts, sawUnknown, attemptResult } = result;
    const mayBeOurs = sawUnknown || earlier.hasOpenAttempt;
    const span = {
      from: earlier.openSince ?? result.firstAttemptAt,
      until: result.completedAt,
      clockAhead: client.clockAhead(),
    };
    if (result.outcome === 'succeeded' && attemptResult.kind === 'response') {
      const created = readCreated(attemptResult, externalOrderId);
      if (created !== undefined) {
        const wasReplayed = isReplay(attemptResult, created, result);
        // A replay shows the order as it was created; that of an attempt just now is recent enough.
        const current =
          (wasReplayed && !sawUnknown ? await readCurrent(client, created, externalOrderId) : undefined) ??
          created;
        const outcome = wasReplayed && !mayBeOurs ? 'already_exists' : 'created';
        const isFirst = !wasReplayed && !mayBeOurs && !earlier.mayTakeEffectLate && !sentAfterLookup;
        const isCreated = isFirst && attemptResult.status === 201;
        const isOurs: IsOurs = (differences, found) =>
          outcome === 'created' && isEcho(differences, found, span, isCreated);
        const existedBefore = wasReplayed || mayBeOurs;
        return compare(order, current, isOurs, {
          outcome,
          isDirect: !wasReplayed,
          // One that was cancelled at once, not an older order.
          isNew: isFirst && isEcho([], created, span, isCreated),
          existedBefore,
          mayBeSeveral: sawUnknown,
          attempts,
        });
      }
    }
    const needsLookup =
      result.outcome === 'rejected_or_exists' ||
      sawUnknown ||
      sentAfterLookup ||
      (result.outcome === 'rejected' && (earlier.hasOpenAttempt || earlier.looksUpRejections));
    if (!needsLookup)
      return endWithoutOrder(order, earlier, result, { saw409, cancelledKeepsId, lookup: undefined });
    if (lookup === undefined || sentAfterLookup) lookup = await lookUp(result);
    const older = saw409 && !cancelledKeepsId ? olderCopyIn(lookup, span) : undefined;
    if (older !== undefined) return conflictWith(order, older, attempts);
    if (lookup.kind !== 'found')
      return endWithoutOrder(order, earlier, result, { saw409, cancelledKeepsId, lookup });
    const outcome = mayBeOurs ? 'created' : 'already_exists';
    const isOurs: IsOurs = (differences, found) => mayBeOurs && isEcho(differences, found, span, false);
    const match = bestMatch(lookup.orders, order.order, order.fieldPaths, isOurs);
    return compare(order, match, isOurs, {
      outcome,
      isDirect: false,
      isNew: false,
      existedBefore: true,
      mayBeSeveral: sawUnknown || lookup.orders.length > 1,
      attempts,
    });
  };
  try {
    return await settle();
  } catch (error) {
    if (error instanceof CliError) throw error;
    const unread = {
      ...result,
      outcome: 'unknown',
      attemptResult: unreadable(error),
      sawUnknown: true,
    } as const;
    return endWithoutOrder(order, earlier, unread, { saw409, cancelledKeepsId, lookup: undefined });
  }
}

/**
 * Reads orders by their `id`, since their external order ID is in another spelling. With the same content they are ours;
 * otherwise nothing is proven.
 */
export async function settleSpelling(
  client: ApiClient,
  lookup: LookupResult | RespelledOrders,
  { externalOrderId, order, fieldPaths }: Pick<NewOrder, 'externalOrderId' | 'order' | 'fieldPaths'>,
): Promise<LookupResult> {
  if (lookup.kind !== 'respelled') return lookup;
  const { orders, isComplete } = lookup;
  const read = await Promise.all(orders.map((listed) => readCurrent(client, listed, externalOrderId)));
  const ours = read
    .filter((found) => found !== undefined)
    .filter((found) => compareOrders(order, found.order, fieldPaths).differences.length === 0);
  if (ours.length === 0) return { kind: 'unsettled', isListed: true, respelled: orders };
  return { kind: 'found', orders: ours, isComplete: isComplete && ours.length === orders.length };
}

async function readCurrent(
  client: ApiClient,
  old: ServiceOrder,
  externalOrderId: string,
): Promise<ServiceOrder | undefined> {
  try {
    return await getOrder(client, old.id, externalOrderId);
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

function respelledIn(
  { outcome, attemptResult }: CallResult,
  externalOrderId: string,
): RespelledOrders | undefined {
  if (outcome !== 'no_order' || attemptResult.kind === 'failure') return undefined;
  const found = readOrder(attemptResult.body);
  const isOurs = found !== undefined && isRespelled(member(found.order, 'externalOrderId'), externalOrderId);
  return isOurs ? { kind: 'respelled', orders: [found], isComplete: false } : undefined;
}

function isConflictStatus({ outcome, attemptResult }: CallResult): boolean {
  return (
    outcome === 'rejected_or_exists' && attemptResult.kind === 'response' && attemptResult.status === 409
  );
}

/** Another request would be processed, too, and its response lost the same way. */
function wouldRecur({ attemptResult }: CallResult): boolean {
  return attemptResult.kind === 'failure' && attemptResult.isContinue === true;
}

function isOnlyCancelled(lookup: LookupResult, replacedIds: ReadonlySet<string>): boolean {
  return lookup.kind === 'found' && lookup.isComplete && lookup.orders.every(({ id }) => replacedIds.has(id));
}

/** Whether a request of ours created the order despite these differences. */
export type IsOurs = (differences: readonly Difference[], found: ServiceOrder) => boolean;

function compare(
  { externalOrderId, order, key, replacedIds, fieldPaths }: NewOrder,
  found: ServiceOrder,
  isOurs: IsOurs,
  end: {
    outcome: 'created' | 'already_exists';
    isDirect: boolean;
    /** Certainly created by this request, whatever its status. */
    isNew: boolean;
    existedBefore: boolean;
    mayBeSeveral: boolean;
    attempts: number;
  },
): Creation {
  const { differences, notCompared, unread } = compareOrders(order, found.order, fieldPaths);
  const { outcome, isDirect, attempts, existedBefore, mayBeSeveral } = end;
  const isGone = (isCancelled(found) && !end.isNew) || replacedIds.has(found.id);
  if (!isGone && (differences.length === 0 || isOurs(differences, found))) {
    const unclear = existedBefore ? notCompared : unread;
    return { outcome, order: found, isDirect, notCompared: unclear, differences, mayBeSeveral, attempts };
  }
  const differing = differences.map(({ field }) => field);
  const name = nameOf(found);
  const rejected = { outcome: 'rejected', idempotencyKey: key } as const;
  const error = isGone
    ? new CliError(
        'order_cancelled',
        t`Order ${externalOrderId} was created before and is cancelled (${name}).`,
        { ...rejected, hint: t`Create it under a new ID.` },
      )
    : new CliError(
        'order_conflict',
        t`Order ${externalOrderId} already exists with other content (${name}; different: ${differing}).`,
        { ...rejected, hint: t`Compare it: ${command('get', wordFor(found))}` },
      );
  return { outcome: 'conflict', order: found, differing, attempts, error };
}

/**
 * After a 409: the order that has the ID in another spelling, when each of them is older than our first attempt, so that
 * none of ours created it.
 */
export function olderCopyIn(
  lookup: LookupResult,
  { from, clockAhead }: { from: number; clockAhead: number | undefined },
): ServiceOrder | undefined {
  const respelled = (lookup.kind === 'unsettled' && lookup.respelled) || [];
  return respelled.every((order) => isOlderThan(order, from, clockAhead)) ? respelled[0] : undefined;
}

function conflictWith(
  { externalOrderId, order, key, fieldPaths }: NewOrder,
  found: ServiceOrder,
  attempts: number,
): Creation {
  const differing = compareOrders(order, found.order, fieldPaths).differences.map(({ field }) => field);
  const spelled = jsonText(member(found.order, 'externalOrderId') ?? '');
  const error = new CliError(
    'order_conflict',
    t`Order ${externalOrderId} already exists with other content, under the ID ${spelled} (${nameOf(found)}; different: ${differing}).`,
    { outcome: 'rejected', idempotencyKey: key, hint: t`Compare it: ${command('get', wordFor(found))}` },
  );
  return { outcome: 'conflict', order: found, differing, attempts, error };
}

const idKeptHint = t`The service keeps the ID of a cancelled order: create this one under a new ID.`;

type Absence = { saw409: boolean; cancelledKeepsId: boolean; lookup: LookupResult | undefined };

function endWithoutOrder(
  { externalOrderId, key }: NewOrder,
  earlier: EarlierAttempts,
  result: CallResult,
  { saw409, cancelledKeepsId, lookup }: Absence,
): Creation {
  const { outcome, attempts, stop } = result;
  const lastError =
    stop === undefined || isLocalFailure(result.attemptResult)
      ? toCliError('create', result, {
          idempotencyKey: key,
          ...(cancelledKeepsId ? { hint: idKeptHint } : {}),
        })
      : toStopError(stop, { idempotencyKey: key, outcome: 'not_sent' }, wordsOf(result.attemptResult));
  if (staysUnknown(earlier, result, lookup, saw409)) {
    const isMisdirected = isElsewhere(outcome);
    const sawOnly409 = saw409 && !result.sawUnknown && !earlier.hasOpenAttempt;
    const sentence = sawOnly409
      ? describeConflict(externalOrderId, describeResult(result.attemptResult), lookup)
      : isRejection(result) && (result.sawUnknown || earlier.hasOpenAttempt)
        ? describeLateRejection(externalOrderId, result, lookup, earlier)
        : t`Order ${externalOrderId} was sent, but no reliable response was received: it may exist. ${isMisdirected ? lastError.sentence : lastWords(result)}`;
    const mayList = lookup?.kind !== 'not_allowed';
    const next = mayList
      ? t`Run the same command again: it settles this order and never creates it twice.${again()}`
      : t`Run the same command again with a key that may list orders: it settles this order.${again()}`;
    const error = new CliError('outcome_unknown', sentence, {
      ...toCliError('create', result).details,
      idempotencyKey: key,
      hint: isMisdirected ? t`Check the base URL. ${next}` : next,
      outcome: 'unknown',
      ...(isMisdirected ? { cause: lastError } : {}),
    });
    return { outcome: 'unknown', attempts, result, saw409, error, lastError };
  }
  const isRejected = outcome === 'rejected' || outcome === 'rejected_or_exists' || outcome === 'forbidden';
  const ended = isRejected ? 'rejected' : 'not_sent';
  return { outcome: ended, attempts, result, saw409, error: lastError, lastError };
}

function isRejection({ outcome }: CallResult): boolean {
  return outcome === 'rejected' || outcome === 'rejected_or_exists';
}

/** How long a request may take effect after it was sent. */
export const settlingMilliseconds = 10 * 60_000;

/** An attempt before the rejection had no reliable response: what is known, and until when. */
function describeLateRejection(
  id: string,
  { attemptResult, completedAt, sawUnknown }: CallResult,
  lookup: LookupResult | undefined,
  { openUntil }: EarlierAttempts,
): Text {
  const reason = describeResult(attemptResult);
  const until = sawUnknown || openUntil === undefined ? completedAt + settlingMilliseconds : openUntil;
  const time = new Date(until).toTimeString().slice(0, 5);
  return lookup?.kind === 'absent'
    ? t`The service rejected order ${id}: ${reason}. It does not list the order now, but may still create the first attempt, which had no reliable response. From ${time} on the order can be corrected.`
    : t`The service rejected order ${id}: ${reason}. It may still create the first attempt, which had no reliable response. From ${time} on the order can be corrected.`;
}

function staysUnknown(
  { hasOpenAttempt, mayTakeEffectLate, isOverdue }: EarlierAttempts,
  result: CallResult,
  lookup: LookupResult | undefined,
  saw409: boolean,
): boolean {
  const { outcome, sawUnknown } = result;
  const mayExist = sawUnknown || hasOpenAttempt;
  const isAbsent = lookup?.kind === 'absent' && lookup.isComplete;
  if (outcome === 'rejected') return mayExist && lookup !== undefined && !isAbsent;
  if (outcome !== 'rejected_or_exists') return sawUnknown || saw409;
  if (isOverdue && isAbsent && !sawUnknown) return false;
  return mayExist || mayTakeEffectLate || saw409 || isListed(lookup);
}

function isListed(lookup: LookupResult | undefined): boolean {
  return lookup?.kind === 'unsettled' && lookup.isListed;
}

function describeConflict(id: string, reason: Text, lookup: LookupResult | undefined): Text {
  if (lookup?.kind === 'not_allowed') {
    return t`Order ${id} may exist: the service rejected it as a conflict (${reason}), and this API key may not look it up.`;
  }
  return lookup?.kind === 'unsettled'
    ? t`Order ${id} may exist: the service rejected it as a conflict (${reason}), and it could not be looked up.`
    : t`Order ${id} may exist: the service rejected it as a conflict (${reason}), but it is not in the list.`;
}

function readCreated({ body }: ServiceResponse, externalOrderId: string): ServiceOrder | undefined {
  const found = readOrder(body);
  // A bare id may belong to a job or a session.
  if (found === undefined || !isOrderLike(found.order)) return undefined;
  return mayHaveExternalId(found.order, externalOrderId) ? found : undefined;
}

/** Prefers an order that is not cancelled, then one with the content of `order`, then one of ours. */
export function bestMatch(
  found: readonly ServiceOrder[],
  order: Order,
  fieldPaths: FieldPaths,
  isOurs: IsOurs,
): ServiceOrder {
  const alive = found.filter((one) => !isCancelled(one));
  const differencesOf = (one: ServiceOrder) => compareOrders(order, one.order, fieldPaths).differences;
  const equal = alive.find((one) => differencesOf(one).length === 0);
  const ours = equal ?? alive.find((one) => isOurs(differencesOf(one), one));
  return (ours ?? alive[0] ?? found[0]) as ServiceOrder;
}
