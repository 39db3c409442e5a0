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
