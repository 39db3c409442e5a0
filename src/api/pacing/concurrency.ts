/** How many requests may be under way, and how many may leave in a second. Times in epoch milliseconds. */
export interface Pace {
  /** When the next may leave; undefined while as many are under way as may be. */
  leavesAt(now: number): number | undefined;
  left(now: number): void;
  came(sign: PaceSign, tookMilliseconds: number, now: number): void;
}

export type PaceSign = 'fine' | 'throttled' | 'other';

export interface RequestLimits {
  /** `auto`: as many as the service takes well. */
  concurrency: number | 'auto';
  /** The most that may leave in a second; undefined for no limit of our own. */
  perSecond?: number | undefined;
}

const first = 4;
/** More under way would wait in a queue at one end or the other. */
export const maxConcurrency = 64;
/** Answers that take this many times as long as the fastest are not brought on by more at once. */
const slow = 2;
/** A share of the ceiling from which on it is the ceiling that holds requests back. */
const near = 0.85;

/**
 * Grows by one while nothing is throttled and answers do not take longer; falls by a third when throttled, and
 * then stays below what was too many. When that is throttled as well, it is the requests in a second that are too
 * many, and they get a ceiling of their own.
 */
export function createPace({ concurrency, perSecond }: RequestLimits): Pace {
  const isFixed = concurrency !== 'auto';
  const concurrencyCeiling = createCeiling((tooMany) => Math.max(1, tooMany - 1));
  const rateCeiling = createCeiling(
    (tooFast) => 0.7 * tooFast,
    (tooFast) => 0.94 * tooFast,
  );
  let limit = isFixed ? concurrency : first;
  let underWay = 0;
  let nextLeaves = 0;
  let window = { answers: 0, took: 0, wasFull: false };
  let fastest = Number.POSITIVE_INFINITY;
  /** Throttles of what left before are of one and the same mistake. */
  let settledFrom = 0;
  const answered = createMeter();

  function closeWindow(now: number): void {
    const average = window.took / window.answers;
    fastest = Math.min(fastest, average);
    const isWell = window.wasFull && average <= slow * fastest + 1;
    if (isWell)
      limit = Math.max(limit, Math.min(maxConcurrency, limit + 1, Math.floor(concurrencyCeiling.at(now))));
    window = { answers: 0, took: 0, wasFull: false };
  }

  function fall(now: number): void {
    // When all that left at once was too much, there is nothing to measure yet.
    const unmeasured = isFixed ? Math.min(limit, rateCeiling.at(now)) : rateCeiling.at(now);
    const rate = answered.perSecond(now) ?? unmeasured;
    if (rate !== Number.POSITIVE_INFINITY && (isFixed || isRateToBlame(rate, now))) {
      const ceiling = rateCeiling.at(now);
      rateCeiling.reject(ceiling === Number.POSITIVE_INFINITY ? rate : ceiling, now);
      concurrencyCeiling.lift();
    } else if (!isFixed) {
      concurrencyCeiling.reject(limit, now);
      limit = Math.max(1, Math.floor((limit * 2) / 3));
    }
    window = { answers: 0, took: 0, wasFull: false };
    answered.reset();
    settledFrom = now;
  }

  /** As many left in a second as may, or fewer were under way than were too many before. */
  function isRateToBlame(rate: number, now: number): boolean {
    const ceiling = rateCeiling.at(now);
    if (ceiling !== Number.POSITIVE_INFINITY) return rate >= near * ceiling;
    const rejected = concurrencyCeiling.rejected();
    return rejected !== Number.POSITIVE_INFINITY && limit < rejected;
  }

  return {
    leavesAt(now) {
      return underWay >= limit ? undefined : Math.max(now, nextLeaves);
    },
    left(now) {
      underWay += 1;
      if (underWay >= limit) window.wasFull = true;
      const mostPerSecond = Math.min(perSecond ?? Number.POSITIVE_INFINITY, rateCeiling.at(now));
      const spacing = 1000 / mostPerSecond;
      nextLeaves = Math.max(nextLeaves, now - spacing) + spacing;
    },
    came(sign, took, now) {
      underWay -= 1;
      // What left before the last fall tells of how it was then.
      if (now - took < settledFrom) return;
      if (sign === 'throttled') fall(now);
      if (sign !== 'fine') return;
      answered.count(now);
      if (isFixed) return;
      window = { ...window, answers: window.answers + 1, took: window.took + took };
      if (window.answers >= limit) closeWindow(now);
    },
  };
}

/** The most of something that a service takes, as far as it was found out. */
export interface Ceiling {
  /** Infinite as long as nothing was too much. */
  at(now: number): number;
  /** That much was too much. */
  reject(tooMuch: number, now: number): void;
  /** What was too much last; infinite for nothing. */
  rejected(): number;
  /** It was something else that was too much. */
  lift(): void;
}

/** How long it rests as long as nothing is known, and once something is. */
const shortRest = 2000;
const firstPatience = 10_000;
const longestPatience = 160_000;
/** Growth in a second, once it has rested, until it is too much again. */
const boldGrowth = 0.1;
const growth = 0.01;

/**
 * Falls when it is too much, rests, and then feels its way up: to `far` of what was too much as long as nothing is
 * known, and once it has held for a rest to `near` of it, with longer and longer rests.
 */
export function createCeiling(far: (tooMuch: number) => number, near = far): Ceiling {
  let value = Number.POSITIVE_INFINITY;
  let rejected = Number.POSITIVE_INFINITY;
  let restsUntil = 0;
  let patience = firstPatience;
  let isKnown = false;
  return {
    at: (now) => {
      const seconds = Math.max(0, (now - restsUntil) / 1000);
      if (value === Number.POSITIVE_INFINITY) return value;
      return value * (1 + (isKnown ? growth : boldGrowth)) ** seconds;
    },
    rejected: () => rejected,
    reject(tooMuch, now) {
      const isRested = value !== Number.POSITIVE_INFINITY && now >= restsUntil;
      if (isKnown && isRested) patience = Math.min(longestPatience, patience * 2);
      isKnown ||= isRested;
      rejected = tooMuch;
      value = isKnown ? near(tooMuch) : far(tooMuch);
      restsUntil = now + (isKnown ? patience : shortRest);
    },
    lift() {
      value = Number.POSITIVE_INFINITY;
      rejected = Number.POSITIVE_INFINITY;
      isKnown = false;
    },
  };
}

/** How many there were in a second lately. Times in milliseconds. */
export interface Meter {
  count(now: number): void;
  /** What was counted so far counts no longer. */
  reset(): void;
  /** Undefined when there were too few to tell. */
  perSecond(now: number): number | undefined;
}

interface Span {
  since: number;
  count: number;
}

const span = 2000;
const fewest = 5;

/** Counts in spans: the one that is under way, and the whole one before it. */
export function createMeter(): Meter {
  let before: Span | undefined;
  let current: Span | undefined;
  return {
    reset() {
      before = undefined;
      current = undefined;
    },
    count(now) {
      if (current === undefined || now - current.since > 2 * span) {
        before = { since: now, count: 0 };
        current = { since: now, count: 0 };
      } else if (now - current.since > span) {
        before = current;
        current = { since: now, count: 0 };
      }
      current.count += 1;
    },
    perSecond(now) {
      const count = (before?.count ?? 0) + (current?.count ?? 0);
      if (before === undefined || count < fewest) return undefined;
      return count / (Math.max(1, now - before.since) / 1000);
    },
  };
}
