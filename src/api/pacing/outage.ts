import type { AttemptResult } from '../http/attempt-result.ts';
import type { Outcome } from '../responses/outcome.ts';

/** Since when a service lets nothing through, and when to ask it next. Times are milliseconds since the epoch. */
export interface Breaker {
  saw(sign: Sign, now: number, isProbe: boolean): void;
  /** When the next probe may leave; undefined while everybody may send. */
  probeAt(): number | undefined;
  /** Since when nothing but throttles and failures came; undefined when the last sign was a good one. */
  troubledSince(): number | undefined;
}

const mostFailures = 20;
const firstSpacing = 1000;
const longestSpacing = 60_000;

export function createBreaker(): Breaker {
  let failures = 0;
  let since: number | undefined;
  let spacing = firstSpacing;
  let probeAt: number | undefined;
  const close = () => {
    failures = 0;
    spacing = firstSpacing;
    probeAt = undefined;
  };
  return {
    saw: (sign, now, isProbe) => {
      since = sign === 'alive' ? undefined : (since ?? now);
      if (sign !== 'failing') return close();
      failures += 1;
      if (probeAt === undefined ? failures < mostFailures : !isProbe) return;
      if (isProbe) spacing = Math.min(longestSpacing, spacing * 2);
      probeAt = now + spacing;
    },
    probeAt: () => probeAt,
    troubledSince: () => since,
  };
}

/** How often a whole run may send something again: what keeps many orders from hammering a service that fails. */
export interface RetryBudget {
  /** When the next retry may leave; `now` when one may at once. Milliseconds since the epoch. */
  freeAt(now: number): number;
  spend(now: number): void;
  /** Something succeeded. */
  refund(): void;
}

const most = 100;
const perSecond = 1;

export function createRetryBudget(): RetryBudget {
  let retries = most;
  let counted = 0;
  const refill = (now: number) => {
    if (counted !== 0) retries = Math.min(most, retries + ((now - counted) / 1000) * perSecond);
    counted = now;
  };
  return {
    freeAt: (now) => {
      refill(now);
      return retries >= 1 ? now : now + Math.ceil(((1 - retries) / perSecond) * 1000);
    },
    spend: (now) => {
      refill(now);
      retries -= 1;
    },
    refund: () => {
      retries = Math.min(most, retries + 1);
    },
  };
}

/** What an attempt says of the service, whatever it says of the order. */
export type Sign = 'alive' | 'throttling' | 'failing';

/** Undefined for an idle connection that was closed: services do that when they are well. */
export function signOf(attemptResult: AttemptResult, outcome: Outcome): Sign | undefined {
  if (attemptResult.kind === 'failure') return attemptResult.closedWhileIdle ? undefined : 'failing';
  if (outcome === 'throttled') return 'throttling';
  return attemptResult.status >= 500 ? 'failing' : 'alive';
}
