import { addAbortListener, once, setMaxListeners } from 'node:events';
import type { Clock } from '../../system/system.ts';
import { createConcurrencyLimiter, type RequestLimits } from './limiter.ts';
import {
  createCircuitBreaker,
  createOverloadDetector,
  createRetryBudget,
  type Health,
  isUp,
} from './outage.ts';
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
  onPause?: (milliseconds: number, reason: PauseReason) => void;
  limits?: RequestLimits;
  stopping: AbortSignal;
  leaving: AbortSignal;
}

type PauseReason = 'server_requested' | 'outage';

interface PendingAttempt {
  backoffMilliseconds: number;
  isWrite: boolean;
  isRetry: boolean;
  waitsForOutage: boolean;
  abort: AbortSignal;
  /** `requestedMilliseconds`: the rest of a server-requested wait. */
  onWait(milliseconds: number, requestedMilliseconds: number | undefined): void;
}

type Admitted =
  | { mayLeave: true; isProbe: boolean; inFlight: number }
  | { mayLeave: false; stop: Stop | undefined };

interface AttemptReport {
  isCreate: boolean;
  health: Health;
  showsService: boolean;
  title: string | undefined;
  isUnavailable: boolean;
  serverWait: number | undefined;
  isProbe: boolean;
  inFlight: number;
  tookMilliseconds: number;
}

export interface Admission {
  enter(attempt: PendingAttempt): Promise<Admitted>;
  /** Called when the request leaves; it may have waited for a connection since it was admitted. */
  sending(): void;
  /** Call once for each admitted attempt. Returns its health as pacing judged it. */
  completed(report: AttemptReport): Health;
  isServiceKnown(): boolean;
  hasWritten(): boolean;
}

/** Times are milliseconds since the epoch. */
export interface DepartureConditions {
  now: number;
  backoffUntil: number;
  serverWaitUntil: number;
  retryBudgetAt: number;
  /** Undefined while the circuit is closed. `isNextProbe`: no probe is in flight, and this attempt has waited longest. */
  outage: { probeAt: number; isNextProbe: boolean } | undefined;
  isFirstInQueue: boolean;
  slotAt: number | undefined;
}

export type Departure =
  | { kind: 'leave' }
  | { kind: 'until'; time: number; reason: 'backoff' | 'server_wait' | 'retry_budget' | 'outage' | 'rate' }
  | { kind: 'another'; reason: 'probe' | 'queue' | 'concurrency' };

/** The only place that decides when an attempt may leave. The first condition that delays it counts. */
export function departureOf(conditions: DepartureConditions): Departure {
  const { now, outage, slotAt } = conditions;
  if (outage?.isNextProbe === false) return { kind: 'another', reason: 'probe' };
  let time = now;
  let reason: Extract<Departure, { kind: 'until' }>['reason'] | undefined;
  const waitUntil = (until: number, why: typeof reason) => {
    if (until > time) [time, reason] = [until, why];
  };
  waitUntil(conditions.serverWaitUntil, 'server_wait');
  // A probe needs neither backoff nor retry budget: the circuit breaker spaces the probes.
  if (outage === undefined) {
    waitUntil(conditions.backoffUntil, 'backoff');
    waitUntil(conditions.retryBudgetAt, 'retry_budget');
  } else waitUntil(outage.probeAt, 'outage');
  if (reason !== undefined) return { kind: 'until', time, reason };
  if (!conditions.isFirstInQueue) return { kind: 'another', reason: 'queue' };
  if (slotAt === undefined) return { kind: 'another', reason: 'concurrency' };
  return slotAt > now ? { kind: 'until', time: slotAt, reason: 'rate' } : { kind: 'leave' };
}

/** After this many unexpected responses in a row, the address is wrong. */
const maxUnexpectedResponses = 20;

const spread = 0.1;

export function createAdmission(policy: AdmissionPolicy): Admission {
  const { clock, random, maxWaitMilliseconds, maxOutageMilliseconds, hasWaitFlags, waitsForOutages } = policy;
  const breaker = createCircuitBreaker();
  const budget = createRetryBudget();
  const overload = createOverloadDetector();
  const limiter = createConcurrencyLimiter(policy.limits ?? { concurrency: Number.POSITIVE_INFINITY });
  const pending = new Set<PendingAttempt>();
  const queue = createWaitQueue<PendingAttempt>();
  let serverWaitUntil = 0;
  let isProbing = false;
  let [isServiceKnown, hasWritten] = [false, false];
  let stop: Stop | undefined;
  let change = newChange();
  const wakeAll = () => {
    const previous = change;
    change = newChange();
    previous.abort();
    queue.wakeAll();
  };
  addAbortListener(policy.stopping, wakeAll);
  addAbortListener(policy.leaving, wakeAll);

  const slotAfter = (now: number) => {
    const ticks = clock.monotonic();
    const slotAt = limiter.nextSlotAt(ticks);
    return slotAt === undefined ? undefined : now + slotAt - ticks;
  };

  const outageOf = (attempt: PendingAttempt, probeAt: number, now: number) => {
    const end = (breaker.trouble()?.since ?? now) + maxOutageMilliseconds;
    const [longestPending] = pending;
    return { probeAt: Math.min(probeAt, end), isNextProbe: !isProbing && longestPending === attempt };
  };

  const conditionsOf = (attempt: PendingAttempt, backoffUntil: number, now: number): DepartureConditions => {
    const serverWait = Math.max(0, serverWaitUntil - now);
    const probeAt = breaker.nextProbeAt();
    return {
      now,
      backoffUntil,
      serverWaitUntil: serverWait > 0 ? serverWaitUntil + serverWait * spread * random() : now,
      retryBudgetAt: attempt.isRetry ? budget.freeAt(now) : now,
      outage: probeAt === undefined ? undefined : outageOf(attempt, probeAt, now),
      isFirstInQueue: queue.isFirst(attempt),
      slotAt: slotAfter(now),
    };
  };

  const leaveQueue = (attempt: PendingAttempt) => {
    queue.leave(attempt);
    queue.wakeFirst();
  };

  const isGivenUp = ({ abort, waitsForOutage }: PendingAttempt) =>
    stop !== undefined || abort.aborted || (breaker.nextProbeAt() !== undefined && !waitsForOutage);

  const enter = async (attempt: PendingAttempt): Promise<Admitted> => {
    pending.add(attempt);
    const backoffUntil = clock.now() + attempt.backoffMilliseconds;
    let announcedUntil = 0;
    while (!isGivenUp(attempt)) {
      const now = clock.now();
      const departure = departureOf(conditionsOf(attempt, backoffUntil, now));
      if (departure.kind === 'leave') {
        pending.delete(attempt);
        queue.leave(attempt);
        hasWritten ||= attempt.isWrite;
        const inFlight = limiter.started(clock.monotonic());
        if (slotAfter(now) !== undefined) queue.wakeFirst();
        isProbing = breaker.nextProbeAt() !== undefined;
        if (attempt.isRetry && !isProbing) budget.spend(now);
        return { mayLeave: true, isProbe: isProbing, inFlight };
      }
      const { kind, reason } = departure;
      const needsSlot = reason === 'queue' || reason === 'concurrency' || reason === 'rate';
      if (needsSlot) queue.join(attempt);
      else leaveQueue(attempt);
      if (kind === 'until') {
        if (!needsSlot && departure.time > announcedUntil) {
          attempt.onWait(departure.time - now, reason === 'server_wait' ? serverWaitUntil - now : undefined);
          announcedUntil = departure.time;
        }
        const wait = departure.time - now;
        await clock.sleep(reason === 'rate' ? wait : Math.ceil(wait), change.signal);
      } else if (reason === 'probe') {
        await once(change.signal, 'abort');
      } else if (reason === 'concurrency' || !queue.isFirst(attempt)) {
        await queue.wait(attempt);
      }
    }
    pending.delete(attempt);
    leaveQueue(attempt);
    // Another attempt may be the next probe now.
    wakeAll();
    return { mayLeave: false, stop };
  };

  const pauseForService = (serverWait: number, now: number) => {
    if (now + serverWait > serverWaitUntil) {
      serverWaitUntil = now + serverWait;
      policy.onPause?.(serverWait, 'server_requested');
    }
    if (serverWait > maxWaitMilliseconds) {
      stop ??= {
        reason: 'wait_too_long',
        requestedMilliseconds: serverWait,
        maxMilliseconds: maxWaitMilliseconds,
        hasFlag: hasWaitFlags,
      };
    }
  };

  const sending = () => {
    const ticks = clock.monotonic();
    limiter.sending(ticks);
    if (limiter.nextSlotAt(ticks) !== undefined) queue.wakeFirst();
  };

  const completed = (report: AttemptReport) => {
    const { isCreate, showsService, title, serverWait, isProbe, inFlight, tookMilliseconds } = report;
    const now = clock.now();
    isServiceKnown ||= showsService;
    const health = waitsForOutages
      ? overload.judge(report, limiter.hasFoundLimit(clock.monotonic()), now)
      : report.health;
    const isTimed = serverWait !== undefined;
    limiter.finished({ health, isTimed, tookMilliseconds, inFlight }, clock.monotonic());
    queue.wakeFirst();
    if (serverWait !== undefined) pauseForService(serverWait, now);
    if (isProbe) isProbing = false;
    if (isUp(health)) budget.refund();
    const probeBefore = breaker.nextProbeAt();
    // A single command does not wait out failures, so they do not open the circuit.
    const isFailure = health === 'failing' || health === 'unexpected';
    const counted = isFailure && !waitsForOutages ? 'inconclusive' : health;
    breaker.record({ health: counted, isProbe, isCreate }, now);
    const nextProbe = breaker.nextProbeAt();
    if (nextProbe !== undefined && nextProbe !== probeBefore) policy.onPause?.(nextProbe - now, 'outage');
    if (breaker.unexpectedResponses() >= maxUnexpectedResponses) {
      stop ??= { reason: 'unexpected_responses', count: maxUnexpectedResponses, title };
    }
    const trouble = breaker.trouble();
    if (trouble !== undefined && now - trouble.since >= maxOutageMilliseconds) {
      stop ??= {
        reason: 'outage',
        maxMilliseconds: maxOutageMilliseconds,
        hasFlag: hasWaitFlags,
        isThrottling: !trouble.hasFailures,
      };
    }
    if (stop !== undefined || isProbe || nextProbe !== probeBefore) wakeAll();
    return health;
  };

  return { enter, sending, completed, isServiceKnown: () => isServiceKnown, hasWritten: () => hasWritten };
}

function newChange(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** First in, first out. Only the first is woken, so that a free slot does not wake all. */
interface WaitQueue<Waiter extends object> {
  join(waiter: Waiter): void;
  isFirst(waiter: Waiter): boolean;
  leave(waiter: Waiter): void;
  wait(waiter: Waiter): Promise<void>;
  wakeFirst(): void;
  wakeAll(): void;
}

function createWaitQueue<Waiter extends object>(): WaitQueue<Waiter> {
  const queue = new Set<Waiter>();
  const wakers = new Map<Waiter, () => void>();
  let first: Waiter | undefined;
  const wake = (waiter: Waiter) => {
    wakers.get(waiter)?.();
    wakers.delete(waiter);
  };
  return {
    join(waiter) {
      queue.add(waiter);
      first ??= waiter;
    },
    isFirst: (waiter) => first === waiter,
    leave(waiter) {
      queue.delete(waiter);
      wakers.delete(waiter);
      if (first === waiter) first = queue.values().next().value;
    },
    wait: (waiter) => new Promise((resolve) => void wakers.set(waiter, resolve)),
    wakeFirst: () => first !== undefined && wake(first),
    wakeAll() {
      for (const waiter of queue) wake(waiter);
    },
  };
}
