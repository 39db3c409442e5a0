import { describe, expect, it } from 'vitest';
import { createBreaker } from '../../../src/api/pacing/outage.ts';

const fail = (breaker: ReturnType<typeof createBreaker>, count: number, now = 0) => {
  for (let failure = 0; failure < count; failure++) breaker.saw('failing', now, false);
};

describe('the breaker', () => {
  it('opens at the twentieth failure in a row', () => {
    const breaker = createBreaker();
    fail(breaker, 19);
    expect(breaker.probeAt()).toBeUndefined();
    fail(breaker, 1, 500);
    expect(breaker.probeAt()).toBe(1500);
  });

  it.each(['alive', 'throttling'] as const)('counts anew after a sign that is %s', (sign) => {
    const breaker = createBreaker();
    fail(breaker, 19);
    breaker.saw(sign, 0, false);
    fail(breaker, 19);
    expect(breaker.probeAt()).toBeUndefined();
    fail(breaker, 1);
    expect(breaker.probeAt()).toBe(1000);
    breaker.saw(sign, 0, true);
    expect(breaker.probeAt()).toBeUndefined();
  });

  it('spaces its probes from 1 s to 60 s, whatever else fails meanwhile', () => {
    const breaker = createBreaker();
    fail(breaker, 20);
    const spacings = Array.from({ length: 9 }, () => {
      const now = breaker.probeAt() ?? 0;
      fail(breaker, 3, now);
      breaker.saw('failing', now, true);
      fail(breaker, 3, now + 10);
      return ((breaker.probeAt() ?? 0) - now) / 1000;
    });
    expect(spacings).toEqual([2, 4, 8, 16, 32, 60, 60, 60, 60]);
    breaker.saw('alive', 0, false);
    fail(breaker, 20);
    expect(breaker.probeAt()).toBe(1000);
  });

  it('knows since when nothing was let through', () => {
    const breaker = createBreaker();
    expect(breaker.troubledSince()).toBeUndefined();
    breaker.saw('throttling', 7, false);
    breaker.saw('failing', 8, false);
    breaker.saw('throttling', 9, false);
    expect(breaker.troubledSince()).toBe(7);
    breaker.saw('alive', 10, false);
    expect(breaker.troubledSince()).toBeUndefined();
  });
});
