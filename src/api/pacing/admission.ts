import { addAbortListener, setMaxListeners } from 'node:events';
import type { Clock } from '../../system/system.ts';
import type { AttemptResult, Operation } from '../http/attempt-result.ts';
import { pageTitle } from '../responses/message-text.ts';
import { type Outcome, showsService } from '../responses/outcome.ts';
import { createConcurrencyLimiter, type RequestLimits } from './limiter.ts';
import { createCircuitBreaker, createOverloadDetector, createRetryBudget, healthOf } from './outage.ts';
import { serverRequestedWait } from './server-wait.ts';
import type { Stop } from './stop.ts';

export interface AdmissionPolicy {
  clock: Clock;
  random(): number;
  maxWaitMilliseconds: number;
  /** Throttling counts for every command, failures only with `waitsForOutages`. */
  maxOutageMilliseconds: number;
  /** The command has `--max-wait` and `--max-outage`, which errors should name. */
  hasWaitFlags: boolean;
  waitsForOutages: boolean;
  onPause?: ((milliseconds: number, reason: 'server_requested' | 'outage') => void) | undefined;
  limits?: RequestLimits | undefined;
  /** When aborted, nothing new begins and no wait goes on. */
  stopping: AbortSignal;
  /** When aborted, requests in flight are given up. */
  leaving: AbortSignal;
}

interface PendingAttempt {
  backoffMilliseconds: number;
  isWrite: boolean;
  isRetry: boolean;
  waitsForOutage: boolean;
  abort: AbortSignal;
  /** `requestedMilliseconds`: the rest of a server-requested wait, if that is the reason; otherwise 0. */
  onWait(milliseconds: number, requestedMilliseconds: number): void;
}

interface AdmittedAttempt {
  isProbe: boolean;
  /** Requests in flight, this one included. */
  inFlight: number;
}

interface CompletedAttempt extends AdmittedAttempt {
  operation: Operation;
  attemptResult: AttemptResult;
  outcome: Outcome;
  tookMilliseconds: number;
}

/** After this many unexpected responses in a row, the address is wrong. */
const maxUnexpectedResponses = 20;

const spread = 0.1;

export function createAdmission(policy: AdmissionPolicy) {
  const { clock, random, maxWaitMilliseconds, maxOutageMilliseconds, waitsForOutages } = policy;
  const hasFlag = policy.hasWaitFlags;
  const breaker = createCircuitBreaker(policy);
  const budget = createRetryBudget();
  const overload = createOverloadDetector();
  const limiter = createConcurrencyLimiter(policy.limits ?? { concurrency: Number.POSITIVE_INFINITY });
  /** With what wakes each. Only the first is woken, so that a free slot does not wake all. */
  const queue = new Map<PendingAttempt, () => void>();
  let serverWaitUntil = 0;
  let isProbing = false;
  let [isServiceKnown, hasWritten] = [false, false];
  let stop: Stop | undefined;
  let change = newChange();
  const wakeFirst = () => queue.values().next().value?.();
  const wakeAll = () => {
    const previous = change;
    change = newChange();
    previous.abort();
    for (const wake of queue.values()) wake();
  };
  addAbortListener(policy.stopping, wakeAll);
  addAbortListener(policy.leaving, wakeAll);

  const isFirstInQueue = (attempt: PendingAttempt) => {
    if (!queue.has(attempt)) queue.set(attempt, () => {});
    return queue.keys().next().value === attempt;
  };
  const waitInQueue = (attempt: PendingAttempt) =>
    new Promise<void>((resolve) => void queue.set(attempt, resolve));
  const leaveQueue = (attempt: PendingAttempt) => {
    queue.delete(attempt);
    wakeFirst();
  };

  const slotAfter = (now: number) => {
    const ticks = clock.monotonic();
    const slotAt = limiter.nextSlotAt(ticks);
    return slotAt === undefined ? undefined : now + slotAt - ticks;
  };

  const leave = (attempt: PendingAttempt, now: number): AdmittedAttempt => {
    queue.delete(attempt);
    hasWritten ||= attempt.isWrite;
    const inFlight = limiter.started(clock.monotonic());
    if (slotAfter(now) !== undefined) wakeFirst();
    isProbing = breaker.nextProbeAt() !== undefined;
    if (attempt.isRetry) budget.spend(now);
    return { isProbe: isProbing, inFlight };
  };

  const isGivenUp = ({ abort, waitsForOutage }: PendingAttempt) =>
    stop !== undefined || abort.aborted || (breaker.nextProbeAt() !== undefined && !waitsForOutage);

  /**
   * The only place that decides when an attempt may leave. Resolves when it may; to undefined if it may not, because of
   * `stop` or an abort.
   */
  const enter = async (attempt: PendingAttempt): Promise<AdmittedAttempt | undefined> => {
    const backoffUntil = clock.now() + attempt.backoffMilliseconds;
    let announcedUntil = 0;
    while (!isGivenUp(attempt)) {
      const now = clock.now();
      const probeAt = breaker.nextProbeAt();
      const requested = Math.max(0, serverWaitUntil - now);
      const requestedUntil = requested > 0 ? now + requested * (1 + spread * random()) : now;
      // A probe needs neither backoff nor retry budget: the circuit breaker spaces the probes.
      const own = probeAt ?? Math.max(backoffUntil, attempt.isRetry ? budget.freeAt(now) : now);
      const until = Math.max(requestedUntil, own);
      const isProbe = probeAt !== undefined;
      const slotAt = slotAfter(now);
      if (until > now && !isProbe) leaveQueue(attempt);
      else if (!isFirstInQueue(attempt) || (isProbe && isProbing)) {
        await waitInQueue(attempt);
        continue;
      }
      if (until > now) {
        if (until > announcedUntil) {
          attempt.onWait(until - now, own < requestedUntil ? requested : 0);
          announcedUntil = until;
        }
        await clock.sleep(Math.ceil(until - now), change.signal);
      } else if (slotAt === undefined) await waitInQueue(attempt);
      else if (slotAt > now) await clock.sleep(slotAt - now, change.signal);
      else return leave(attempt, now);
    }
    leaveQueue(attempt);
    return undefined;
  };

  const pauseForService = (serverWait: number, now: number) => {
    if (now + serverWait > serverWaitUntil) {
      serverWaitUntil = now + serverWait;
      policy.onPause?.(serverWait, 'server_requested');
    }
    if (serverWait <= maxWaitMilliseconds) return;
    const [requestedMilliseconds, maxMilliseconds] = [serverWait, maxWaitMilliseconds];
    stop ??= { reason: 'wait_too_long', requestedMilliseconds, maxMilliseconds, hasFlag };
  };

  /** Called when the request leaves; it may have waited for a connection since it was admitted. */
  const sending = () => {
    const ticks = clock.monotonic();
    limiter.sending(ticks);
    if (limiter.nextSlotAt(ticks) !== undefined) wakeFirst();
  };

  /** Call once for each admitted attempt. Returns its health as pacing judged it. */
  const completed = (attempt: CompletedAttempt) => {
    const { operation, attemptResult, outcome, isProbe } = attempt;
    const [now, ticks] = [clock.now(), clock.monotonic()];
    isServiceKnown ||= showsService(operation, outcome);
    const serverWait = serverRequestedWait(attemptResult, now);
    const seen = healthOf(attemptResult, outcome);
    const isUnavailable = attemptResult.kind === 'response' && attemptResult.status === 503;
    const isLimited = limiter.hasFoundLimit(ticks);
    const health = waitsForOutages
      ? overload.judge({ ...attempt, health: seen, serverWait, isUnavailable, isLimited }, now)
      : seen;
    limiter.finished({ ...attempt, health, isTimed: serverWait !== undefined }, ticks);
    wakeFirst();
    if (serverWait !== undefined) pauseForService(serverWait, now);
    if (isProbe) isProbing = false;
    if (health === 'healthy' || health === 'inconclusive') budget.refund();
    const probeBefore = breaker.nextProbeAt();
    breaker.record({ ...attempt, health }, now);
    const nextProbe = breaker.nextProbeAt();
    if (nextProbe !== undefined && nextProbe !== probeBefore) policy.onPause?.(nextProbe - now, 'outage');
    if (breaker.unexpectedResponses() >= maxUnexpectedResponses) {
      const title = attemptResult.kind === 'response' ? pageTitle(attemptResult.text) : undefined;
      stop ??= { reason: 'unexpected_responses', count: maxUnexpectedResponses, title };
    }
    const trouble = breaker.trouble();
    if (trouble !== undefined && now - trouble.since >= maxOutageMilliseconds) {
      const { isThrottling } = trouble;
      stop ??= { reason: 'outage', maxMilliseconds: maxOutageMilliseconds, isThrottling, hasFlag };
    }
    if (stop !== undefined || nextProbe !== probeBefore) wakeAll();
    return { health, serverWait };
  };

  return {
    enter,
    sending,
    completed,
    stop: () => stop,
    isServiceKnown: () => isServiceKnown,
    hasWritten: () => hasWritten,
  };
}

function newChange(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
