import { describe, expect, it } from 'vitest';
import { type RetryAfterForm, retryAfterForms } from '../../../src/sandbox/behaviour/fault-actions.ts';
import { writeRetryAfter } from '../../../src/sandbox/faults/retry-after.ts';

const now = Date.parse('2026-11-05T08:00:00.250Z');
/** 2.5 s later is 08:00:02.750; dates have whole seconds. */
const nextSecond = Date.parse('2026-11-05T08:00:03.000Z');

const table: Record<RetryAfterForm, [Record<string, string>, number | undefined]> = {
  seconds: [{ 'Retry-After': '3' }, now + 3000],
  fraction: [{ 'Retry-After': '2.500' }, now + 2500],
  http_date: [{ 'Retry-After': 'Thu, 05 Nov 2026 08:00:03 GMT' }, nextSecond],
  rfc_850_date: [{ 'Retry-After': 'Thursday, 05-Nov-26 08:00:03 GMT' }, nextSecond],
  asctime_date: [{ 'Retry-After': 'Thu Nov  5 08:00:03 2026' }, nextSecond],
  iso_date: [{ 'Retry-After': '2026-11-05T08:00:03Z' }, nextSecond],
  milliseconds: [{ 'Retry-After-Ms': '2500' }, now + 2500],
  ratelimit: [{ RateLimit: '"default";r=0;t=3', 'RateLimit-Policy': '"default";q=100;w=60' }, now + 3000],
  ratelimit_reset: [
    { 'RateLimit-Limit': '100', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '3' },
    now + 3000,
  ],
  x_ratelimit_reset: [
    {
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(nextSecond / 1000),
    },
    nextSecond,
  ],
  zero: [{ 'Retry-After': '0' }, now],
  negative: [{ 'Retry-After': '-5' }, undefined],
  past_date: [{ 'Retry-After': 'Thu, 01 Jan 2015 00:00:00 GMT' }, undefined],
  garbage: [{ 'Retry-After': 'soon' }, undefined],
};

describe('a wait of 2.5 seconds', () => {
  it.each(retryAfterForms)('%s', (form) => {
    const [headers, notBefore] = table[form];
    expect(writeRetryAfter[form](2.5, now)).toEqual({ headers, notBefore });
  });
});

describe('the announced wait', () => {
  const waits = [0, 0.0004, 0.033_333, 0.1, 0.999_9, 1, 1.001, 2.5, 59.999, 3600];
  const formsWithWait = retryAfterForms.filter((form) => table[form][1] !== undefined && form !== 'zero');

  it.each(formsWithWait)('is never shorter than the wait, and at most a second longer: %s', (form) => {
    for (const seconds of waits) {
      for (const offset of [0, 1, 500, 999]) {
        const { notBefore = 0 } = writeRetryAfter[form](seconds, now + offset);
        const wait = notBefore - (now + offset);
        expect(wait).toBeGreaterThanOrEqual(seconds * 1000 - 1e-6);
        expect(wait).toBeLessThan(seconds * 1000 + 1001);
      }
    }
  });

  it.each(['http_date', 'rfc_850_date', 'asctime_date', 'iso_date'] as const)(
    'equals the date of %s',
    (form) => {
      const { headers, notBefore } = writeRetryAfter[form](90.1, now);
      const text = String(headers['Retry-After']);
      const date = Date.parse(form === 'asctime_date' ? `${text} GMT` : text);
      expect(date).toBe(notBefore);
    },
  );

  it.each([
    ['fraction', '0.034'],
    ['milliseconds', '34'],
  ] as const)('is rounded up: %s', (form, text) => {
    expect(Object.values(writeRetryAfter[form](1 / 30, now).headers)).toEqual([text]);
  });
});
