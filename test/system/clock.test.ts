import process from 'node:process';
import { afterEach, describe, expect, it } from 'vitest';
import { calendarDate, systemClock } from '../../src/system/system.ts';

describe('sleep', () => {
  it('resolves early when its signal is aborted', async () => {
    const controller = new AbortController();
    const started = performance.now();
    const slept = systemClock.sleep(60_000, controller.signal);
    controller.abort();
    await slept;
    await systemClock.sleep(60_000, controller.signal);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('calendarDate and today', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each([
    ['UTC', '2026-11-25T16:30:00Z', '2026-11-25'],
    ['Asia/Ulaanbaatar', '2026-11-25T16:30:00Z', '2026-11-26'],
    ['America/Los_Angeles', '2026-11-25T04:30:00Z', '2026-11-24'],
    ['Asia/Ulaanbaatar', '2026-12-31T16:30:00Z', '2027-01-01'],
    ['UTC', '2027-01-02T00:00:00Z', '2027-01-02'],
    ['UTC', '0099-03-04T00:00:00Z', '0099-03-04'],
  ])('in %s, %s is on %s', (TZ, moment, date) => {
    process.env.TZ = TZ;
    expect(calendarDate(new Date(moment))).toBe(date);
  });

  it.each([0, 1, 31, 400])('counts back %i days', (days) => {
    const expected = () => {
      const now = new Date();
      return calendarDate(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 12));
    };
    const before = expected();
    const date = systemClock.today(days);
    expect([before, expected()]).toContain(date);
  });
});
