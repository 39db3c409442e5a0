import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBefore, isCalendarDate } from '../../src/orders/calendar-date.ts';

const dayLength = 86_400_000;
const first = Date.UTC(1900, 0, 1);
const last = Date.UTC(2100, 11, 31);
const toText = (time: number) => new Date(time).toISOString().slice(0, 10);
const realDays = new Set(
  Array.from({ length: (last - first) / dayLength + 1 }, (_, day) => toText(first + day * dayLength)),
);
const realDay = fc.integer({ min: 0, max: (last - first) / dayLength }).map((day) => first + day * dayLength);
const twoDigits = (number: number) => String(number).padStart(2, '0');

describe('isCalendarDate', () => {
  it('agrees with the calendar of the platform on every day and non-day from 1900 to 2100', () => {
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
    'takes %s',
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
  ])('refuses %j', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });

  it('refuses a real day with anything added', () => {
    const spoilt = fc
      .tuple(realDay, fc.nat({ max: 10 }), fc.string({ minLength: 1 }))
      .map(([day, place, added]) => toText(day).slice(0, place) + added + toText(day).slice(place));
    fc.assert(fc.property(spoilt, (text) => !isCalendarDate(text)));
  });

  it('refuses a real day with one character taken away, or made another than a digit or hyphen', () => {
    const stranger = fc.oneof(
      fc.constant(''),
      fc.string({ minLength: 1, maxLength: 1 }).filter((text) => !/[\d-]/.test(text)),
    );
    const spoilt = fc
      .tuple(realDay, fc.nat({ max: 9 }), stranger)
      .map(([day, place, other]) => toText(day).slice(0, place) + other + toText(day).slice(place + 1));
    fc.assert(fc.property(spoilt, (text) => !isCalendarDate(text)));
  });

  it('refuses any text that is not of the form', () => {
    const other = fc.string({ unit: 'grapheme' }).filter((text) => !/^\d{4}-\d{2}-\d{2}$/.test(text));
    fc.assert(fc.property(other, (text) => !isCalendarDate(text)));
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

  it('orders days as the calendar does', () => {
    fc.assert(
      fc.property(realDay, realDay, (day, other) => {
        expect(isBefore(toText(day), toText(other))).toBe(day < other);
      }),
    );
  });
});
