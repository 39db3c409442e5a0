import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeader } from '../../../../src/import/columns/header.ts';
import { profileRows } from '../../../../src/import/columns/profile.ts';
import { readPackedColumn } from '../../../../src/import/mapping/draft/packed-lines.ts';
import type { LinesMapping } from '../../../../src/import/mapping/language.ts';
import { createLineParser } from '../../../../src/import/mapping/lines.ts';
import cases from './packed-lines.json' with { type: 'json' };

type PackedLines = Exclude<LinesMapping, { wide: unknown }>;

function read(cells: readonly string[], name = 'Products') {
  const header = createHeader({ row: 1, line: 1, cells: [name] });
  const [profile] = profileRows(
    1,
    cells.map((cell) => ({ cells: [cell] })),
  );
  return readPackedColumn(header, 0, profile);
}

/** The lines of a cell as `goods=count`, by the likeliest reading. */
function linesIn(cells: readonly string[], cell: string): string[] | undefined {
  const [best] = read(cells)?.choices ?? [];
  if (best === undefined) return undefined;
  const { targets, parse } = createLineParser(best.lines as PackedLines);
  const count = targets.indexOf('items[].quantity:number');
  const goods = targets.findIndex((target) => /\.(?:sku|name)$/.test(target));
  return parse(cell)?.map((texts) => `${texts[goods]}=${texts[count] || '1'}`);
}

const goods = ['Tea', 'Green tea', 'Цай', 'Хар цай', 'Mug', 'Аяга'];
const forms: ((name: string, count: number) => string)[] = [
  (name, count) => `${name} (x${count})`,
  (name, count) => `${name} x${count}`,
  (name, count) => `${name} x ${count}`,
  (name, count) => `${name}*${count}`,
  (name, count) => `${name} × ${count}`,
  (name, count) => `${count} x ${name}`,
  (name, count) => `${name} - ${count}ш`,
  (name, count) => `${name} ${count} ширхэг`,
  (name, count) => `${name} - ${count} шт`,
  (name, count) => `${name} ${count}sh`,
  (name, count) => `${name} ${count} adet`,
  (name, count) => `${name} ${count}개`,
];
const line = fc.record({
  name: fc.constantFrom(...goods),
  count: fc.integer({ min: 1, max: 9 }),
  form: fc.constantFrom(...forms),
});

describe('a column of packed lines', () => {
  it('is read in full, whatever forms and separator its cells have', () => {
    let sure = 0;
    fc.assert(
      fc.property(
        fc.constantFrom('; ', ', ', ' + ', '\n', ' / ', '，', '、', '；'),
        fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 8 }),
        (separator, orders) => {
          const cells = orders.map((lines) =>
            lines.map(({ name, count, form }) => form(name, count)).join(separator),
          );
          const found = read(cells);
          if (found === undefined) throw new Error('not read');
          // A doubtful reading is asked about.
          if (!found.isSure) return;
          sure += 1;
          for (const [index, cell] of cells.entries()) {
            expect(linesIn(cells, cell)).toEqual(orders[index]?.map(({ name, count }) => `${name}=${count}`));
          }
        },
      ),
      { numRuns: 100 },
    );
    expect(sure).toBeGreaterThan(50);
  });

  it.each(cases.columns as [cells: string[], expected: string[]][])('%j', (cells, expected) => {
    expect(read(cells)?.isSure).toBe(true);
    expect(cells.flatMap((cell) => linesIn(cells, cell))).toEqual(expected);
  });

  it.each<[why: string, cells: string[]]>([
    ['a number in parentheses may be a size', ['Shirt (42)', 'Shirt (38)']],
    ['so many may be in one pack', ['Eggs 30ш', 'Eggs 10ш']],
    ['a text without a known count has a number', ['Tea x2', 'Mug, 3']],
    ['a text without a count may be several lines', ['Tea x2', 'Tea; Mug']],
    ['a size is no count', ['Tea x2', 'Rug 120 x 180']],
    ['a text may be several lines behind another separator', ['Tea x2, Mug x1', 'Tea; Mug']],
    ['a number before a name may belong to it', ['Tea x2', '7 herbs tea']],
  ])('is not sure: %s', (_, cells) => {
    const found = read(cells);
    expect(found?.isSure).toBe(false);
    expect(found?.choices).not.toEqual([]);
  });
});
