import { describe, expect, it } from 'vitest';
import { createConcurrencyLimiter } from '../../../src/api/pacing/limiter.ts';
import type { Health } from '../../../src/api/pacing/outage.ts';
import {
  fixedWindow,
  leakyBucket,
  type RequestLimit,
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

describe('the limiter against a hidden limit of the rate', () => {
  it.each(rateLimitedServices)('$name', (service) => {
    const reached = measure(service);
    expect(reached(30)).toMatchObject({ isReached: true });
    // The first requests fill this window, which rejects all others until the 15th second.
    const isFull = service.name.startsWith('a sliding window of 10 s, 5 a second');
    if (!isFull) expect(reached(10)).toMatchObject({ isReached: true });
  });
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

/** Also rejects a request that the limit accepts: the first one after `from` seconds, and after `every` seconds more. */
function rejectingMore(limit: RequestLimit, from: number, every = Number.POSITIVE_INFINITY): RequestLimit {
  let next = 1_000_000 + 1000 * from;
  return {
    accepts(now) {
      if (!limit.accepts(now)) return false;
      if (now < next) return true;
      next = now + 1000 * every;
      return false;
    },
  };
}

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

  it.each([
    [8, 50],
    [8, 100],
    [20, 100],
  ])(
    'finds out that %i requests at a time are accepted, though they do not all take %i ms',
    (concurrency, milliseconds) => {
      for (const retryAfter of [undefined, 1000]) {
        const shares = [1, 2, 3, 4, 5, 6].map((seed) => {
          const random = createRandom(seed * 7919);
          const takes = () => milliseconds * (0.75 + 0.5 * random());
          const jitter = { request: () => 0.5 * random(), timer: () => 0.3 * random() };
          const measured = simulate({ concurrency, distance: 0.3, takes, jitter, retryAfter }, 60);
          expect(measured.throttledShare(10)).toBeLessThan(0.02);
          return (measured.perSecond(10) * milliseconds) / (1000 * concurrency);
        });
        expect(shares.toSorted((a, b) => a - b)[3]).toBeGreaterThan(0.9);
      }
    },
  );

  it('tries a higher number at a time less and less often', () => {
    const rejectedAt: number[] = [];
    const service = { concurrency: 8, distance: 0.3, takes: () => 100, retryAfter: 1000 };
    simulate(service, 600, undefined, (at, result) => {
      if (result !== 'ok' && at > 20_000) rejectedAt.push(at);
    });
    expect(rejectedAt.length).toBeGreaterThan(2);
    expect(rejectedAt.length).toBeLessThan(7);
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

  /** Late as measured at nginx: one request in a hundred by milliseconds, and more of the first ones. */
  function createLateness(seed: number) {
    const random = createRandom(seed);
    let requests = 0;
    return () => {
      requests += 1;
      const [share, mean] = requests < 300 ? [0.06, 4] : [0.012, 2];
      return random() < share ? -mean * Math.log(1 - random()) : 0.3 * random();
    };
  }

  // At a fixed rate, 2 % are rejected from 0.9 of 50 a second, and from 0.8 of 500. A rejection with Retry-After costs a second.
  it.each([
    [50, undefined, 0.88],
    [50, 1000, 0.8],
    [500, undefined, 0.65],
  ])(
    'finds %i a second of a service that measures each interval, Retry-After %s, though requests arrive late',
    (perSecond, retryAfter, share) => {
      const reached = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
        const jitter = { request: createLateness(seed * 7919), timer: () => 0 };
        const service = { takes: () => 10, distance: 0.3, jitter, retryAfter, limit: leakyBucket(perSecond) };
        const measured = simulate(service, 30);
        expect(measured.throttledShare(10)).toBeLessThanOrEqual(0.02);
        return measured.perSecond(10) / perSecond;
      });
      const mean = reached.reduce((sum, one) => sum + one) / reached.length;
      expect(mean).toBeGreaterThan(share);
    },
  );

  it.each([
    [50, undefined, 0.9],
    [50, 1000, 0.9],
    [500, undefined, 0.85],
    [500, 1000, 0.8],
  ])(
    'finds %i a second of such a service, Retry-After %s, though requests wait for a connection',
    (perSecond, retryAfter, share) => {
      const reached = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
        const jitter = { connection: createLateness(seed * 7919), request: () => 0, timer: () => 0 };
        const service = { takes: () => 10, distance: 0.3, jitter, retryAfter, limit: leakyBucket(perSecond) };
        const measured = simulate(service, 60);
        expect(measured.throttledShare(10)).toBeLessThanOrEqual(0.01);
        return measured.perSecond(10) / perSecond;
      });
      expect(Math.min(...reached)).toBeGreaterThan(share);
    },
  );

  it.each([50, 500])('recovers from a single rejection during the search for %i a second', (perSecond) => {
    const reached = Array.from({ length: 30 }, (_, index) => {
      const limit = rejectingMore(leakyBucket(perSecond), 2 + 0.4 * index);
      const service = { takes: () => 10, distance: 0.3, retryAfter: 1000, limit };
      return simulate(service, 60).perSecond(20) / perSecond;
    });
    expect(Math.min(...reached)).toBeGreaterThan(0.7);
  });

  it.each([3, 5, 8])(
    'keeps a rate that had held, though a request every %i s is rejected for another reason',
    (seconds) => {
      for (const perSecond of [50, 500]) {
        const limit = rejectingMore(leakyBucket(perSecond), 10, seconds);
        const measured = simulate({ takes: () => 10, distance: 0.3, retryAfter: 1000, limit }, 70);
        expect(measured.perSecond(20) / perSecond / (1 - 1 / seconds)).toBeGreaterThan(0.7);
      }
    },
  );

  it.each([4, 400])('keeps a rate of %i a second after a single rejection without a wait', (perSecond) => {
    const shares = [60, 62, 64, 66].map((second) => {
      const limit = rejectingMore(leakyBucket(perSecond), second);
      const measured = simulate({ takes: () => 10, distance: 0.3, limit }, 90);
      return measured.perSecond(70) / measured.perSecond(40, 60);
    });
    expect(Math.min(...shares)).toBeGreaterThan(0.97);
  });

  it('does not take the rate for low because the first rejection took long', () => {
    const limit = rejectingMore({ accepts: () => true }, 0.01);
    const service = { takes: () => 2, distance: 1, retryAfter: 1000, rejectsIn: 600, limit };
    expect(simulate(service, 60, { concurrency: 1 }).perSecond(10)).toBeGreaterThan(100);
  });

  it('searches below the rate at which it can send', () => {
    const reached = [slidingWindow, fixedWindow].flatMap((window) =>
      [150, 200, 250].map((perSecond) => {
        const service = { takes: () => 10, distance: 0.3, retryAfter: 1000, limit: window(perSecond, 1) };
        return simulate(service, 60, { concurrency: 3 }).perSecond(3) / perSecond;
      }),
    );
    expect(Math.min(...reached)).toBeGreaterThan(0.9);
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
