import type { Answer } from './observation.ts';

const replayHeaders = [
  'idempotent-replayed',
  'idempotency-replayed',
  'idempotency-replay',
  'x-idempotency-replayed',
  'x-idempotency-status',
  'idempotency-status',
  'request-idempotency',
];

/** Whether an answer says of itself that it repeats an earlier one; the interface shows no such sign (section 4.1). */
export function isReplayed(answer: Answer): boolean {
  return replayHeaders.some((name) => /^(?:true|1|yes|replayed)$/i.test(answer.headers[name] ?? ''));
}
