import type { Limits } from '../behaviour/fault-settings.ts';

type Allowance = Pick<Limits, 'requestsPerSecond' | 'concurrency'>;

/** `leave` may be called more than once. */
export type Admission = { leave(): void } | { waitSeconds: number };

/** The wait for a request that exceeds the concurrency limit. */
const concurrencyWaitSeconds = 1;

/** Admits requests within the limits of the moment; `now` in epoch milliseconds. */
export function createLimiter(settings: Limits, now: () => number) {
  const since = now();
  const underWay = new Set<symbol>();
  let tokens = settings.burst;
  let filledAt = since;
  const changedAt = settings.changes
    .map(({ afterSeconds }) => since + afterSeconds * 1000)
    .sort((left, right) => left - right);

  function allowanceAt(time: number): Allowance {
    const passed = settings.changes.filter(({ afterSeconds }) => time - since >= afterSeconds * 1000);
    return passed.sort((left, right) => left.afterSeconds - right.afterSeconds).at(-1) ?? settings;
  }

  /** Adds the tokens of each period at its own rate; a period without a limit fills the burst. */
  function refill(until: number): void {
    for (const end of [...changedAt.filter((at) => at > filledAt && at < until), until]) {
      const { requestsPerSecond } = allowanceAt(filledAt);
      const gained = ((end - filledAt) / 1000) * (requestsPerSecond ?? Number.POSITIVE_INFINITY);
      // A clock that was set back adds no tokens and removes none.
      if (end > filledAt) tokens = Math.min(settings.burst, tokens + gained);
      filledAt = end;
    }
  }

  return {
    enter(): Admission {
      const time = now();
      refill(time);
      const { requestsPerSecond, concurrency } = allowanceAt(time);
      if (concurrency !== null && underWay.size >= concurrency)
        return { waitSeconds: concurrencyWaitSeconds };
      if (requestsPerSecond !== null) {
        if (tokens < 1) return { waitSeconds: (1 - tokens) / requestsPerSecond };
        tokens -= 1;
      }
      const entered = Symbol();
      underWay.add(entered);
      return { leave: () => void underWay.delete(entered) };
    },
  };
}
