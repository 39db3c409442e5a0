import type { AttemptResult } from '../http/attempt-result.ts';
import type { Outcome } from '../responses/outcome.ts';

/** `inconclusive`: a response that proves nothing (408, 425, a 2xx without what was asked for). `idle_close`: healthy services do that as well. */
export type Health = 'healthy' | 'inconclusive' | 'throttled' | 'failing' | 'idle_close';

/** The only place that derives the health of the service from an attempt. */
export function healthOf(attemptResult: AttemptResult, outcome: Outcome): Health {
  if (attemptResult.kind === 'failure') return attemptResult.closedWhileIdle ? 'idle_close' : 'failing';
  if (outcome === 'throttled') return 'throttled';
  if (attemptResult.status >= 500) return 'failing';
  return outcome === 'unknown' ? 'inconclusive' : 'healthy';
}

export function isUp(health: Health): boolean {
  return health === 'healthy' || health === 'inconclusive';
}

/** Stops all requests but single probes while the service fails. Times are milliseconds since the epoch. */
export interface CircuitBreaker {
  record(health: Health, now: number, isProbe: boolean): void;
  /** When the next probe may leave; undefined while the circuit is closed and every request may leave. */
  nextProbeAt(): number | undefined;
  trouble(): Trouble | undefined;
}

interface Trouble {
  since: number;
  hasFailures: boolean;
}

const maxFailures = 20;
const firstSpacing = 1000;
const maxSpacing = 60_000;

export function createCircuitBreaker(): CircuitBreaker {
  let failures = 0;
  let spacing = firstSpacing;
  let probeAt: number | undefined;
  let trouble: Trouble | undefined;
  const close = () => {
    failures = 0;
    spacing = firstSpacing;
    probeAt = undefined;
  };
  return {
    record(health, now, isProbe) {
      if (health === 'idle_close') return;
      const isFailure = health === 'failing';
      trouble = isUp(health)
        ? undefined
        : { since: trouble?.since ?? now, hasFailures: isFailure || trouble?.hasFailures === true };
      if (!isFailure) return close();
      failures += 1;
      // Once the circuit is open, only a failed probe postpones the next one.
      if (probeAt === undefined ? failures < maxFailures : !isProbe) return;
      if (isProbe) spacing = Math.min(maxSpacing, spacing * 2);
      probeAt = now + spacing;
    },
    nextProbeAt: () => probeAt,
    trouble: () => trouble,
  };
}

/** Limits the retries of a whole run. Times are milliseconds since the epoch. */
export interface RetryBudget {
  freeAt(now: number): number;
  spend(now: number): void;
  refund(): void;
}

const maxRetries = 100;
const retriesPerSecond = 1;

export function createRetryBudget(): RetryBudget {
  let retries = maxRetries;
  let refilledAt = 0;
  const refill = (now: number) => {
    if (refilledAt !== 0) {
      retries = Math.min(maxRetries, retries + ((now - refilledAt) / 1000) * retriesPerSecond);
    }
    refilledAt = now;
  };
  return {
    freeAt(now) {
      refill(now);
      return retries >= 1 ? now : now + Math.ceil(((1 - retries) / retriesPerSecond) * 1000);
    },
    spend(now) {
      refill(now);
      retries -= 1;
    },
    refund() {
      retries = Math.min(maxRetries, retries + 1);
    },
  };
}
