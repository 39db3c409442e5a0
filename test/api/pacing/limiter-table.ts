import {
  fixedWindow,
  leakyBucket,
  type RequestLimit,
  randomRejections,
  slidingWindow,
  tokenBucket,
} from './limited-services.ts';
import { createRandom, type SimulatedService, simulate } from './simulation.ts';

/** A simulated service, and what the limiter should reach with it. */
export interface LimitedService {
  name: string;
  /** A new one for each run. */
  service(): SimulatedService;
  allowedPerSecond: number;
  minShare: number;
  maxThrottledShare: number;
}

interface Kind {
  kind: string;
  limit(perSecond: number): RequestLimit;
  /** What it lets pass of evenly spaced requests. */
  allowed?(perSecond: number): number;
}

const kinds: Kind[] = [
  { kind: 'one each interval', limit: leakyBucket },
  { kind: 'a bucket of ten tokens', limit: (perSecond) => tokenBucket(perSecond, 10) },
  { kind: 'a bucket of a second', limit: (perSecond) => tokenBucket(perSecond, perSecond) },
  { kind: 'a window of a second', limit: (perSecond) => fixedWindow(perSecond, 1) },
  {
    kind: 'a sliding window of a second',
    limit: (perSecond) => slidingWindow(perSecond, 1),
    allowed: (perSecond) => perSecond - 1,
  },
  { kind: 'a sliding window of 10 s', limit: (perSecond) => slidingWindow(perSecond, 10) },
];
const waits = [undefined, 1000];
const goal = { minShare: 0.9, maxThrottledShare: 0.02 };
const waitName = (retryAfter: number | undefined) => (retryAfter === undefined ? '' : ', Retry-After');

/** The 108 services with a limit of the rate. */
export const rateLimitedServices: LimitedService[] = kinds.flatMap(({ kind, limit, allowed }) =>
  [5, 50, 500].flatMap((perSecond) =>
    [1, 10, 100].flatMap((milliseconds) =>
      waits.map((retryAfter) => ({
        name: `${kind}, ${perSecond} a second, ${milliseconds} ms${waitName(retryAfter)}`,
        service: () => ({
          limit: limit(perSecond),
          takes: () => 0.6 * milliseconds,
          distance: 0.2 * milliseconds,
          retryAfter,
        }),
        allowedPerSecond: allowed?.(perSecond) ?? perSecond,
        ...goal,
      })),
    ),
  ),
);

/** Services that reject at random, whatever the rate. */
export const randomlyRejectingServices: LimitedService[] = (
  [
    [0.02, 0.8],
    [0.05, 0.6],
    [0.1, 0.4],
  ] as const
).flatMap(([share, minShare]) =>
  ([429, 503] as const).flatMap((status) =>
    [20, 150].map((milliseconds) => ({
      name: `${100 * share} % of all, ${status}, ${milliseconds} ms`,
      service: () => ({
        limit: randomRejections(share, createRandom(1000 * share + milliseconds)),
        status,
        takes: () => milliseconds,
        distance: 0,
      }),
      allowedPerSecond: (1000 * 64) / milliseconds,
      minShare,
      maxThrottledShare: 1,
    })),
  ),
);

/** Services that do both: the limit counts only what is not rejected at random. */
export const randomAndLimitedServices: LimitedService[] = [20, 50, 500].flatMap((perSecond) =>
  [0.02, 0.05, 0.1].map((share) => ({
    name: `${100 * share} % of all, and ${perSecond} a second`,
    service: () => {
      const random = randomRejections(share, createRandom(1000 * share + perSecond));
      const bucket = tokenBucket(perSecond, 10);
      const limit = { accepts: (now: number) => random.accepts(now) && bucket.accepts(now) };
      return { limit, takes: () => 20, distance: 0 };
    },
    allowedPerSecond: perSecond,
    minShare: 0.5,
    maxThrottledShare: 0.04 + 2 * share,
  })),
);

/** Sends for 90 s to a new service of this kind; returns what was reached from a second on. */
export function measure({ service, allowedPerSecond, minShare, maxThrottledShare }: LimitedService) {
  const measured = simulate(service(), 90);
  return (from: number) => {
    const share = measured.perSecond(from) / allowedPerSecond;
    const throttledShare = measured.throttledShare(from);
    return { share, throttledShare, isReached: share >= minShare && throttledShare <= maxThrottledShare };
  };
}
