import { z } from 'zod';

const distributions = ['none', 'fixed', 'uniform', 'lognormal', 'queue'] as const;

export const latency = z
  .strictObject({
    distribution: z
      .enum(distributions)
      .default('none')
      .describe(
        'none; always ms; evenly up to ms; around ms with a long tail; ms for each request under way',
      ),
    ms: z.int().min(0).default(100).describe('Milliseconds'),
  })
  .prefault({});

export type Latency = z.output<typeof latency>;

const spread = 0.6;

type Time = (ms: number, first: number, second: number, underWay: number) => number;

/** From two numbers that were drawn, 0 up to 1, and the requests under way. */
const times: Record<(typeof distributions)[number], Time> = {
  none: () => 0,
  fixed: (ms) => ms,
  uniform: (ms, first) => ms * first,
  lognormal: (ms, first, second) => {
    const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second);
    return ms * Math.exp(spread * normal);
  },
  queue: (ms, _first, _second, underWay) => ms * underWay,
};

/** Milliseconds that one request takes. */
export function latencyOf(
  { distribution, ms }: Latency,
  drawn: readonly [number, number],
  underWay: number,
): number {
  return times[distribution](ms, ...drawn, underWay);
}
