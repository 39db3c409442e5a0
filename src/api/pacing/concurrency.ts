import { createLearnedRate } from './learned-rate.ts';
import type { Health } from './outage.ts';

export interface RequestLimits {
  /** Requests in flight at a time; `auto`: as many as the service takes well. */
  concurrency: number | 'auto';
  perSecond?: number | undefined;
}

interface FinishedRequest {
  health: Health;
  serverWait: number | undefined;
  tookMilliseconds: number;
}

/** Times are milliseconds of a monotonic clock, with fractions. */
export interface ConcurrencyLimiter {
  /** When the next request may start; undefined while all slots are taken. */
  nextSlotAt(now: number): number | undefined;
  started(now: number): void;
  finished(request: FinishedRequest, now: number): void;
}

const initialConcurrency = 4;
/** More requests in flight would only wait in a queue on one side or the other. */
export const maxConcurrency = 64;
/** Responses slower than this multiple of the fastest average show that the service is saturated. */
const saturationFactor = 2;
/** Of a timer, which is made up for; a longer pause is not. */
const maxLatenessMilliseconds = 20;

/** Doubles per window until the first sign of a limit, then grows by one per window and falls by a third when throttled. */
export function createConcurrencyLimiter({ concurrency, perSecond }: RequestLimits): ConcurrencyLimiter {
  const isFixed = concurrency !== 'auto';
  const rate = createLearnedRate();
  let slots = isFixed ? concurrency : initialConcurrency;
  let inFlight = 0;
  let nextStart = Number.NEGATIVE_INFINITY;
  let window = { responses: 0, totalMilliseconds: 0, wasFull: false };
  let fastestAverage = Number.POSITIVE_INFINITY;
  let isDoubling = true;

  const newWindow = () => {
    window = { responses: 0, totalMilliseconds: 0, wasFull: false };
  };

  function closeWindow(): void {
    const average = window.totalMilliseconds / window.responses;
    fastestAverage = Math.min(fastestAverage, average);
    const isSaturated = average > saturationFactor * fastestAverage + 1;
    if (isSaturated) isDoubling = false;
    else if (window.wasFull) slots = Math.min(maxConcurrency, isDoubling ? slots * 2 : slots + 1);
    newWindow();
  }

  function reduce(): void {
    isDoubling = false;
    // The rate is what falls: fewer slots than it needs would only make its spacing uneven.
    slots = Math.max(inFlight, Math.floor((slots * 2) / 3));
    newWindow();
  }

  return {
    nextSlotAt(now) {
      const at = inFlight >= slots ? undefined : rate.nextStartAt(now, inFlight);
      return at === undefined ? undefined : Math.max(at, nextStart);
    },
    started(now) {
      inFlight += 1;
      if (inFlight >= slots) window.wasFull = true;
      rate.started(now);
      const spacing = 1000 / (perSecond ?? Number.POSITIVE_INFINITY);
      const wasPaused = now - nextStart > maxLatenessMilliseconds;
      nextStart = (wasPaused ? now : Math.max(nextStart, now - spacing)) + spacing;
    },
    finished({ health, serverWait, tookMilliseconds }, now) {
      const startedAt = now - tookMilliseconds;
      if (concurrency === Number.POSITIVE_INFINITY) {
        inFlight -= 1;
        return;
      }
      if (health === 'healthy') rate.accepted(startedAt, now);
      else if (health === 'throttled') {
        const measured = (1000 * inFlight) / Math.max(1, tookMilliseconds);
        if (rate.rejected(startedAt, now, measured, serverWait !== undefined) && !isFixed) reduce();
      } else rate.inconclusive(startedAt, now);
      inFlight -= 1;
      if (health !== 'healthy' || isFixed) return;
      window.responses += 1;
      window.totalMilliseconds += tookMilliseconds;
      if (window.responses >= slots) closeWindow();
    },
  };
}
