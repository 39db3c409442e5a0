import type { Answer } from './observation.ts';
import { rateLimitMilliseconds } from './rate-limit.ts';
import { retryAfterMilliseconds } from './retry-after.ts';

/** The wait that a service asks of all who send with this client, in milliseconds; `Retry-After` goes before the rest. */
export function askedWait(answer: Answer, now: number): number | undefined {
  const told = canBeRetried(answer.status) ? retryAfterMilliseconds(answer, now) : undefined;
  return told ?? rateLimitMilliseconds(answer, now);
}

/** On any other status `Retry-After` speaks of something else. */
function canBeRetried(status: number): boolean {
  return status >= 500 || [408, 409, 425, 429].includes(status);
}
