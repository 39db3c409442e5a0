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

export type Admission = { leave(): void } | { waitSeconds: number };

/** How long a client is told to wait that is one too many at a time. */
const crowdedSeconds = 1;

/** Admits requests within the limits that hold at the time; `now` in epoch milliseconds. */
export function createLimiter(settings: Limits, now: () => number) {
  const since = now();
  let underWay = 0;
  let tokens = settings.burst;
  let filledAt = since;

  function allowanceAt(time: number): Allowance {
    const passed = settings.changes.filter(({ afterSeconds }) => time - since >= afterSeconds * 1000);
    return passed.sort((left, right) => left.afterSeconds - right.afterSeconds).at(-1) ?? settings;
  }

  return {
    enter(): Admission {
      const time = now();
      const { requestsPerSecond, concurrency } = allowanceAt(time);
      if (concurrency !== null && underWay >= concurrency) return { waitSeconds: crowdedSeconds };
      if (requestsPerSecond !== null) {
        tokens = Math.min(settings.burst, tokens + ((time - filledAt) / 1000) * requestsPerSecond);
        filledAt = time;
        if (tokens < 1) return { waitSeconds: (1 - tokens) / requestsPerSecond };
        tokens -= 1;
      }
      underWay += 1;
      return {
        leave() {
          underWay -= 1;
        },
      };
    },
  };
}
