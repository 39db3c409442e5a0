import { describe, expect, it } from 'vitest';
import { createRetryBudget } from '../../../src/api/pacing/outage.ts';

const start = 1_000_000;

describe('the retry budget', () => {
  /** The number of retries within the given seconds when each leaves as soon as it may. */
  function maxRetries(seconds: number, refundsPerRetry = 0): number {
    const budget = createRetryBudget();
    let now = start;
    let retries = 0;
    for (;;) {
      now = budget.freeAt(now);
      if (now >= start + seconds * 1000 || retries >= 10_000) return retries;
      budget.spend(now);
      retries++;
      for (let refund = 0; refund < refundsPerRetry; refund++) budget.refund();
    }
  }

  it.each([
    [0.5, 100],
    [60, 159],
    [300, 399],
  ])('allows 100 retries, and one more per second (%i s)', (seconds, retries) => {
    expect(maxRetries(seconds)).toBe(retries);
  });

  it('allows one more retry per success', () => {
    expect(maxRetries(1, 1)).toBe(10_000);
  });

  it('never exceeds 100', () => {
    const budget = createRetryBudget();
    for (let refund = 0; refund < 1000; refund++) budget.refund();
    let now = start;
    for (let retry = 0; retry < 100; retry++) budget.spend(now);
    expect(budget.freeAt(now)).toBe(now + 1000);
    now += 3_600_000;
    for (let retry = 0; retry < 100; retry++) budget.spend(now);
    expect(budget.freeAt(now)).toBe(now + 1000);
  });
});
