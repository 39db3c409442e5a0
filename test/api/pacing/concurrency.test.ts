import { describe, expect, it } from 'vitest';
import { createConcurrencyLimiter, type RequestLimits } from '../../../src/api/pacing/concurrency.ts';
import type { Health } from '../../../src/api/pacing/outage.ts';

interface Service {
  /** Accepted requests per second, after a burst. */
  perSecond?: number;
  burst?: number;
  concurrency?: number;
  /** Milliseconds per request, by the number in flight. */
  takes(inFlight: number): number;
}

const rejectionTakes = 5;
const retryAfter = 1000;

/** Sends to a simulated service in simulated time, as fast as the limiter allows. */
function simulate(service: Service, seconds: number, limits: RequestLimits = { concurrency: 'auto' }) {
  const limiter = createConcurrencyLimiter(limits);
  const {
    perSecond = Number.POSITIVE_INFINITY,
    burst = 10,
    concurrency = Number.POSITIVE_INFINITY,
  } = service;
  const due: { at: number; act(): void }[] = [];
  const accepted: number[] = [];
  const throttled: number[] = [];
  let [now, tokens, filledAt, inFlight, heldUntil, peak] = [1_000_000, burst, 1_000_000, 0, 0, 0];
  const start = now;
  const later = (milliseconds: number, act: () => void) => due.push({ at: now + milliseconds, act });

  const send = () => {
    limiter.started(now);
    const startedAt = now;
    const finish = (health: 'healthy' | 'throttled', list: number[]) => () => {
      list.push(now);
      limiter.finished(health, now - startedAt, now);
    };
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    if (inFlight >= concurrency || tokens < 1) {
      later(rejectionTakes, () => {
        heldUntil = now + retryAfter;
        finish('throttled', throttled)();
      });
      return;
    }
    tokens -= 1;
    inFlight += 1;
    peak = Math.max(peak, inFlight);
    later(service.takes(inFlight), () => {
      inFlight -= 1;
      finish('healthy', accepted)();
    });
  };
  let wakesAt = 0;
  const sendAll = () => {
    for (;;) {
      const at = limiter.nextSlotAt(now);
      if (at === undefined) return;
      const earliest = Math.max(at, heldUntil);
      if (earliest > now) {
        if (!(wakesAt > now && wakesAt <= earliest)) {
          wakesAt = earliest;
          later(earliest - now, () => undefined);
        }
        return;
      }
      send();
    }
  };
  sendAll();
  while (due.length > 0) {
    const next = due.reduce((first, other) => (other.at < first.at ? other : first));
    due.splice(due.indexOf(next), 1);
    now = next.at;
    if (now - start > seconds * 1000) break;
    next.act();
    sendAll();
  }
  const since = (list: number[], from: number) => list.filter((at) => at - start >= from * 1000).length;
  return {
    peak,
    perSecond: (from: number) => since(accepted, from) / (seconds - from),
    throttledShare: (from: number) =>
      since(throttled, from) / Math.max(1, since(throttled, from) + since(accepted, from)),
  };
}

describe('the limiter against unstated limits of the service', () => {
  it.each<[string, number, Service]>([
    ['50 a second', 50, { perSecond: 50, takes: () => 30 }],
    ['50 a second in bursts', 50, { perSecond: 50, burst: 50, takes: () => 30 }],
    ['10 a second', 10, { perSecond: 10, takes: () => 50 }],
    ['300 a second', 300, { perSecond: 300, burst: 20, takes: () => 20 }],
    ['8 at a time', 80, { concurrency: 8, takes: () => 100 }],
    ['20 at a time', 400, { concurrency: 20, takes: () => 50 }],
    ['50 a second and 8 at a time', 50, { perSecond: 50, concurrency: 8, takes: () => 100 }],
  ])(
    '%s: reaches nine tenths of it within half a minute, with hardly any throttling',
    (_name, allowed, service) => {
      const measured = simulate(service, 90);
      expect(measured.perSecond(30) / allowed).toBeGreaterThan(0.9);
      expect(measured.throttledShare(30)).toBeLessThan(0.02);
    },
  );

  it('grows to 64 without a limit, and no further', () => {
    const measured = simulate({ takes: () => 50 }, 20);
    expect(measured.peak).toBe(64);
    expect(measured.perSecond(10)).toBeGreaterThan(1200);
  });

  it('stays low when higher concurrency only slows the responses', () => {
    expect(simulate({ takes: (inFlight) => 10 * inFlight }, 20).peak).toBeLessThan(20);
  });

  it('keeps to a given concurrency and rate', () => {
    const fixed = simulate({ takes: () => 50 }, 10, { concurrency: 7 });
    expect([fixed.peak, Math.round(fixed.perSecond(0))]).toEqual([7, 140]);
    const slow = simulate({ takes: () => 50 }, 10, { concurrency: 'auto', perSecond: 20 });
    expect(slow.perSecond(0)).toBeCloseTo(20, 0);
  });

  it('finds the rate with a fixed concurrency, too', () => {
    const measured = simulate({ perSecond: 50, takes: () => 30 }, 90, { concurrency: 16 });
    expect(measured.perSecond(30)).toBeGreaterThan(45);
    expect(measured.throttledShare(30)).toBeLessThan(0.02);
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
      for (; inFlight > 0; inFlight--) limiter.finished(health, took, now);
    }
    fill();
    return inFlight;
  }

  it.each<Health>(['inconclusive', 'failing', 'idle_close'])('only frees its slot: %s', (health) => {
    expect(slotsAfter([['healthy', milliseconds]])).toBe(5);
    expect(slotsAfter(Array(5).fill([health, milliseconds]))).toBe(4);
    // A fast failure does not make later responses look slow.
    expect(
      slotsAfter([
        [health, 1],
        ['healthy', milliseconds],
        ['healthy', milliseconds],
      ]),
    ).toBe(6);
  });
});
