import { z } from 'zod';
import { retryAfterForms } from './retry-after-forms.ts';

const allowance = {
  requestsPerSecond: z.number().positive().nullable().default(null).describe('null for no limit'),
  concurrency: z.int().min(1).nullable().default(null).describe('Requests under way; null for no limit'),
};

export const limits = z
  .strictObject({
    ...allowance,
    burst: z.int().min(1).default(10).describe('Requests that may come at once after a pause'),
    status: z.literal([429, 503]).default(429).describe('The status of who comes beyond a limit'),
    retryAfter: z
      .enum(retryAfterForms)
      .nullable()
      .default('seconds')
      .describe('How the time until the next is told; null for not at all'),
    changes: z
      .array(z.strictObject({ afterSeconds: z.number().min(0), ...allowance }))
      .meta({ title: 'a list of {"afterSeconds", "requestsPerSecond", "concurrency"}' })
      .default([])
      .describe('What holds from when on, counted from the start or from when these faults were set'),
  })
  .prefault({});

export type Limits = z.output<typeof limits>;
type Allowance = Pick<Limits, 'requestsPerSecond' | 'concurrency'>;

/** Leaving again is nothing. */
export type Admission = { leave(): void } | { waitSeconds: number };

/** How long a client is told to wait that is one too many at a time. */
const crowdedSeconds = 1;

/** Admits requests within the limits that hold at the time; `now` in epoch milliseconds. */
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

  /** Each stretch of time at the rate that held then; without a limit everything is saved up. */
  function refill(until: number): void {
    for (const end of [...changedAt.filter((at) => at > filledAt && at < until), until]) {
      const { requestsPerSecond } = allowanceAt(filledAt);
      const gained = ((end - filledAt) / 1000) * (requestsPerSecond ?? Number.POSITIVE_INFINITY);
      // A clock that is set back brings nothing, and takes nothing.
      if (end > filledAt) tokens = Math.min(settings.burst, tokens + gained);
      filledAt = end;
    }
  }

  return {
    enter(): Admission {
      const time = now();
      refill(time);
      const { requestsPerSecond, concurrency } = allowanceAt(time);
      if (concurrency !== null && underWay.size >= concurrency) return { waitSeconds: crowdedSeconds };
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
