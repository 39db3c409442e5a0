import { describe, expect, it } from 'vitest';
import { plan, tableOf } from '../tables.ts';

const header = 'externalOrderId|customer.phone|items[].sku|Tags|items[].name';

interface Flags {
  oneRowPerOrder?: boolean;
  repeatedRowsAreLines?: boolean;
}

const groupCodes = ['duplicate_row', 'duplicate_order'];

/** `ID: rows (repeated)` of each order; cells have `|` between them, the first row is row 2. */
async function group(rows: string[], flags: Flags = {}) {
  const { all } = await plan(tableOf(header, ...rows), flags);
  const shown = all.map(({ externalOrderId, rows, repeated }) => {
    const numbers = [rows, repeated].map((some) => some.map(({ row }) => row).join());
    return `${externalOrderId}: ${numbers[0]}${numbers[1] === '' ? '' : ` (${numbers[1]})`}`;
  });
  const problems = all.flatMap(({ problems }) => problems.filter(({ code }) => groupCodes.includes(code)));
  return { shown, problems };
}

describe('rows of one order', () => {
  it.each<[string, string[], string[]]>([
    ['one row each', ['A|1|X||', 'B|2|Y||'], ['A: 2', 'B: 3']],
    ['the same ID, adjacent', ['A|1|X||', 'A|1|Y||', 'B|2|Y||'], ['A: 2,3', 'B: 4']],
    ['the same ID, far apart', ['A|1|X||', 'B|2|Y||', 'A||Z||'], ['A: 2,4', 'B: 3']],
    ['IDs in another case or spelling', ['A|1|X||', 'a|1|X||', '#A|1|X||'], ['A: 2', 'a: 3', '#A: 4']],
    ['a blank ID with line cells', ['A|1|X||', '||Y||', '||||name'], ['A: 2,3,4']],
    ['a blank ID after scattered rows', ['A|1|X||', 'B|2|Y||', 'A|1|Z||', '||V||'], ['A: 2,4,5', 'B: 3']],
    ['a blank ID with order cells', ['A|1|X||', '|1|Y||', 'B|2|Z||'], ['A: 2', ': 3', 'B: 4']],
    ['a blank ID without cells that are sent', ['A|1|X||', '|||tag|'], ['A: 2', ': 3']],
    ['a blank ID at the start', ['||X||', 'A|1|Y||'], [': 2', 'A: 3']],
    [
      'a line below a row that lost its ID',
      ['A|1|X||', '|2|Y||', '||Z||', 'B|3|V||'],
      ['A: 2', ': 3,4', 'B: 5'],
    ],
    ['two rows that lost their IDs', ['|1|X||', '|2|Y||'], [': 2', ': 3']],
    ['no rows', [], []],
  ])('%s', async (_, rows, groups) => {
    expect(await group(rows)).toEqual({ shown: groups, problems: [] });
  });
});

const common = { about: 'order', severity: 'error' };
const fix =
  'remove one of them, or add --map FILE with "repeated_rows": "lines" if both are meant; --write-map FILE writes a mapping to begin with';
const duplicateRow = (row: number, externalOrderId: string, other: number) => ({
  ...common,
  code: 'duplicate_row',
  externalOrderId,
  row,
  line: row,
  problem: `this row is the same as row ${other} of order ${externalOrderId}`,
  cause: 'row',
  fix,
});

describe('repeated rows', () => {
  it('are reported wherever they are', async () => {
    expect(await group(['A|1|X||', 'B|2|Y||', 'A|1|X||', 'A|1|X||'])).toEqual({
      shown: ['A: 2 (4,5)', 'B: 3'],
      problems: [duplicateRow(4, 'A', 2), duplicateRow(5, 'A', 2)],
    });
  });

  it('are reported when they continue an order', async () => {
    expect(await group(['A|1|X||', '||Y||', 'B|2|X||', 'A|1|X||', '||Y||'])).toEqual({
      shown: ['A: 2,3 (5,6)', 'B: 4'],
      problems: [duplicateRow(5, 'A', 2), duplicateRow(6, 'A', 3)],
    });
  });

  it('are reported without an ID when they have none', async () => {
    const { problems } = await group(['|1|X||', '||Y||', '||Y||']);
    expect(problems.map(({ row, problem }) => [row, problem])).toEqual([
      [4, 'this row is the same as row 3'],
    ]);
  });

  it('are separate lines when a cell differs, even one that is not sent', async () => {
    expect(await group(['A|1|X||', 'A|1|X|tag|'])).toEqual({ shown: ['A: 2,3'], problems: [] });
  });

  it('are lines with "repeated_rows": "lines"', async () => {
    expect(await group(['A|1|X||', 'A|1|X||', '||Y||', '||Y||'], { repeatedRowsAreLines: true })).toEqual({
      shown: ['A: 2,3,4,5'],
      problems: [],
    });
  });
});

describe('one_row_per_order', () => {
  it('reports a repeated ID', async () => {
    expect(await group(['A|1|X||', 'B|2|Y||', 'A|1|Z||'], { oneRowPerOrder: true })).toEqual({
      shown: ['A: 2 (4)', 'B: 3'],
      problems: [
        {
          ...common,
          code: 'duplicate_order',
          externalOrderId: 'A',
          row: 4,
          line: 4,
          problem: 'order A is already in row 2',
          cause: 'id',
          fix: 'give the order an ID of its own, or remove the row',
        },
      ],
    });
  });

  it('reports it with "repeated_rows": "lines" as well', async () => {
    const flags = { oneRowPerOrder: true, repeatedRowsAreLines: true };
    expect((await group(['A|1|X||', 'A|1|X||'], flags)).problems.map(({ code }) => code)).toEqual([
      'duplicate_order',
    ]);
  });

  it('never continues an order in the next row', async () => {
    expect((await group(['A|1|X||', '||Y||'], { oneRowPerOrder: true })).shown).toEqual(['A: 2', ': 3']);
  });
});
