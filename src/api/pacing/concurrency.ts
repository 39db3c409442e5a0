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
  /** What `started` returned for it. */
  inFlight: number;
}

/** Times are milliseconds of a monotonic clock, with fractions. */
interface ConcurrencyLimiter {
  /** When the next request may start; undefined while all slots are taken. */
  nextSlotAt(now: number): number | undefined;
  /** Returns the number of requests in flight, this one included. */
  started(now: number): number;
  /** The request that started last leaves. */
  sending(now: number): void;
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
  const maximum = createLearnedMaximum();
  let rate = createLearnedRate();
  let rateBefore = rate;
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
      const at = inFlight >= Math.min(slots, maximum.at(now)) ? undefined : rate.nextStartAt(now, inFlight);
      return at === undefined ? undefined : Math.max(at, nextStart);
    },
    started(now) {
      inFlight += 1;
      if (inFlight >= slots) window.wasFull = true;
      rate.started(now);
      const spacing = 1000 / (perSecond ?? Number.POSITIVE_INFINITY);
      const wasPaused = now - nextStart > maxLatenessMilliseconds;
      nextStart = (wasPaused ? now : Math.max(nextStart, now - spacing)) + spacing;
      return inFlight;
    },
    sending: (now) => rate.sending(now),
    finished({ health, serverWait, tookMilliseconds, inFlight: inFlightAtStart }, now) {
      const startedAt = now - tookMilliseconds;
      if (concurrency === Number.POSITIVE_INFINITY) {
        inFlight -= 1;
        return;
      }
      if (health === 'healthy') {
        maximum.accepted(inFlightAtStart, startedAt, now);
        rate.accepted(startedAt, now);
      } else if (health === 'throttled') {
        const finding = maximum.rejected(inFlightAtStart, startedAt, now);
        if (finding === 'found') [rateBefore, rate] = [rate, createLearnedRate()];
        if (finding === 'refuted') rate = rateBefore;
        const measured = (1000 * inFlight) / Math.max(1, tookMilliseconds);
        const isOfRate = finding === 'refuted' || finding === 'unexplained';
        if (isOfRate && rate.rejected(startedAt, now, measured, serverWait !== undefined) && !isFixed)
          reduce();
      } else rate.inconclusive(startedAt, now);
      inFlight -= 1;
      if (health !== 'healthy' || isFixed) return;
      window.responses += 1;
      window.totalMilliseconds += tookMilliseconds;
      if (window.responses >= slots) closeWindow();
    },
  };
}

/** Rejections with so many requests in flight that only this share of the accepted requests started with as many. */
const rareShare = 0.125;
const rareRejections = 2;
/** Full rounds of requests between two rejections that count, and until a maximum is taken for true; a limit of the rate takes time to show. */
const roundsBetween = 2;
const roundsOfTrial = 30;
const minTrialMilliseconds = 5000;
/** A higher maximum is tried after a rest; while that goes well, the next one at once. */
const firstRestOfMaximum = 30_000;
const maxRestOfMaximum = 160_000;

/** Finds out how many requests at a time the service accepts, if it limits that: then it rejects only while many are in flight. */
function createLearnedMaximum() {
  let maximum = Number.POSITIVE_INFINITY;
  /** While `maximum` is tried: what to go back to. */
  let previous: number | undefined;
  let [changedAt, rest] = [0, firstRestOfMaximum];
  let acceptedWhenFull = 0;
  let rejections: number[] = [];
  let acceptedSince = 0;
  /** By the number in flight when they started. */
  let accepted: number[] = [];

  const change = (to: number, now: number, from?: number) => {
    [previous, maximum, changedAt, acceptedWhenFull] = [from, to, now, 0];
  };

  /** The maximum that the latest rejections point to. */
  const find = (inFlight: number) => {
    if (acceptedSince < roundsBetween * inFlight) return undefined;
    acceptedSince = 0;
    rejections = [...rejections, inFlight].slice(-rareRejections);
    const lowest = Math.min(...rejections);
    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
    const isRare = sum(accepted.slice(lowest)) <= rareShare * sum(accepted);
    accepted = accepted.map((count) => count / 2);
    return rejections.length === rareRejections && lowest > 1 && isRare ? lowest - 1 : undefined;
  };

  return {
    /** The maximum, at least for now. */
    at(now: number): number {
      if (maximum < Number.POSITIVE_INFINITY && previous === undefined && now - changedAt > rest)
        change(maximum + 1, now, maximum);
      return maximum;
    },
    accepted(inFlight: number, startedAt: number, now: number): void {
      acceptedSince += 1;
      accepted[inFlight] = (accepted[inFlight] ?? 0) + 1;
      if (previous === undefined || startedAt < changedAt || inFlight < maximum) return;
      acceptedWhenFull += 1;
      if (acceptedWhenFull < roundsOfTrial * maximum) return;
      if (maximum < previous) {
        if (now - changedAt >= minTrialMilliseconds) change(maximum, now);
      } else {
        rest = firstRestOfMaximum;
        change(maximum + 1, now, maximum);
      }
    },
    /** `found`: a maximum, which is tried without a rate; `explained`: by the maximum; `refuted`: the one that was tried is not the reason. */
    rejected(inFlight: number, startedAt: number, now: number) {
      if (maximum < Number.POSITIVE_INFINITY && startedAt < changedAt) return 'explained';
      if (previous !== undefined && previous > maximum) {
        change(previous, now);
        return 'refuted';
      }
      if (previous !== undefined && inFlight > previous) {
        rest = Math.min(maxRestOfMaximum, rest * 2);
        change(previous, now);
        return 'explained';
      }
      const found = find(inFlight);
      if (found === undefined) return 'unexplained';
      change(found, now, maximum);
      return 'found';
    },
  };
}
