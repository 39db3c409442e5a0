import { expect, it } from 'vitest';
import { parseTypedDate } from '../../../src/commands/create/typed-date.ts';

it.each([
  ['3.4', '2027-04-03'],
  ['25.12', '2026-12-25'],
  ['12.25', undefined],
  ['3.4.2027', '2027-04-03'],
  ['3/4', '2027-03-04'],
  ['12/25', '2026-12-25'],
  ['25/12', '2026-12-25'],
])('with dots the day comes first, otherwise the month: %s', (typed, date) => {
  expect(parseTypedDate(typed, '2026-11-22')).toBe(date);
});

it.each([
  ['Yesterday', '2026-11-21'],
  ['өчигдөр', '2026-11-21'],
  ['today', '2026-11-22'],
  ['өнөөдөр', '2026-11-22'],
  ['маргааш', '2026-11-23'],
  ['Нөгөөдөр', '2026-11-24'],
  ['sunday', '2026-11-29'],
  ['soon', undefined],
])('a day by its name: %s', (typed, date) => {
  expect(parseTypedDate(typed, '2026-11-22')).toBe(date);
});
