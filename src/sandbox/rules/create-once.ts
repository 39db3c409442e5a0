import type { Order } from '../../orders/order.ts';
import { isUuid } from '../../orders/order-reference.ts';
import type { Behaviour } from '../behaviour/behaviour.ts';
import { Refusal } from '../behaviour/refusal.ts';
import { type ErrorOrigin, errorAnswer } from '../http/error-response.ts';
import type { WireAnswer } from '../http/response.ts';
import type { SandboxParts } from '../parts.ts';
import type { Visit } from '../record/log-requests.ts';
import type { Caller } from '../store/accounts.ts';
import type { KeptAnswer } from '../store/idempotency.ts';
import { type Created, createOrder } from './create-order.ts';

export interface CreateRequest {
  caller: Caller;
  visit: Visit;
  /** Undefined for none. */
  idempotencyKey: string | undefined;
  /** Of the bytes as they came. */
  bodyHash: string;
  order: Order;
  origin: ErrorOrigin;
}

type Keyed = Pick<CreateRequest, 'caller' | 'idempotencyKey' | 'bodyHash'>;

export interface CreateAnswer {
  answer: WireAnswer;
  isReplay: boolean;
}

/**
 * Create under an Idempotency-Key (interface section 4.1): every rule is looked at, and everything written, the
 * record too, in one transaction; what it answered, a failure too, is kept under the key as the behaviour says.
 */
export async function createOnce(parts: SandboxParts, request: CreateRequest): Promise<CreateAnswer> {
  const { record, behaviour } = parts;
  const { visit } = request;
  try {
    return await record.write(visit, () => {
      const result = createOrReplay(parts, request);
      visit.status = result.answer.status;
      return result;
    });
  } catch (error) {
    if (error instanceof Refusal || !(error instanceof Error)) throw error;
    const answer = errorAnswer(behaviour, error, request.origin);
    delete visit.orderId;
    visit.status = answer.status;
    await record.write(visit, () => keep(parts, request, answer));
    return { answer, isReplay: false };
  }
}

function createOrReplay(parts: SandboxParts, request: CreateRequest): CreateAnswer {
  const { bodyHash, visit } = request;
  const kept = keptUnder(parts, request);
  const repeated = kept && repeatAnswer(parts.behaviour.keys, kept, bodyHash);
  if (repeated) return { answer: repeated, isReplay: true };
  const isKeyed = keyOf(parts, request) !== undefined;
  const { answer, orderId } = isKeyed ? orRefused(parts, request) : createOrder(parts, request);
  if (orderId !== undefined) visit.orderId = orderId;
  keep(parts, request, answer);
  return { answer, isReplay: false };
}

/** A refusal becomes an answer here, since it is kept in the transaction in which it was found. */
function orRefused(parts: SandboxParts, request: CreateRequest): Created {
  try {
    return createOrder(parts, request);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { answer: errorAnswer(parts.behaviour, error, request.origin) };
  }
}

/** What is kept under the key of the request; undefined for nothing. */
export function keptUnder(parts: SandboxParts, request: Keyed): KeptAnswer | undefined {
  const key = keyOf(parts, request);
  if (key === undefined) return undefined;
  return parts.store.idempotency.find(request.caller.clientId, key, keptSince(parts));
}

/** Keeps an answer under the key of the request, where the behaviour keeps such an answer. */
export function keep(parts: SandboxParts, request: Keyed, answer: WireAnswer): void {
  const key = keyOf(parts, request);
  if (key === undefined || !isKept(parts, answer)) return;
  const { clientId } = request.caller;
  parts.store.idempotency.keep(clientId, key, { bodyHash: request.bodyHash, ...answer }, parts.clock.now());
}

function keyOf({ behaviour }: SandboxParts, { idempotencyKey }: Keyed): string | undefined {
  return behaviour.keys.repeated === 'ignored' ? undefined : idempotencyKey;
}

function isKept({ behaviour }: SandboxParts, { status }: WireAnswer): boolean {
  const { kept } = behaviour.keys;
  if (kept === 'nothing') return false;
  if (status < 400) return true;
  return kept === 'everything' || (kept === 'refusals' && status < 500);
}

/** Epoch milliseconds; what was kept before that time is forgotten. */
function keptSince({ behaviour, clock }: SandboxParts): number {
  const { retentionSeconds } = behaviour.keys;
  return retentionSeconds === null ? -1 : clock.now() - retentionSeconds * 1000;
}

/** The answer to a key that came before; undefined when the request is processed all the same. */
export function repeatAnswer(
  { repeated, otherBody }: Behaviour['keys'],
  kept: KeptAnswer,
  bodyHash: string,
): KeptAnswer | undefined {
  if (kept.bodyHash === bodyHash) {
    if (repeated === 'replayed') return kept;
    throw new Refusal('idempotencyKeyRepeated', 'This Idempotency-Key was used before');
  }
  if (otherBody === 'replayed') return kept;
  if (otherBody === 'processed') return undefined;
  throw new Refusal('idempotencyKeyReused', 'This Idempotency-Key was used before, with another body');
}

/** The Idempotency-Key of a create (interface section 4.1); undefined for none where none is needed. */
export function checkKey(
  key: string | undefined,
  { required, format, longest }: Behaviour['keys'],
): string | undefined {
  if (!key) {
    if (!required) return undefined;
    throw new Refusal('idempotencyKeyMissing', 'The header Idempotency-Key is missing');
  }
  if (format === 'uuid' && !isUuid(key)) {
    throw new Refusal('idempotencyKeyInvalid', 'The Idempotency-Key is not a UUID');
  }
  if (longest !== null && key.length > longest) {
    throw new Refusal('idempotencyKeyInvalid', `The Idempotency-Key has more than ${longest} characters`);
  }
  return key;
}
