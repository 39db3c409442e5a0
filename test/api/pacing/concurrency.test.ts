import { describe, expect, it } from 'vitest';
import { createConcurrencyLimiter } from '../../../src/api/pacing/concurrency.ts';
import type { Health } from '../../../src/api/pacing/outage.ts';
import {
  fixedWindow,
  leakyBucket,
  type RequestLimit,
  slidingWindow,
  tokenBucket,
} from './limited-services.ts';
import { type SimulatedService, simulate } from './simulation.ts';

interface Kind {
  name: string;
  limit(perSecond: number): RequestLimit;
  /** What it lets pass of evenly spaced requests. */
  allowed?(perSecond: number): number;
  /** The least share of it that is reached, and the largest share of rejections, after 10 s. */
  figures: [share: number, rejected: number];
  /** The same when each rejection asks for a second, in which nothing is sent. */
  withWait: [share: number, rejected: number];
}

const kinds: Kind[] = [
  { name: 'one each interval', limit: leakyBucket, figures: [0.9, 0.02], withWait: [0.87, 0.02] },
  {
    name: 'a bucket of ten tokens',
    limit: (perSecond) => tokenBucket(perSecond, 10),
    figures: [0.9, 0.02],
    withWait: [0.91, 0.02],
  },
  {
    name: 'a bucket of a second',
    limit: (perSecond) => tokenBucket(perSecond, perSecond),
    figures: [0.9, 0.02],
    withWait: [0.95, 0.02],
  },
  {
    name: 'a window of a second',
    limit: (perSecond) => fixedWindow(perSecond, 1),
    figures: [0.9, 0.02],
    withWait: [0.85, 0.02],
  },
  {
    name: 'a sliding window of a second',
    limit: (perSecond) => slidingWindow(perSecond, 1),
    allowed: (perSecond) => perSecond - 1,
    figures: [0.9, 0.025],
    withWait: [0.85, 0.02],
  },
  {
    name: 'a sliding window of 10 s',
    limit: (perSecond) => slidingWindow(perSecond, 10),
    figures: [0.78, 0.035],
    withWait: [0.84, 0.025],
  },
];

describe('the limiter against a hidden limit of the rate', () => {
  const cases = kinds.flatMap((kind) =>
    [5, 50, 500].flatMap((perSecond) =>
      [1, 10, 100].map((milliseconds) => ({ ...kind, perSecond, milliseconds })),
    ),
  );

  it.each(cases)('$name, $perSecond a second, $milliseconds ms', (testCase) => {
    const { limit, perSecond, milliseconds, allowed = (rate: number) => rate, figures, withWait } = testCase;
    for (const [retryAfter, [share, rejected]] of [
      [undefined, figures],
      [1000, withWait],
    ] as const) {
      const service = { takes: () => 0.6 * milliseconds, distance: 0.2 * milliseconds, retryAfter };
      const measured = simulate({ ...service, limit: limit(perSecond) }, 60);
      expect(measured.perSecond(10) / allowed(perSecond)).toBeGreaterThan(share);
      expect(measured.throttledShare(10)).toBeLessThan(rejected);
    }
  });

  /** The least share and the largest share of rejections after 30 s, where they are not 0.89 and 0.02. */
  const exceptions: Record<string, [share: number, rejected: number]> = {
    'a sliding window of a second, 5 a second, 10 ms': [0.89, 0.021],
    'a sliding window of 10 s, 50 a second, 100 ms': [0.75, 0.02],
  };

  it.each(cases)('$name, $perSecond a second, $milliseconds ms, once it is found', (testCase) => {
    const { name, limit, perSecond, milliseconds, allowed = (rate: number) => rate } = testCase;
    const title = `${name}, ${perSecond} a second, ${milliseconds} ms`;
    const [share, rejected] = exceptions[title] ?? [0.89, 0.02];
    for (const retryAfter of [undefined, 1000]) {
      const service = { takes: () => 0.6 * milliseconds, distance: 0.2 * milliseconds, retryAfter };
      const measured = simulate({ ...service, limit: limit(perSecond) }, 90);
      expect(measured.perSecond(30) / allowed(perSecond)).toBeGreaterThan(share);
      expect(measured.throttledShare(30)).toBeLessThan(rejected);
    }
  });
});

describe('the limiter against other limits', () => {
  it.each<[string, number, () => SimulatedService]>([
    ['8 at a time', 80, () => ({ concurrency: 8, distance: 0, takes: () => 100 })],
    ['20 at a time', 400, () => ({ concurrency: 20, distance: 0, takes: () => 50 })],
    [
      '50 a second and 8 at a time',
      50,
      () => ({ limit: tokenBucket(50, 10), concurrency: 8, distance: 0, takes: () => 100 }),
    ],
  ])('%s: reaches nine tenths of it, with hardly any throttling', (_name, allowed, service) => {
    const measured = simulate(service(), 90);
    expect(measured.perSecond(10) / allowed).toBeGreaterThan(0.9);
    expect(measured.throttledShare(10)).toBeLessThan(0.02);
    const withWait = simulate({ ...service(), retryAfter: 1000 }, 90);
    expect(withWait.perSecond(30) / allowed).toBeGreaterThan(0.85);
    expect(withWait.throttledShare(30)).toBeLessThan(0.02);
  });

  it('grows to 64 without a limit within four round trips, and no further', () => {
    const measured = simulate({ distance: 0, takes: () => 50 }, 20);
    expect(measured.peak).toBe(64);
    expect(measured.perSecond(1)).toBeGreaterThan(1200);
  });

  it('stays low when higher concurrency only slows the responses', () => {
    expect(simulate({ distance: 0, takes: (inFlight) => 10 * inFlight }, 20).peak).toBeLessThan(20);
  });

  it('keeps to a given concurrency and rate', () => {
    const fixed = simulate({ distance: 0, takes: () => 50 }, 10, { concurrency: 7 });
    expect([fixed.peak, Math.round(fixed.perSecond(0))]).toEqual([7, 140]);
    const slow = simulate({ distance: 0, takes: () => 50 }, 10, { concurrency: 'auto', perSecond: 20 });
    expect(slow.perSecond(0)).toBeCloseTo(20, 0);
  });

  it('finds the rate with a fixed concurrency, too', () => {
    for (const concurrency of [1, 16, 64]) {
      const measured = simulate({ limit: tokenBucket(20, 10), distance: 0, takes: () => 30 }, 90, {
        concurrency,
      });
      expect(measured.perSecond(10)).toBeGreaterThan(18);
      expect(measured.throttledShare(10)).toBeLessThan(0.02);
    }
  });
});

describe('an attempt that proves nothing about the limits', () => {
  const milliseconds = 100;

  /** The number of slots after windows of attempts with these results. */
  function slotsAfter(results: [health: Health, tookMilliseconds: number][]): number {
    const limiter = createConcurrencyLimiter({ concurrency: 'auto' });
    let now = 1_000_000;
    let inFlight = 0;
    const fill = () => {
      while (limiter.nextSlotAt(now) !== undefined) {
        limiter.started(now);
        inFlight += 1;
      }
    };
    for (const [health, took] of results) {
      fill();
      now += took;
      for (; inFlight > 0; inFlight--)
        limiter.finished({ health, serverWait: undefined, tookMilliseconds: took }, now);
    }
    fill();
    return inFlight;
  }

  it.each<Health>(['inconclusive', 'failing', 'idle_close'])('only frees its slot: %s', (health) => {
    expect(slotsAfter([['healthy', milliseconds]])).toBe(8);
    expect(slotsAfter(Array(5).fill([health, milliseconds]))).toBe(4);
    // A fast failure does not make later responses look slow.
    expect(
      slotsAfter([
        [health, 1],
        ['healthy', milliseconds],
        ['healthy', milliseconds],
      ]),
    ).toBe(16);
  });
});
