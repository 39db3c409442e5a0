import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindsOf } from '../../../src/import/columns/cell-kinds.ts';
import { createTableProfile, profileRows } from '../../../src/import/columns/profile.ts';
import cases from './profile.json' with { type: 'json' };

describe('the profile of a column', () => {
  it.each(cases.canBe as [string, string[]][])('%s can be %j', (text, kinds) => {
    expect(kindsOf(text)).toEqual(kinds);
  });

  it.each([
    ['House 1 Street 2 flat 4', true],
    ['Calle Sol 12', true],
    ['Peace Ave 1-2', true],
    ['Sol 1, 2º B', true],
    ['12-р байр 45 тоот', true],
    ['Musterstr. 7', true],
    ['Green tea 500 g', false],
    ['Galaxy S21 Ultra', false],
    ['Cable 2m', false],
    ['Rug 120 x 180', false],
    ['Bat Bold', false],
    ['99112233', false],
  ])('%s is like an address: %s', (text, expected) => {
    expect(kindsOf(text).includes('address')).toBe(expected);
  });

  it.each([
    ['Tea (x2)', true],
    ['Цай - 2ш', true],
    ['Цай 2 ширхэг', true],
    ['2 x Tea', true],
    ['Tea*2', true],
    ['Tea x2, Mug x1', true],
    ['Green tea 500 g', false],
    ['Rug 120 x 180', false],
    ['Max 2', false],
    ['Shirt XL', false],
  ])('%s holds a count: %s', (text, expected) => {
    expect(kindsOf(text).includes('packed')).toBe(expected);
  });

  const cell = fc.constantFrom('', '0', '1', '2', '3', '4', '6', '9', 'A');
  const rows = fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 6 });

  it('relates columns as a comparison of all rows does', () => {
    const at = (row: readonly string[], index: number) => row[index] ?? '';
    const numberAt = (row: readonly string[], index: number) =>
      at(row, index) === '' ? 0 : Number(at(row, index));
    fc.assert(
      fc.property(rows, fc.integer({ min: 0, max: 40 }), (some, equalRows) => {
        // Later rows decide as well as those from which the columns are chosen.
        const all = [...Array.from({ length: equalRows }, () => ['2', '3', '6', '6']), ...some];
        const profiles = profileRows(
          4,
          all.map((cells) => ({ cells })),
        );
        for (const [index, { filled, equalTo, productOf, atMost, shares }] of profiles.entries()) {
          const first = [0, 1, 2, 3].find((other) => all.every((row) => at(row, other) === at(row, index)));
          expect(equalTo).toBe(filled === 0 || first === index ? undefined : first);
          if (productOf !== undefined) {
            const [quantity, price] = productOf;
            for (const row of all)
              expect(numberAt(row, index)).toBe(numberAt(row, quantity) * numberAt(row, price));
          }
          const limits = [0, 1, 2, 3].filter(
            (other) =>
              other !== index &&
              all.some((row) => numberAt(row, other) > 0) &&
              all.every((row) => numberAt(row, index) <= numberAt(row, other)),
          );
          const areCounts = [index, ...limits].every((other) => all.every((row) => at(row, other) !== 'A'));
          if (areCounts && shares.count > 0) expect(atMost).toEqual(limits);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('knows what is quantity × price in every row', () => {
    const rows = [
      ['2', '15,000', '30,000', '30000'],
      ['1', '900', '900', '900'],
      ['3', '1,000', '3,000', '5000'],
    ].map((cells) => ({ cells }));
    expect(profileRows(4, rows).map(({ productOf }) => productOf)).toEqual([
      undefined,
      undefined,
      [0, 1],
      undefined,
    ]);
    expect(profileRows(4, rows.slice(1, 2)).some(({ isProduct }) => isProduct)).toBe(false);
  });

  it('counts orders, not rows, in which a column is blank', () => {
    const profile = createTableProfile(2, 0);
    for (const cells of [
      ['A', 'card'],
      ['A', ''],
      ['', ''],
      ['B', ''],
      ['C', 'cash'],
    ])
      profile.addRow(cells);
    expect(profile.columns()[1]).toMatchObject({ filled: 2, blankOrders: 1 });
  });

  it('is bounded for any number of rows and any length of cells', () => {
    const profile = createTableProfile(1);
    for (let row = 0; row < 20_000; row += 1) profile.addRow([`${row}${'x'.repeat(300)}`]);
    const [column] = profile.columns();
    expect(column?.values).toBeUndefined();
    expect(Math.abs((column?.different ?? 0) - 20_000)).toBeLessThan(1000);
    expect(column?.filled).toBe(20_000);
    expect(column?.samples.every(({ length }) => length <= 60)).toBe(true);
  });
});
