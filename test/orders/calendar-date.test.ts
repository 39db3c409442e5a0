import { describe, expect, it } from 'vitest';
import { isBefore, isCalendarDate } from '../../src/orders/calendar-date.ts';

const dayLength = 86_400_000;
const first = Date.UTC(1900, 0, 1);
const last = Date.UTC(2100, 11, 31);
const toText = (time: number) => new Date(time).toISOString().slice(0, 10);
const realDays = new Set(
  Array.from({ length: (last - first) / dayLength + 1 }, (_, day) => toText(first + day * dayLength)),
);
const twoDigits = (number: number) => String(number).padStart(2, '0');

describe('isCalendarDate', () => {
  it('agrees with Date for every day from 1900 to 2100, and for days that do not exist', () => {
    const wrong: string[] = [];
    for (let year = 1900; year <= 2100; year += 1) {
      for (let month = 0; month <= 13; month += 1) {
        for (let day = 0; day <= 32; day += 1) {
          const text = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
          if (isCalendarDate(text) !== realDays.has(text)) wrong.push(text);
        }
      }
    }
    expect(realDays.size).toBe(73_414);
    expect(wrong).toEqual([]);
  });

  it.each(['0001-01-01', '0400-02-29', '1600-02-29', '2000-02-29', '2032-02-29', '2400-02-29', '9999-12-31'])(
    'accepts %s',
    (text) => {
      expect(isCalendarDate(text)).toBe(true);
    },
  );

  it.each([
    '',
    '0000-00-00',
    '0000-01-01',
    '0100-02-29',
    '1700-02-29',
    '2026-02-29',
    '2100-02-29',
    '2200-02-29',
    '2030-04-31',
    '2030-02-30',
    '2030-1-1',
    '30-01-01',
    '12030-01-01',
    '-030-01-01',
    '2030/01/01',
    '2030.01.01',
    '20300101',
    '01-01-2030',
    '2030-01-01 ',
    ' 2030-01-01',
    '2030-01-01\n',
    '2030-01-01T00:00:00Z',
    '２０３０-01-01',
    'today',
  ])('rejects %j', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });
});

describe('isBefore', () => {
  it.each([
    ['2026-11-19', '2026-11-20', true],
    ['2026-11-20', '2026-11-20', false],
    ['2026-11-21', '2026-11-20', false],
    ['2026-09-30', '2026-10-01', true],
    ['2025-12-31', '2026-01-01', true],
  ])('%s before %s: %s', (date, other, expected) => {
    expect(isBefore(date, other)).toBe(expected);
  });
});
