import { addAbortListener, once, setMaxListeners } from 'node:events';
import type { Clock } from '../../system/clock.ts';
import type { AttemptResult } from '../http/attempt-result.ts';
import type { Outcome } from '../responses/outcome.ts';
import { createPace, type PaceSign, type RequestLimits } from './concurrency.ts';
import { createBreaker, createRetryBudget, signOf } from './outage.ts';
import { createLine } from './queue.ts';
import { askedWait } from './server-wait.ts';
import type { Stop } from './stop.ts';

export interface AdmissionPolicy {
  clock: Clock;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** The longest single wait that the service may ask for. */
  maxWaitMilliseconds: number;
  /** How long the service may let nothing through; throttles alone count for every command. */
  maxOutageMilliseconds: number;
  /** Whether failures are sat out too, with one probe at a time. */
  sitsOutOutages: boolean;
  /** Told when nothing leaves for some time, and which wait it is. */
  onPause?: (milliseconds: number, reason: PauseReason) => void;
  /** How many requests may be under way, and how many may leave in a second; absent for no limit. */
  limits?: RequestLimits;
  stopping: AbortSignal;
  leaving: AbortSignal;
}

/** - `asked`: the service asks for it; - `outage`: it fails, and one probe at a time finds out when that is over */
export type PauseReason = 'server_requested' | 'outage';

export interface Entry {
  /** The wait of this attempt's own, in milliseconds. */
  wait: number;
  /** Whether the same was sent before and failed. */
  isRetry: boolean;
  /** Whether it waits for the end of an outage; it does not leave in one otherwise. */
  sitsOut: boolean;
  /** Aborted: it is not to leave any more. */
  abort: AbortSignal;
  /** Told how long it has to wait, when it has to. */
  onWait(milliseconds: number): void;
}

/** `isProbe`: everybody else waits for what comes of this attempt. */
export type Entered = { mayGo: true; isProbe: boolean } | { mayGo: false; stop: Stop | undefined };

/** The one place that every attempt of a client asks before it leaves, reads included. */
export interface Gate {
  enter(entry: Entry): Promise<Entered>;
  /** What came of an attempt that was let through, and after how long; must be called for each. */
  saw(attemptResult: AttemptResult, outcome: Outcome, isProbe: boolean, tookMilliseconds: number): void;
}

/** Those who leave together after a wait that they were asked for are spread over a tenth of it. */
const spread = 0.1;

export function createAdmission(policy: AdmissionPolicy): Gate {
  const { clock, random, maxWaitMilliseconds, maxOutageMilliseconds, sitsOutOutages } = policy;
  const breaker = createBreaker();
  const budget = createRetryBudget();
  const pace = createPace(policy.limits ?? { concurrency: Number.POSITIVE_INFINITY });
  const line = createLine<Entry>();
  const waiting = new Set<Entry>();
  let heldUntil = 0;
  let isProbing = false;
  let hasFailed = false;
  let stop: Stop | undefined;
  let change = newChange();
  const wake = () => {
    const changed = change;
    change = newChange();
    changed.abort();
  };
  addAbortListener(policy.stopping, wake);
  addAbortListener(policy.leaving, wake);

  /** When this entry may leave; undefined while it waits for what comes of another. */
  const leavesAt = (entry: Entry, earliest: number, now: number): number | undefined => {
    const held = heldUntil > now ? heldUntil + (heldUntil - now) * spread * random() : now;
    const probeAt = breaker.probeAt();
    if (probeAt === undefined) return Math.max(earliest, held, entry.isRetry ? budget.freeAt(now) : now);
    const [first] = waiting;
    if (isProbing || first !== entry) return undefined;
    return Math.max(held, Math.min(probeAt, (breaker.troubledSince() ?? now) + maxOutageMilliseconds));
  };

  const enter = async (entry: Entry): Promise<Entered> => {
    waiting.add(entry);
    const earliest = clock.now() + entry.wait;
    let told = 0;
    for (;;) {
      const isGivenUp = entry.abort.aborted || (breaker.probeAt() !== undefined && !entry.sitsOut);
      if (stop !== undefined || isGivenUp) {
        waiting.delete(entry);
        line.leave(entry);
        // Another may be the first to probe now.
        wake();
        return { mayGo: false, stop };
      }
      const now = clock.now();
      const at = leavesAt(entry, earliest, now);
      if (at !== undefined && at <= now) {
        const pacedAt = line.isFirst(entry) ? pace.leavesAt(now) : undefined;
        if (pacedAt !== undefined && pacedAt <= now) {
          waiting.delete(entry);
          line.leave(entry);
          pace.left(now);
          isProbing = breaker.probeAt() !== undefined;
          if (entry.isRetry && !isProbing) budget.spend(now);
          return { mayGo: true, isProbe: isProbing };
        }
        await (pacedAt === undefined
          ? line.turn(entry, change.signal)
          : clock.sleep(Math.ceil(pacedAt - now), change.signal));
        continue;
      }
      line.leave(entry);
      if (at !== undefined && at > told) entry.onWait(at - now);
      told = Math.max(told, at ?? 0);
      await (at === undefined
        ? once(change.signal, 'abort')
        : clock.sleep(Math.ceil(at - now), change.signal));
    }
  };

  return {
    enter,
    saw: (attemptResult, outcome, isProbe, tookMilliseconds) => {
      const now = clock.now();
      pace.came(paceSignOf(outcome), tookMilliseconds, now);
      line.callFirst();
      const asked = attemptResult.kind === 'response' ? askedWait(attemptResult, now) : undefined;
      if (asked !== undefined && now + asked > heldUntil) {
        heldUntil = now + asked;
        policy.onPause?.(asked, 'server_requested');
      }
      if (asked !== undefined && asked > maxWaitMilliseconds) {
        const [requestedMilliseconds, maxMilliseconds] = [asked, maxWaitMilliseconds];
        stop ??= { reason: 'wait_too_long', requestedMilliseconds, maxMilliseconds };
      }
      const sign = signOf(attemptResult, outcome);
      const probeAt = breaker.probeAt();
      if (isProbe) isProbing = false;
      if (sign === 'alive') budget.refund();
      if (sign !== undefined)
        breaker.saw(sign === 'failing' && !sitsOutOutages ? 'alive' : sign, now, isProbe);
      const nextProbe = breaker.probeAt();
      if (nextProbe !== undefined && nextProbe !== probeAt) policy.onPause?.(nextProbe - now, 'outage');
      const since = breaker.troubledSince();
      hasFailed = since !== undefined && (hasFailed || sign === 'failing');
      if (since !== undefined && now - since >= maxOutageMilliseconds) {
        stop ??= { reason: 'outage', maxMilliseconds: maxOutageMilliseconds, isThrottling: !hasFailed };
      }
      if (stop !== undefined || isProbe || breaker.probeAt() !== probeAt) wake();
    },
  };
}

function paceSignOf(outcome: Outcome): PaceSign {
  if (outcome === 'throttled') return 'throttled';
  return outcome === 'unknown' || outcome === 'not_sent' ? 'other' : 'fine';
}

function newChange(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
