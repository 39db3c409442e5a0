import { describe, expect, it } from 'vitest';
import { profileRows } from '../../../src/import/columns/profile.ts';
import { readValues } from '../../../src/import/columns/reading.ts';

/** What the values of a column say, one order each. */
function saidBy(texts: readonly string[]): string[] {
  const [profile] = profileRows(
    1,
    texts.map((text) => ({ cells: [text] })),
  );
  if (profile === undefined) throw new Error('no column');
  return Object.entries(readValues(profile)).flatMap(([said, isSaid]) => (isSaid ? [said] : []));
}

const notes = Array.from({ length: 60 }, (_, index) => `note ${index} of the shop`);

describe('the values of a column say', () => {
  it.each([
    ['a state', ['void', 'new', 'B-7', 'B-8'], ['state', 'words']],
    ['a payment', ['COD', 'Б-1', 'Б-2'], ['payment', 'words']],
    ['a word among many texts, which decides nothing', [...notes, 'цуцалсан'], ['words']],
    ['ticks in some orders', ['✓', '', ''], ['ticks']],
    ['ticks that are the same everywhere', ['✓', 'x'], []],
    ['1 and 0', ['1', '0', '1'], ['ticks']],
    ['a choice', ['ягаан', 'цэнхэр', 'ягаан', 'цэнхэр'], ['choices']],
    ['amounts', ['45000', '50000', '39000'], ['amounts']],
    ['counts', ['3', '1', '2', '12', '7', '4', '9', '5'], ['quantity']],
    ['counts beside a text', ['3', '1', '2', '12', '7', '4', '9', 'дараа'], ['quantity']],
    ['a count of the rows', ['1', '2', '3', '4', '5'], []],
    ['phones', ['99112233', '88112233'], ['phone']],
    ['days', ['2026-11-28', '2026-11-29'], ['date']],
    ['addresses', ['БЗД 3-р хороо, 12-р байр', 'СБД 1-р хороо, 5-р байр'], ['address']],
    ['cities', ['Дархан', 'Эрдэнэт'], ['place']],
  ])('%s', (_, texts, said) => {
    expect(saidBy(texts)).toEqual(said);
  });
});
