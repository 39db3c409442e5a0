import { isUuid } from '../../orders/order-reference.ts';
import type { Behaviour } from '../behaviour.ts';
import { Refusal } from '../refusal.ts';

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
