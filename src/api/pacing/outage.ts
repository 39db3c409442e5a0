import type { AttemptResult, Operation } from '../http/attempt-result.ts';
import type { Outcome } from '../responses/outcome.ts';
import { isWebPage } from '../responses/page-text.ts';

/**
 * `inconclusive`: proves nothing (408, 425, a create answered with a 2xx without an order: its lookup will tell).
 * `unexpected`: a 2xx that is not from the merchant orders API: a web page, or any other response to a read.
 * `idle_close`: healthy services do that as well.
 */
export type Health = 'healthy' | 'inconclusive' | 'throttled' | 'failing' | 'unexpected' | 'idle_close';

/** The only place that derives the health of the service from an attempt. */
export function healthOf(attemptResult: AttemptResult, outcome: Outcome): Health {
  if (attemptResult.kind === 'failure') return attemptResult.closedWhileIdle ? 'idle_close' : 'failing';
  if (outcome === 'throttled') return 'throttled';
  if (attemptResult.status >= 500) return 'failing';
  const isOpen = outcome === 'unknown' || outcome === 'no_order' || outcome === 'unreadable';
  if (!isOpen) return 'healthy';
  if (attemptResult.status >= 300) return 'inconclusive';
  return outcome === 'no_order' && !isWebPage(attemptResult) ? 'inconclusive' : 'unexpected';
}

interface JudgedAttempt {
  health: Health;
  isUnavailable: boolean;
  /** The limiter has found a limit of the service. */
  isLimited: boolean;
  serverWait: number | undefined;
  tookMilliseconds: number;
}

const minSuccesses = 3;
const burst = { attempts: 8, rejections: 4 };
/** A rejection is at least this fast, or as fast as a success. */
const fastMilliseconds = 50;
const averagedSuccesses = 10;
/** How long a success and a burst count. */
const memoryMilliseconds = 60_000;
/** An overloaded service requests a short wait, a failing one a longer wait. */
const maxWaitOfRejection = 10_000;

/** Distinguishes an overloaded service that responds with 503 from a failing one. Times are milliseconds since the epoch. */
export function createOverloadDetector() {
  let successes = 0;
  let successMilliseconds = 0;
  let lastSuccess = Number.NEGATIVE_INFINITY;
  let lastBurst = Number.NEGATIVE_INFINITY;
  let recent: boolean[] = [];
  const add = (isRejection: boolean) => {
    recent = [...recent.slice(1 - burst.attempts), isRejection];
  };
  return {
    /** Changes only pacing, not what the attempt proves about its order. */
    judge(
      { health, isUnavailable, isLimited, serverWait, tookMilliseconds }: JudgedAttempt,
      now: number,
    ): Health {
      if (health === 'healthy') {
        successes += 1;
        const weight = 1 / Math.min(successes, averagedSuccesses);
        successMilliseconds += (tookMilliseconds - successMilliseconds) * weight;
        lastSuccess = now;
        add(false);
      }
      if (health !== 'failing' || !isUnavailable) return health;
      const isFast = tookMilliseconds <= Math.max(fastMilliseconds, successMilliseconds);
      const isAmongSuccesses = successes >= minSuccesses && now - lastSuccess <= memoryMilliseconds;
      if (!isFast || !isAmongSuccesses) return health;
      add(true);
      if (recent.filter(Boolean).length >= burst.rejections) lastBurst = now;
      const isOverloaded = isLimited || now - lastBurst <= memoryMilliseconds;
      const isShortWait = serverWait !== undefined && serverWait <= maxWaitOfRejection;
      return isOverloaded || isShortWait ? 'throttled' : health;
    },
  };
}

interface Trouble {
  since: number;
  /** Nothing but throttling. */
  isThrottling: boolean;
}

const maxFailures = 20;
const firstSpacing = 1000;
const maxSpacing = 60_000;

/** Stops all requests but single probes while the service fails. Times are milliseconds since the epoch. */
export function createCircuitBreaker(policy: { waitsForOutages: boolean; maxOutageMilliseconds: number }) {
  let failures = 0;
  const unexpected = { creates: 0, others: 0 };
  let spacing = firstSpacing;
  let probeAt: number | undefined;
  let trouble: Trouble | undefined;
  const close = () => {
    failures = 0;
    spacing = firstSpacing;
    probeAt = undefined;
  };
  return {
    record(
      { health, isProbe, operation }: { health: Health; isProbe: boolean; operation: Operation },
      now: number,
    ) {
      if (health === 'idle_close') return;
      // A single command does not wait out failures, so they do not open the circuit.
      const isFailure = policy.waitsForOutages && (health === 'failing' || health === 'unexpected');
      // If only creates get a web page, responses to lookups prove nothing about them.
      const kind = operation === 'create' ? 'creates' : 'others';
      if (health === 'healthy') unexpected[kind] = 0;
      if (isFailure && health === 'unexpected') unexpected[kind] += 1;
      const since = trouble?.since ?? now;
      const isThrottling = !isFailure && trouble?.isThrottling !== false;
      trouble = isFailure || health === 'throttled' ? { since, isThrottling } : undefined;
      if (!isFailure) return close();
      failures += 1;
      // Once the circuit is open, only a failed probe postpones the next one.
      if (probeAt === undefined ? failures < maxFailures : !isProbe) return;
      if (isProbe) spacing = Math.min(maxSpacing, spacing * 2);
      probeAt = Math.min(now + spacing, since + policy.maxOutageMilliseconds);
    },
    /** Undefined while the circuit is closed. */
    nextProbeAt: () => probeAt,
    trouble: () => trouble,
    /** Since the last healthy response: to creates or to other requests, whichever are more. */
    unexpectedResponses: () => Math.max(unexpected.creates, unexpected.others),
  };
}

const maxRetries = 100;
const retriesPerSecond = 1;

/** Limits the retries of a whole run. Times are milliseconds since the epoch. */
export function createRetryBudget() {
  let retries = maxRetries;
  let refilledAt = 0;
  const refill = (now: number) => {
    retries = Math.min(maxRetries, retries + ((now - refilledAt) / 1000) * retriesPerSecond);
    refilledAt = now;
  };
  return {
    freeAt(now: number) {
      refill(now);
      return retries >= 1 ? now : now + Math.ceil(((1 - retries) / retriesPerSecond) * 1000);
    },
    spend(now: number) {
      refill(now);
      retries -= 1;
    },
    refund() {
      retries = Math.min(maxRetries, retries + 1);
    },
  };
}
