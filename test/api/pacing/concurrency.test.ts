import { describe, expect, it } from 'vitest';
import { createConcurrencyLimiter } from '../../../src/api/pacing/limiter.ts';
import type { Health } from '../../../src/api/pacing/outage.ts';
import {
  fixedWindow,
  leakyBucket,
  randomRejections,
  slidingWindow,
  tokenBucket,
} from './limited-services.ts';
import {
  measure,
  randomAndLimitedServices,
  randomlyRejectingServices,
  rateLimitedServices,
} from './limiter-table.ts';
import { createRandom, type SimulatedService, simulate } from './simulation.ts';

describe('the requests at the same time', () => {
  it('are a third fewer after the first rejection', () => {
    const limiter = createConcurrencyLimiter({ concurrency: 'auto' });
    let now = 0;
    /** Starts as many as may be in flight; returns their number. */
    const fill = () => {
      let inFlight = 0;
      for (let at = limiter.nextSlotAt(now); at !== undefined; at = limiter.nextSlotAt(now)) {
        now = Math.max(now, at);
        inFlight = limiter.started(now);
        limiter.sending(now);
      }
      return inFlight;
    };
    const finish = (count: number, health: Health = 'healthy') => {
      for (let inFlight = count; inFlight > 0; inFlight -= 1)
        limiter.finished({ health, isTimed: false, tookMilliseconds: 100, inFlight }, now);
    };
    const filled: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      filled.push(fill());
      now += 100;
      if (round < 2) finish(filled[round] as number);
    }
    finish(15);
    finish(1, 'throttled');
    // The first request after the wait shows that it is over.
    now = limiter.nextSlotAt(now) as number;
    limiter.started(now);
    limiter.sending(now);
    now += 100;
    finish(1);
    expect([...filled, fill()]).toEqual([4, 8, 16, 10]);
  });
});

it('reaches nine tenths of a hidden limit of the rate, with 2 % throttled, with 100 of 108 services', () => {
  const missed = rateLimitedServices.filter((service) => !measure(service)(30).isReached);
  expect(rateLimitedServices.length).toBe(108);
  expect(missed.length, missed.map(({ name }) => name).join('\n')).toBeLessThanOrEqual(8);
});

describe('the limiter against rejections at random', () => {
  it.each(randomlyRejectingServices)('$name', (service) => {
    expect(measure(service)(30)).toMatchObject({ isReached: true });
  });

  it.each(randomAndLimitedServices.filter(({ allowedPerSecond }) => allowedPerSecond >= 50))(
    '$name',
    (service) => {
      expect(measure(service)(30)).toMatchObject({ isReached: true });
    },
  );

  it('goes on as before when they begin during a run', () => {
    const random = randomRejections(0.05, createRandom(1));
    const accepts = (now: number) => now < 1_020_000 || random.accepts(now);
    const measured = simulate({ takes: () => 20, distance: 0, limit: { accepts } }, 60);
    expect(measured.perSecond(40) / measured.perSecond(10, 20)).toBeGreaterThan(0.6);
  });

  it('does not search again for each burst of 503 that is due to chance', () => {
    const limit = randomRejections(0.05, createRandom(2));
    const measured = simulate({ takes: () => 1000, distance: 0, limit, status: 503 }, 900);
    expect(measured.perSecond(200) / 64).toBeGreaterThan(0.9);
  });

  it('finds a limit of the rate after they have ended', () => {
    const [random, bucket] = [randomRejections(0.05, createRandom(1)), tokenBucket(50, 10)];
    const accepts = (now: number) => (now < 1_020_000 ? random : bucket).accepts(now);
    const measured = simulate({ takes: () => 20, distance: 0, limit: { accepts } }, 120);
    expect(measured.perSecond(90) / 50).toBeGreaterThan(0.9);
    expect(measured.throttledShare(90)).toBeLessThanOrEqual(0.02);
  });
});

describe('the limiter against other limits', () => {
  it('does not depend on when in a window the run begins', () => {
    for (const begin of [130, 317, 590, 731]) {
      for (const window of [fixedWindow, slidingWindow]) {
        for (const retryAfter of [undefined, 1000]) {
          const limit = window(50, 1);
          const shifted = { accepts: (now: number) => limit.accepts(now + begin) };
          const service = { takes: () => 6, distance: 2, limit: shifted, retryAfter };
          const measured = simulate(service, 60);
          expect(measured.perSecond(10) / 49).toBeGreaterThan(0.9);
          expect(measured.throttledShare(10)).toBeLessThanOrEqual(0.02);
        }
      }
    }
  });

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
    expect(withWait.perSecond(30) / allowed).toBeGreaterThan(0.9);
    expect(withWait.throttledShare(30)).toBeLessThan(0.02);
  });

  it('uses more requests at a time once the service accepts more', () => {
    let now = 0;
    const service = {
      distance: 0.3,
      takes: () => 100,
      get concurrency() {
        return now > 30_000 ? 16 : 8;
      },
    };
    const measured = simulate(service, 120, undefined, (at) => {
      now = at;
    });
    expect(measured.perSecond(100)).toBeGreaterThan(0.9 * 160);
  });

  it.each([
    [500, 400],
    [50, 40],
  ])('follows a limit that falls from %i to %i a second', (perSecond, lower) => {
    const [before, after] = [leakyBucket(perSecond), leakyBucket(lower)];
    const accepts = (now: number) => (now < 1_030_000 ? before : after).accepts(now);
    const service = { takes: () => 10, distance: 0.3, retryAfter: 1000, limit: { accepts } };
    expect(simulate(service, 90).perSecond(40) / lower).toBeGreaterThan(0.8);
  });

  it('lets no request overtake one that waits for a connection, unless that takes long', () => {
    const limiter = createConcurrencyLimiter({ concurrency: 'auto' });
    const accepted = { health: 'healthy', isTimed: false, tookMilliseconds: 10, inFlight: 1 } as const;
    const startAndReject = (now: number) => {
      limiter.started(now);
      limiter.finished({ ...accepted, health: 'throttled' }, now + 10);
    };
    startAndReject(1000);
    limiter.started(5000);
    limiter.sending(5000);
    limiter.finished(accepted, 5010);
    limiter.started(6000);
    expect(limiter.nextSlotAt(6040)).toBeUndefined();
    const next = limiter.nextSlotAt(6050) ?? 0;
    limiter.sending(6060);
    expect(limiter.nextSlotAt(6060)).toBeCloseTo(next + 60);
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
        limiter.finished({ health, isTimed: false, tookMilliseconds: took, inFlight }, now);
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
