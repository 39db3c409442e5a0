import type { Behaviour } from '../behaviour.ts';
import { Refusal } from '../refusal.ts';
import type { KeptAnswer } from '../store/idempotency.ts';

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
