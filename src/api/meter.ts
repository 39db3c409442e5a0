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
