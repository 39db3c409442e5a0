import { type EarlierAttempts, settlingMilliseconds } from '../../api/operations/create.ts';
import { isOpen, type LedgerEntry, notCompared } from '../../ledger/order-log.ts';
import type { ComparedLookup } from './lookup.ts';
import type { EntryOwner } from './merchant-entries.ts';

export interface DecisionInput {
  entry: LedgerEntry | undefined;
  owner: EntryOwner;
  bodyHash: string;
  /** The generation in which exactly this body was rejected before. */
  rejectedGeneration: number | undefined;
  isBeingSent: boolean;
  isOfThisRun: boolean;
  isCancelled: boolean;
  recreatesCancelled: boolean;
  now: number;
  /** Undefined until the service has been asked. */
  lookup: ComparedLookup['kind'] | undefined;
}

/**
 * `accept`: the order exists; `created` when an attempt of ours may have created it. `conflict`: another order has
 * its ID. `defer`: nothing may be sent yet. `look_up`, `read`: by external order ID, by order ID.
 */
export type Decision =
  | { action: 'skip' | 'look_up' | 'read' }
  | { action: 'accept'; outcome: 'created' | 'already_exists' }
  | { action: 'conflict'; code: 'content_changed' | 'order_cancelled' }
  | {
      action: 'defer';
      code: 'in_other_run' | 'earlier_attempt_open' | 'perhaps_created' | 'sent_with_other_key';
    }
  | SendDecision;

/** `recreate`: all orders with this ID are cancelled, and the user wants it again. */
export interface SendDecision extends EarlierAttempts {
  action: 'send' | 'recreate';
  generation: number;
}

const send = (fields: Partial<SendDecision> = {}): SendDecision => ({
  action: 'send',
  generation: 0,
  hasOpenAttempt: false,
  mayTakeEffectLate: false,
  looksUpRejections: false,
  isOverdue: false,
  ...fields,
});
const lookUp: Decision = { action: 'look_up' };
const earlierAttemptOpen: Decision = { action: 'defer', code: 'earlier_attempt_open' };
const contentChanged: Decision = { action: 'conflict', code: 'content_changed' };
const orderCancelled: Decision = { action: 'conflict', code: 'order_cancelled' };
const alreadyExists: Decision = { action: 'accept', outcome: 'already_exists' };
const created: Decision = { action: 'accept', outcome: 'created' };

/** The rules by which an order is created exactly once. Pure: each rule is a row of its test. */
export function decide(input: DecisionInput): Decision {
  const { entry, isBeingSent, owner, lookup } = input;
  if (entry === undefined) return send({ looksUpRejections: true });
  if (isBeingSent) return { action: 'defer', code: 'in_other_run' };
  if (owner === 'unknown_merchant' && !leftNothing(entry)) {
    // Only an order that the current key can see shows that both keys belong to one merchant.
    if (lookup === undefined) return lookUp;
    if (lookup === 'inconclusive' || lookup === 'listed') {
      return { action: 'defer', code: 'sent_with_other_key' };
    }
  }
  if (entry.state === 'created') return decideOnCreated(entry, input);
  if (lookup === 'listed') {
    const isProvenAbsent = leftNothing(entry) || entry.state === 'not_found';
    if (!isProvenAbsent) return { action: 'defer', code: 'perhaps_created' };
    return decide({ ...input, lookup: 'inconclusive' });
  }
  if (lookup === 'cancelled') {
    const recreates = input.recreatesCancelled && !isOpen(entry) && !isRecent(entry, input.now);
    return recreates ? recreate(entry, input) : orderCancelled;
  }
  return entry.state === 'rejected' ? decideOnRejected(entry, input) : decideOnOpen(entry, input);
}

function decideOnCreated(entry: LedgerEntry, input: DecisionInput): Decision {
  const { bodyHash, isCancelled, recreatesCancelled, lookup, owner } = input;
  if (owner === 'unknown_merchant' && lookup === 'absent') return send({ looksUpRejections: true });
  if (isCancelled || lookup === 'cancelled') {
    // Of several orders, another one may be alive.
    if (entry.copies !== null && lookup === undefined) return lookUp;
    if (entry.copies !== null && lookup === 'equal') return alreadyExists;
    if (!recreatesCancelled || isRecent(entry, input.now)) return orderCancelled;
    if (lookup === undefined) return lookUp;
    if (lookup === 'cancelled' || lookup === 'absent') return recreate(entry, input);
    if (lookup === 'equal') return alreadyExists;
    return lookup === 'different' ? contentChanged : orderCancelled;
  }
  const isSame = entry.bodyHash === bodyHash;
  if (isSame && entry.code !== notCompared) return { action: 'skip' };
  if (lookup === undefined) return { action: 'read' };
  if (!isSame || lookup === 'different') return contentChanged;
  return lookup === 'equal' ? alreadyExists : earlierAttemptOpen;
}

function decideOnRejected(entry: LedgerEntry, input: DecisionInput): Decision {
  const { bodyHash, rejectedGeneration, lookup, owner } = input;
  if (owner !== 'this_key') return decideOnOtherKey(entry, input);
  const isSameBody = entry.bodyHash === bodyHash;
  const generation = isSameBody ? entry.generation : rejectedGeneration;
  const hadAttempt = !leftNothing(entry);
  const mayTakeEffectLate = isRecent(entry, input.now);
  if (generation !== undefined && (isSameBody || !hadAttempt)) {
    if (lookup === undefined) return lookUp;
    if (lookup === 'equal') return entry.unknownAt === null ? alreadyExists : created;
    if (lookup === 'different') return contentChanged;
    const rises = lookup === 'absent' && !mayTakeEffectLate;
    return send({
      generation: rises ? generation + 1 : generation,
      looksUpRejections: entry.unknownAt !== null,
      mayTakeEffectLate,
    });
  }
  if (lookup === undefined) return hadAttempt ? lookUp : send();
  if (lookup === 'equal' && !hadAttempt) return alreadyExists;
  if (lookup === 'equal' || lookup === 'different') return contentChanged;
  return mayTakeEffectLate ? earlierAttemptOpen : send({ generation: rejectedGeneration ?? 0 });
}

/** Even if it was proven not to exist: that lookup may be old, and another one costs little. */
function decideOnOpen(entry: LedgerEntry, input: DecisionInput): Decision {
  const { bodyHash, rejectedGeneration, owner, isOfThisRun, lookup, now } = input;
  if (owner !== 'this_key') return decideOnOtherKey(entry, input);
  if (entry.bodyHash === bodyHash) {
    // A service that knows neither keys nor external order IDs would create it again.
    if (lookup === undefined && !isOfThisRun) return lookUp;
    if (lookup === 'equal') return created;
    if (lookup === 'different') return contentChanged;
    const hasOpenAttempt = isOpen(entry);
    const isOverdue = !isRecent(entry, now);
    return send({
      generation: entry.generation,
      hasOpenAttempt,
      looksUpRejections: !hasOpenAttempt,
      isOverdue,
    });
  }
  // The ledger does not keep the body of that attempt, so it cannot be sent again.
  if (lookup === undefined) return lookUp;
  if (lookup === 'equal' || lookup === 'different') return contentChanged;
  if (lookup === 'inconclusive' || isRecent(entry, now)) return earlierAttemptOpen;
  return send({ generation: rejectedGeneration ?? 0 });
}

/** The service keeps keys and external order IDs per API key, so it does not recognise a repeat. */
function decideOnOtherKey(entry: LedgerEntry, { bodyHash, lookup, now }: DecisionInput): Decision {
  if (leftNothing(entry)) return send({ looksUpRejections: true });
  if (lookup === undefined) return lookUp;
  if (lookup === 'equal') return entry.bodyHash === bodyHash ? created : contentChanged;
  if (lookup === 'different') return contentChanged;
  if (lookup === 'inconclusive' || isRecent(entry, now)) return earlierAttemptOpen;
  return send({ looksUpRejections: true });
}

/** It was rejected, and no earlier attempt can have created it. */
function leftNothing({ state, unknownAt, first409At }: LedgerEntry): boolean {
  return state === 'rejected' && unknownAt === null && first409At === null;
}

function recreate(entry: LedgerEntry, { rejectedGeneration = 0 }: DecisionInput): Decision {
  return send({ action: 'recreate', generation: Math.max(entry.generation, rejectedGeneration) + 1 });
}

export function isRecent(entry: LedgerEntry, now: number): boolean {
  return now < endOfSettling(entry);
}

/** Until when an attempt of before may take effect. */
export function endOfSettling({ unknownAt, first409At }: LedgerEntry): number {
  return (
    Math.max(unknownAt ?? Number.NEGATIVE_INFINITY, first409At ?? Number.NEGATIVE_INFINITY) +
    settlingMilliseconds
  );
}
