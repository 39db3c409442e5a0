/** What this machine knows of one order: `intent` and `unknown` are attempts that nobody knows the end of. */
export type OrderState = 'intent' | 'created' | 'rejected' | 'unknown';

export interface LedgerEntry {
  externalOrderId: string;
  /** Hash of the exact body that was sent. */
  bodyHash: string;
  idempotencyKey: string;
  generation: number;
  state: OrderState;
  orderId: string | null;
  orderNumber: string | null;
  /** The service's code of a refusal, or `notCompared`. */
  code: string | null;
  /** The run of the first attempt, which created the order when one did; empty when it was there before. */
  run: string;
  /** The run that sends it, or sent it last. */
  holder: string;
  /** Milliseconds since the epoch: the last attempt that may have been processed, when there was one. */
  unknownAt: number | null;
  /** The same: the first time that the service said that the order is there, and it was not found. */
  disputedAt: number | null;
}

/** The code of an order that was found under the own id of an open attempt, whatever its content is. */
export const notCompared = 'not_compared';

/** Somebody sent it, and nobody knows what came of that. */
export function isOpen({ state }: Pick<LedgerEntry, 'state'>): boolean {
  return state === 'intent' || state === 'unknown';
}
