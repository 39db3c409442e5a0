import type { Order } from '../../orders/order.ts';
import type { SandboxParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import type { Caller } from '../store/accounts.ts';
import type { WireAnswer } from '../wire/answer.ts';
import { type ErrorOrigin, errorAnswer } from '../wire/error-answer.ts';
import { createOrder } from './create-order.ts';
import { repeatAnswer } from './repeat-answer.ts';

export interface CreateRequest {
  caller: Caller;
  /** Undefined for none. */
  idempotencyKey: string | undefined;
  /** Of the bytes as they came. */
  bodyHash: string;
  order: Order;
  origin: ErrorOrigin;
}

export interface CreateAnswer {
  answer: WireAnswer;
  isReplay: boolean;
}

/**
 * Create under an Idempotency-Key (interface section 4.1): every rule is looked at, and everything written,
 * in one transaction; what it answered, a failure too, is kept under the key as the behaviour says.
 */
export function createOnce(parts: SandboxParts, request: CreateRequest): CreateAnswer {
  const { store, behaviour } = parts;
  const { caller, order, bodyHash, origin } = request;
  const key = behaviour.keys.repeated === 'ignored' ? undefined : request.idempotencyKey;
  if (key === undefined) {
    return { answer: store.inTransaction(() => createOrder(parts, caller, order)), isReplay: false };
  }
  const keep = (answer: WireAnswer) =>
    store.idempotency.keep(caller.clientId, key, { bodyHash, ...answer }, parts.now());
  try {
    return store.inTransaction(() => {
      const kept = store.idempotency.find(caller.clientId, key, keptSince(parts));
      const repeated = kept && repeatAnswer(behaviour.keys, kept, bodyHash);
      if (repeated) return { answer: repeated, isReplay: true };
      const answer = answerOrRefusal(parts, request);
      if (isKept(parts, answer)) keep(answer);
      return { answer, isReplay: false };
    });
  } catch (error) {
    if (error instanceof Refusal || !(error instanceof Error)) throw error;
    const answer = errorAnswer(behaviour, error, origin);
    if (isKept(parts, answer)) store.inTransaction(() => keep(answer));
    return { answer, isReplay: false };
  }
}

/** A refusal becomes an answer here, since it is kept in the transaction in which it was found. */
function answerOrRefusal(parts: SandboxParts, { caller, order, origin }: CreateRequest): WireAnswer {
  try {
    return createOrder(parts, caller, order);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return errorAnswer(parts.behaviour, error, origin);
  }
}

function isKept({ behaviour }: SandboxParts, { status }: WireAnswer): boolean {
  const { kept } = behaviour.keys;
  if (kept === 'nothing') return false;
  if (status < 400) return true;
  return kept === 'everything' || (kept === 'refusals' && status < 500);
}

/** Epoch milliseconds; what was kept before that time is forgotten. */
function keptSince({ behaviour, now }: SandboxParts): number {
  const { retentionSeconds } = behaviour.keys;
  return retentionSeconds === null ? -1 : now() - retentionSeconds * 1000;
}
