import { isOpen, type LedgerEntry, notCompared } from '../../ledger/entry.ts';
import type { Seen } from './seen.ts';

/** All that counts for what is to be done with an order now. */
export interface Facts {
  /** What the ledger has under the own id of the order; an intent in it is one that is under way. */
  row: LedgerEntry | undefined;
  /** - `own`: this key sent it; - `same_merchant`: another key of this merchant did; - `unclear`: some other key */
  sentWith: 'own' | 'same_merchant' | 'unclear';
  /** Hash of the body that is to be sent. */
  bodyHash: string;
  /** The generation in which exactly this body was refused before. */
  rejectedGeneration: number | undefined;
  /** A run that is alive has it under way. */
  isUnderWay: boolean;
  /** The order of the row is known to be cancelled. */
  isCancelled: boolean;
  /** A cancelled order may be created again. */
  recreates: boolean;
  /** Milliseconds since the epoch. */
  now: number;
  /** What the service showed of it, when it was asked since this order's turn came. */
  seen: Seen['kind'] | undefined;
}

/**
 * - `skip`: it is there, with this content
 * - `take`: the service showed it; `created` when an attempt of ours may have made it
 * - `conflict`: another order has its id; - `leave`: nobody can say yet, and nothing may be sent
 * - `look_up`, `read`: the service is asked first, for its own id or for the order that the ledger names
 */
export type Decision =
  | { do: 'skip' | 'look_up' | 'read' }
  | { do: 'take'; as: 'created' | 'already_exists' }
  | { do: 'conflict'; code: 'content_changed' | 'order_cancelled' }
  | { do: 'leave'; code: 'in_other_run' | 'earlier_attempt_open' | 'sent_with_other_key' }
  | Sending;

export interface Sending {
  do: 'send';
  generation: number;
  /** An earlier attempt under this key is open. */
  hasOpenAttempt: boolean;
  /** What was refused was sent before in vain, and may still take effect. */
  mayComeLate: boolean;
  /** Nobody here has heard of this order, or it had an unknown attempt: a refusal may be an old one of an order that was created since. */
  looksUpRefusals: boolean;
  /** Whatever was under way has had its time: what is not found now is not there. */
  isOverdue: boolean;
  /** The cancelled orders with its id are others from now on. */
  replacesCancelled: boolean;
}

/** How long an attempt may take effect after it was sent. */
export const settlingMilliseconds = 10 * 60_000;

const send = (fields: Partial<Sending> = {}): Sending => ({
  ...{ do: 'send', generation: 0, hasOpenAttempt: false, mayComeLate: false, looksUpRefusals: false },
  ...{ isOverdue: false, replacesCancelled: false, ...fields },
});
const lookUp: Decision = { do: 'look_up' };
const earlierAttemptOpen: Decision = { do: 'leave', code: 'earlier_attempt_open' };
const contentChanged: Decision = { do: 'conflict', code: 'content_changed' };
const orderCancelled: Decision = { do: 'conflict', code: 'order_cancelled' };

/** What comes next for one order: the rules by which it is created once. Pure, so that each rule is a line of its tests. */
export function decide(facts: Facts): Decision {
  const { row, isUnderWay, sentWith, seen } = facts;
  if (row === undefined) return send({ looksUpRefusals: true });
  if (isUnderWay) return { do: 'leave', code: 'in_other_run' };
  if (sentWith === 'unclear' && !leftNothing(row)) {
    // Only what the service shows under the key of now tells whose order it was.
    if (seen === undefined) return lookUp;
    if (seen === 'nothing') return { do: 'leave', code: 'sent_with_other_key' };
  }
  if (row.state === 'created') return decideOnCreated(row, facts);
  if (seen === 'cancelled') {
    return facts.recreates && !isOpen(row) && !isRecent(row, facts.now) ? again(row, facts) : orderCancelled;
  }
  return row.state === 'rejected' ? decideOnRejected(row, facts) : decideOnOpen(row, facts);
}

function decideOnCreated(row: LedgerEntry, facts: Facts): Decision {
  const { bodyHash, isCancelled, recreates, seen, sentWith } = facts;
  if (sentWith === 'unclear' && seen === 'absent') return send({ looksUpRefusals: true });
  if (isCancelled || seen === 'cancelled') {
    if (!recreates || isRecent(row, facts.now)) return orderCancelled;
    if (seen === undefined) return lookUp;
    if (seen === 'cancelled' || seen === 'absent') return again(row, facts);
    if (seen === 'equal') return { do: 'take', as: 'already_exists' };
    return seen === 'other' ? contentChanged : orderCancelled;
  }
  const isSame = row.bodyHash === bodyHash;
  if (isSame && row.code !== notCompared) return { do: 'skip' };
  if (seen === undefined) return { do: 'read' };
  if (!isSame || seen === 'other') return contentChanged;
  return seen === 'equal' ? { do: 'take', as: 'already_exists' } : earlierAttemptOpen;
}

function decideOnRejected(row: LedgerEntry, facts: Facts): Decision {
  const { bodyHash, rejectedGeneration, seen, sentWith } = facts;
  if (sentWith !== 'own') return decideOnOtherKey(row, facts);
  const isSameBody = row.bodyHash === bodyHash;
  const generation = isSameBody ? row.generation : rejectedGeneration;
  const hadAttempt = !leftNothing(row);
  const mayComeLate = isRecent(row, facts.now);
  if (generation !== undefined && (isSameBody || !hadAttempt)) {
    if (seen === undefined) return lookUp;
    if (seen === 'equal') return { do: 'take', as: row.unknownAt === null ? 'already_exists' : 'created' };
    if (seen === 'other') return contentChanged;
    const rises = seen === 'absent' && !mayComeLate;
    const looksUpRefusals = row.unknownAt !== null;
    return send({ generation: rises ? generation + 1 : generation, looksUpRefusals, mayComeLate });
  }
  // The body that may come late is another one, and not known any more.
  if (seen === undefined) return hadAttempt ? lookUp : send();
  if (seen === 'equal' && !hadAttempt) return { do: 'take', as: 'already_exists' };
  if (seen === 'equal' || seen === 'other') return contentChanged;
  return mayComeLate ? earlierAttemptOpen : send({ generation: rejectedGeneration ?? 0 });
}

function decideOnOpen(row: LedgerEntry, facts: Facts): Decision {
  const { bodyHash, rejectedGeneration, sentWith, seen, now } = facts;
  if (sentWith !== 'own') return decideOnOtherKey(row, facts);
  if (row.bodyHash === bodyHash) {
    return send({ generation: row.generation, hasOpenAttempt: true, isOverdue: !isRecent(row, now) });
  }
  // The body of that attempt is not known any more, so it cannot be sent again.
  if (seen === undefined) return lookUp;
  if (seen === 'equal' || seen === 'other') return contentChanged;
  if (seen === 'nothing' || isRecent(row, now)) return earlierAttemptOpen;
  return send({ generation: rejectedGeneration ?? 0 });
}

/** Keys and own ids are another key's own to the service, so nothing that was sent with one is answered to the other. */
function decideOnOtherKey(row: LedgerEntry, { bodyHash, seen, now }: Facts): Decision {
  if (leftNothing(row)) return send({ looksUpRefusals: true });
  if (seen === undefined) return lookUp;
  if (seen === 'equal') return row.bodyHash === bodyHash ? { do: 'take', as: 'created' } : contentChanged;
  if (seen === 'other') return contentChanged;
  if (seen === 'nothing' || isRecent(row, now)) return earlierAttemptOpen;
  return send({ looksUpRefusals: true });
}

/** A definite refusal, and nothing before it that could be there. */
function leftNothing({ state, unknownAt, disputedAt }: LedgerEntry): boolean {
  return state === 'rejected' && unknownAt === null && disputedAt === null;
}

function again(row: LedgerEntry, { rejectedGeneration = 0 }: Facts): Decision {
  return send({ generation: Math.max(row.generation, rejectedGeneration) + 1, replacesCancelled: true });
}

/** Whether an attempt of it may still take effect. */
export function isRecent({ unknownAt, disputedAt }: LedgerEntry, now: number): boolean {
  return [unknownAt, disputedAt].some((time) => time !== null && now - time < settlingMilliseconds);
}
