import { describe, expect, it } from 'vitest';
import { type MappingOptions, mapHeader } from '../../../src/import/map/map-header.ts';
import { readTable } from '../../../src/import/table/read-table.ts';
import { fixture, headerOf, rowsOf, sourceOf } from '../tables.ts';

const fixOf = (header: string[], below: string[][] = [], options: MappingOptions = {}) => {
  const { problems } = mapHeader({ ...headerOf(...header), below: rowsOf(...below) }, options);
  return problems.find(({ code }) => code === 'column_missing')?.fix;
};

describe('a header without an order ID column', () => {
  it('suggests --header-row when a row below looks like the header', async () => {
    const below = [
      ['', ''],
      ['Захиалгын дугаар', 'Утас'],
      ['1', '99112233'],
    ];
    const fix = 'row 3 looks like the header: add --header-row 3';
    expect(fixOf(['Тайлан', ''], below)).toBe(fix);
    for (const name of ['title-lines.csv', 'titles-of-one-cell.csv']) {
      const { header } = await readTable(sourceOf(fixture(`import/exports/${name}`)), {});
      expect(mapHeader(header, {}).problems[0]).toMatchObject({ code: 'column_missing', fix });
    }
  });

  it.each([
    ['externalOrderId^customer.phone', "'^'"],
    ['externalOrderId,customer.phone', "','"],
    ['Order ID\tPhone', 'tab'],
  ])('suggests --delimiter for a single column: %j', (only, flag) => {
    expect(fixOf([only])).toBe(`it was read as one column; if that is wrong, add --delimiter ${flag}`);
  });

  it('suggests a column of a similar name only when its values may be order IDs', () => {
    const below = (value: string) => [[value], [value]];
    expect(fixOf(['Orders ID'], below('A-12'))).toContain("add --map-column 'Orders ID=externalOrderId'");
    for (const value of ['Б.Өлзийбаяр', '2026-11-22', '45000.50', 'a1@shop.mn', '']) {
      expect(fixOf(['Orders ID'], below(value))).not.toContain('--map-column');
    }
  });

  it('lists only the first columns of a long header', () => {
    const header = Array.from({ length: 42 }, (_, index) => `c${index}`);
    expect(fixOf(header)).toMatch(/, c38, c39 and 2 more$/);
  });
});
