import { Refusal } from '../refusal.ts';
import type { KeptAnswer } from '../store/idempotency.ts';

/** The answer to a key that came before: the old one for the same bytes, which only a success leaves behind. */
export function repeatAnswer(kept: KeptAnswer, bodyHash: string): KeptAnswer {
  if (kept.bodyHash === bodyHash) return kept;
  throw new Refusal('idempotencyKeyReused', 'This Idempotency-Key was used before, with another body');
}
