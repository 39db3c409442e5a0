import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { retryAfterMilliseconds } from '../../../src/api/pacing/server-wait.ts';
import { responseOf } from '../response.ts';

const now = Date.parse('2026-11-25T08:00:00Z');
const inTwoMinutes = [
  'Wed, 25 Nov 2026 08:02:00 GMT',
  'Wednesday, 25-Nov-26 08:02:00 GMT',
  'Wed Nov 25 08:02:00 2026',
];

function waitFor(headers: Record<string, string>) {
  return retryAfterMilliseconds(responseOf(429, '', headers), now);
}

describe('seconds', () => {
  it.each([
    ['0', 0],
    ['1', 1000],
    [' 120 ', 120_000],
    ['0.25', 250],
    ['1.5', 1500],
    ['007', 7000],
    ['99999999999999999999', 1e23],
  ])('%j', (value, milliseconds) => {
    expect(waitFor({ 'retry-after': value })).toBe(milliseconds);
  });
});

describe.each(['UTC', 'Asia/Ulaanbaatar', 'America/Los_Angeles'])('dates, in %s', (zone) => {
  const before = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = zone;
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  it.each(inTwoMinutes)('%s', (value) => {
    expect(waitFor({ 'retry-after': value })).toBe(120_000);
  });

  it.each(['Sun Nov  1 08:00:10 2026', 'Sunday, 01-Nov-26 08:00:10 GMT'])(
    '%s, on the first day of a month',
    (value) => {
      expect(waitFor({ 'retry-after': value, date: 'Sun, 01 Nov 2026 08:00:00 GMT' })).toBe(10_000);
    },
  );

  it.each(['Wed, 25 Nov 2026 07:00:00 GMT', 'Wed Nov 25 07:59:59 2026'])('%s, in the past', (value) => {
    expect(waitFor({ 'retry-after': value })).toBe(0);
  });

  it.each([
    ['Wed, 25 Nov 2026 08:01:59 GMT', 1000],
    ['Wed Nov 25 08:01:00 2026', 60_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', Date.parse(inTwoMinutes[0] as string)],
    ['the day before', 120_000],
    ['2', 120_000],
  ])('relative to the clock of the service, %s', (date, milliseconds) => {
    for (const value of inTwoMinutes) {
      expect(waitFor({ 'retry-after': value, date })).toBe(milliseconds);
    }
  });
});

describe('milliseconds', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after-ms': '0.5' }, 0.5],
    [{ 'retry-after-ms': '0' }, 0],
    [{ 'retry-after-ms': '350', 'retry-after': '1' }, 1000],
    [{ 'retry-after-ms': '2350', 'retry-after': '2' }, 2350],
    [{ 'retry-after-ms': '350', 'retry-after': 'soon' }, 350],
    [{ 'retry-after-ms': '-5' }, undefined],
    [{ 'retry-after-ms': 'soon' }, undefined],
    [{ 'retry-after-ms': 'soon', 'retry-after': '1' }, 1000],
  ])('%j', (headers, milliseconds) => {
    expect(waitFor(headers)).toBe(milliseconds);
  });
});

describe('a response that requests no wait', () => {
  it('without the header', () => {
    expect(waitFor({ date: inTwoMinutes[0] as string })).toBeUndefined();
  });

  it.each(['', ' ', 'soon', '-5', '+5', '5, 5', '12,5', '1e9', '0x10', '120s', 'in 2030', '.5', '5.', 'NaN'])(
    '%j',
    (value) => {
      expect(waitFor({ 'retry-after': value })).toBeUndefined();
    },
  );
});
