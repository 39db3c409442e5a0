import type { Health } from './outage.ts';

export interface RequestLimits {
  /** Requests in flight at a time; `auto`: as many as the service takes well. */
  concurrency: number | 'auto';
  perSecond?: number | undefined;
}

/** Times are milliseconds since the epoch. */
export interface ConcurrencyLimiter {
  /** When the next request may start; undefined while all slots are taken. */
  nextSlotAt(now: number): number | undefined;
  started(now: number): void;
  finished(health: Health, tookMilliseconds: number, now: number): void;
}

const initialConcurrency = 4;
/** More requests in flight would only wait in a queue on one side or the other. */
export const maxConcurrency = 64;
/** Responses slower than this multiple of the fastest average show that the service is saturated. */
const saturationFactor = 2;
/** From this share of the rate limit on, the rate is taken for the cause of throttling. */
const nearRateLimit = 0.85;

/** Grows by one per window and falls by a third when throttled. If fewer requests are throttled again, the rate is the cause and is limited too. */
export function createConcurrencyLimiter({ concurrency, perSecond }: RequestLimits): ConcurrencyLimiter {
  const isFixed = concurrency !== 'auto';
  const concurrencyLimit = createLearnedLimit((rejected) => Math.max(1, rejected - 1));
  const rateLimit = createLearnedLimit(
    (rejected) => 0.7 * rejected,
    (rejected) => 0.94 * rejected,
  );
  let slots = isFixed ? concurrency : initialConcurrency;
  let inFlight = 0;
  let nextStart = 0;
  let window = { responses: 0, totalMilliseconds: 0, wasFull: false };
  let fastestAverage = Number.POSITIVE_INFINITY;
  let lastReduction = 0;
  const responseRate = createRateCounter();

  function closeWindow(now: number): void {
    const average = window.totalMilliseconds / window.responses;
    fastestAverage = Math.min(fastestAverage, average);
    const mayGrow = window.wasFull && average <= saturationFactor * fastestAverage + 1;
    if (mayGrow) {
      slots = Math.max(slots, Math.min(maxConcurrency, slots + 1, Math.floor(concurrencyLimit.at(now))));
    }
    window = { responses: 0, totalMilliseconds: 0, wasFull: false };
  }

  function reduce(now: number): void {
    const limit = rateLimit.at(now);
    const rate = responseRate.perSecond(now) ?? (isFixed ? Math.min(slots, limit) : limit);
    if (rate !== Number.POSITIVE_INFINITY && (isFixed || isRateTooHigh(rate, limit))) {
      rateLimit.reject(limit === Number.POSITIVE_INFINITY ? rate : limit, now);
      concurrencyLimit.clear();
    } else if (!isFixed) {
      concurrencyLimit.reject(slots, now);
      slots = Math.max(1, Math.floor((slots * 2) / 3));
    }
    window = { responses: 0, totalMilliseconds: 0, wasFull: false };
    responseRate.reset();
    lastReduction = now;
  }

  function isRateTooHigh(rate: number, limit: number): boolean {
    if (limit !== Number.POSITIVE_INFINITY) return rate >= nearRateLimit * limit;
    const rejected = concurrencyLimit.lastRejected();
    return rejected !== Number.POSITIVE_INFINITY && slots < rejected;
  }

  return {
    nextSlotAt: (now) => (inFlight >= slots ? undefined : Math.max(now, nextStart)),
    started(now) {
      inFlight += 1;
      if (inFlight >= slots) window.wasFull = true;
      const spacing = 1000 / Math.min(perSecond ?? Number.POSITIVE_INFINITY, rateLimit.at(now));
      nextStart = Math.max(nextStart, now - spacing) + spacing;
    },
    finished(health, tookMilliseconds, now) {
      inFlight -= 1;
      // Requests that started before the last reduction say nothing about the limits since then.
      if (now - tookMilliseconds < lastReduction) return;
      if (health === 'throttled') reduce(now);
      if (health !== 'healthy') return;
      responseRate.count(now);
      if (isFixed) return;
      window.responses += 1;
      window.totalMilliseconds += tookMilliseconds;
      if (window.responses >= slots) closeWindow(now);
    },
  };
}

/** A limit of the service, as far as its throttling has shown it. Times are milliseconds since the epoch. */
interface LearnedLimit {
  at(now: number): number;
  reject(value: number, now: number): void;
  lastRejected(): number;
  clear(): void;
}

const shortRest = 2000;
const minLongRest = 10_000;
const maxLongRest = 160_000;
/** Growth per second after a rest, before and after the limit has held once. */
const searchGrowth = 0.1;
const probeGrowth = 0.01;

/** Falls to `far` below a rejected value, rests and grows again; once a value has held for a whole rest, falls only to `near` and rests longer. */
function createLearnedLimit(
  far: (rejected: number) => number,
  near: (rejected: number) => number = far,
): LearnedLimit {
  let value = Number.POSITIVE_INFINITY;
  let lastRejected = Number.POSITIVE_INFINITY;
  let restsUntil = 0;
  let longRest = minLongRest;
  let hasHeld = false;
  return {
    at(now) {
      if (value === Number.POSITIVE_INFINITY) return value;
      const secondsOfGrowth = Math.max(0, (now - restsUntil) / 1000);
      return value * (1 + (hasHeld ? probeGrowth : searchGrowth)) ** secondsOfGrowth;
    },
    lastRejected: () => lastRejected,
    reject(rejected, now) {
      const isRested = value !== Number.POSITIVE_INFINITY && now >= restsUntil;
      if (hasHeld && isRested) longRest = Math.min(maxLongRest, longRest * 2);
      hasHeld ||= isRested;
      lastRejected = rejected;
      value = hasHeld ? near(rejected) : far(rejected);
      restsUntil = now + (hasHeld ? longRest : shortRest);
    },
    clear() {
      value = Number.POSITIVE_INFINITY;
      lastRejected = Number.POSITIVE_INFINITY;
      hasHeld = false;
    },
  };
}

interface RateCounter {
  count(now: number): void;
  reset(): void;
  /** Undefined when there were too few events. */
  perSecond(now: number): number | undefined;
}

interface Span {
  since: number;
  count: number;
}

const spanMilliseconds = 2000;
const minEvents = 5;

function createRateCounter(): RateCounter {
  let previous: Span | undefined;
  let current: Span | undefined;
  return {
    reset() {
      previous = undefined;
      current = undefined;
    },
    count(now) {
      if (current === undefined || now - current.since > 2 * spanMilliseconds) {
        previous = { since: now, count: 0 };
        current = { since: now, count: 0 };
      } else if (now - current.since > spanMilliseconds) {
        previous = current;
        current = { since: now, count: 0 };
      }
      current.count += 1;
    },
    perSecond(now) {
      const count = (previous?.count ?? 0) + (current?.count ?? 0);
      if (previous === undefined || count < minEvents) return undefined;
      return count / (Math.max(1, now - previous.since) / 1000);
    },
  };
}
