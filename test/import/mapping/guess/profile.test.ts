import { describe, expect, it } from 'vitest';
import { kindsOf } from '../../../../src/import/mapping/guess/cell-kinds.ts';
import { createTableProfile, profileRows } from '../../../../src/import/mapping/guess/column-profile.ts';

function profileOf(...texts: string[]) {
  const [column] = profileRows(
    1,
    texts.map((text) => ({ cells: [text] })),
  );
  if (column === undefined) throw new Error('no column');
  return column;
}

describe('the profile of a column', () => {
  it('counts what is there', () => {
    expect(profileOf('new', '', 'new', 'cancelled')).toMatchObject({
      filled: 3,
      blankOrders: 1,
      different: 2,
      samples: ['new', 'cancelled'],
      values: [
        { text: 'new', count: 2 },
        { text: 'cancelled', count: 1 },
      ],
    });
  });

  it.each([
    ['99112233', ['money', 'phone', 'certain_phone', 'id', 'sku']],
    ['+34 600 123 456', ['money', 'phone', 'certain_phone']],
    ['TEA-001', ['words', 'id', 'sku']],
    ['3', ['money', 'count', 'id', 'sku']],
    ['45.000,50', ['money', 'round', 'id', 'sku']],
    ['2026-11-20', ['date']],
    ['20.11.2026 10:00', ['date']],
    ['a@example.com', ['words', 'email']],
    ['Б. Болор', ['words', 'name', 'sku']],
  ])('%s can be %j', (text, kinds) => {
    expect(kindsOf(text)).toEqual(kinds);
  });

  it('knows values that come again behind others', () => {
    expect(profileOf('1', '1', '2', '3').uniqueShare).toBe(1);
    expect(profileOf('1', '2', '1', '3', '4').uniqueShare).toBe(0.75);
  });

  it('knows the marks and orders that read all of its cells', () => {
    expect(profileOf('1.234,50', '900').decimalMarks).toEqual(['comma']);
    expect(profileOf('1234.50', '900').decimalMarks).toEqual([]);
    expect(profileOf('1.234', '12,5').decimalMarks).toEqual(['comma']);
    expect(profileOf('1.234,50', '1,234.50').decimalMarks).toEqual([]);
    expect(profileOf('20.11.2026').dateOrders).toEqual(['dmy']);
    expect(profileOf('2026-11-20').dateOrders).toEqual([]);
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

  it('is bounded for any number of columns', () => {
    const cells = Array.from({ length: 20_000 }, (_, index) => String(index));
    expect(profileRows(cells.length, [{ cells }])).toHaveLength(500);
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
