import { describe, expect, it } from 'vitest';
import { parseMappingFile } from '../../../src/import/map/mapping-file.ts';
import { isSendable } from '../../../src/import/orders/plan-order.ts';
import { isTotalWord } from '../../../src/import/words.ts';
import { parseAssignment } from '../../../src/orders/assignment.ts';
import { fixture, plan, planFile, tableOf } from '../tables.ts';

const constants = [parseAssignment('collectionMode=NONE')];
const header = 'externalOrderId|customer.phone|items[].sku|items[].quantity:number|total|Note';

/** `row kind` of the rows that are left out of a table with this header. */
async function leftOut(rows: string[], names = header, more: Parameters<typeof plan>[1] = {}) {
  const { nonOrderRows } = await plan(tableOf(names, ...rows), { constants, ...more });
  expect(nonOrderRows.count).toBe(nonOrderRows.first.length);
  return nonOrderRows.first.map(({ row, kind }) => `${row} ${kind}`);
}

describe('a word for a total', () => {
  it.each([
    ...[
      'Total',
      'TOTAL:',
      ' Grand  total ',
      'Sub-total',
      'sub total',
      'Нийт',
      'НИЙТ ДҮН:',
      'нийлбэр',
      'Итого:',
    ],
    ...[
      'ВСЕГО',
      'Total Général',
      'Summe',
      'RAZEM',
      'ΣΎΝΟΛΟ',
      'الإجمالي',
      'योग',
      'Tổng cộng',
      'ยอดรวม',
      '合计',
      '합계',
    ],
  ])('is %s', (cell) => {
    expect(isTotalWord(cell)).toBe(true);
  });

  it.each([
    '',
    'Total Energies',
    'totally',
    'Total 12',
    'Сумка',
    'Дүнжингарав',
    'A-1',
    '45000',
    'कल',
    'sum of all',
  ])('is not %j', (cell) => {
    expect(isTotalWord(cell)).toBe(false);
  });
});

describe('rows that are no orders', () => {
  it('are left out of a file and named, and its orders are whole', async () => {
    const { all, nonOrderRows, counts, problems } = await planFile(
      fixture('import/rows-that-are-no-orders.csv'),
      { constants },
    );
    expect(problems).toEqual([]);
    expect(
      all.map(({ externalOrderId, rows }) => `${externalOrderId} ${rows.map(({ row }) => row)}`),
    ).toEqual(['A-1 2', 'A-2 3,4', 'A-3 5', 'A-4 8', 'A-5 9', 'A-6 10']);
    expect(nonOrderRows).toEqual({
      count: 5,
      first: [
        { row: 6, kind: 'total' },
        { row: 7, kind: 'footer' },
        { row: 11, kind: 'total' },
        { row: 12, kind: 'total' },
        { row: 13, kind: 'footer' },
      ],
    });
    expect(counts).toMatchObject({ orders: 6, rows: 12, skippedRows: 0, lastRow: 13 });
  });

  it('are footers of another width and rows between blank ones', async () => {
    const mapColumn = [
      { header: 'Order Number', path: 'externalOrderId' },
      { header: 'Ship To Phone', path: 'customer.phone' },
      { header: 'Custom Label', path: 'items[].sku' },
    ];
    const path = fixture('import/exports/blank-first-line-and-footers.csv');
    const { all, nonOrderRows } = await planFile(path, { constants, mapColumn });
    expect(all.filter(isSendable).map(({ externalOrderId, rows }) => [externalOrderId, rows.length])).toEqual(
      [
        ['11-00001-00001', 2],
        ['11-00001-00002', 1],
      ],
    );
    expect(nonOrderRows.first).toEqual([
      { row: 10, kind: 'footer' },
      { row: 11, kind: 'footer' },
    ]);
  });

  it.each<[string, string[], string[]]>([
    ['a word in any column', ['A|1|X|1|5|', '|||||Total'], ['3 total']],
    ['a word in the column of IDs', ['A|1|X|1|5|', 'итого||||5|'], ['3 total']],
    ['a sum of three', ['A|1|X|1|5|', 'B|1|X|1|6|', 'C|1|X|1|7|', '||||18|'], ['5 total']],
    ['a sum of two', ['A|1|X|1|5|', 'B|1|X|1|6|', '||||11|'], []],
    ['a sum of cents', ['A|1|X|1|0.10|', 'B|1|X|1|0.20|', 'C|1|X|1|0.7|', '||||1|'], ['5 total']],
    ['almost a sum', ['A|1|X|1|5.01|', 'B|1|X|1|6|', 'C|1|X|1|7|', '||||18|'], []],
    ['a sum with a label', ['A|1|X|1|5|', 'B|1|X|1|6|', 'C|1|X|1|7|', 'Төлөх||||18|'], ['5 total']],
    ['a sum with two labels', ['A|1|X|1|5|', 'B|1|X|1|6|', 'C|1|X|1|7|', 'D||||18|Сараа'], []],
    ['a sum with a phone', ['A|1|X|1|5|', 'B|1|X|1|6|', 'C|1|X|1|7|', 'D|1|||18|'], []],
    ['a sum with a SKU', ['A|1|X|1|5|', 'B|1|X|1|6|', 'C|1|X|1|7|', 'D||X||18|'], []],
    ['a sum of quantities', ['A|1|X|1|5|', 'B|1|X|1|6|', 'C|1|X|1|8|', '|||3||'], ['5 total']],
    ['a quantity of an order', ['A|1|X|1|5|', 'B|1|X|1|6|', 'C|1|X|1|8|', 'C|||3||'], []],
    ['a quantity with a label', ['A|1|X|1|5|', 'B|1|X|1|6|', 'C|1|X|1|8|', '|||3||gift'], []],
    ['only zeros', ['A|1|X|1|0|', 'B|1|X|1|0|', 'C|1|X|1|0|', '||||0|'], []],
    [
      'sums since the last one, and of all',
      [
        ...['A|1|X|1|1|', 'B|1|X|1|2|', 'C|1|X|1|3|', '||||6|'],
        ...['D|1|X|1|4|', 'E|1|X|1|5|', 'F|1|X|1|6|', '||||15|', '||||21|'],
      ],
      ['5 total', '9 total', '10 total'],
    ],
    ['a customer whose name is Total', ['A|1|X|1|5|Total', 'B|1|X|1|6|Дүн'], []],
    ['a line whose name is a word for a total', ['A|1|X|1|5|', 'A||Total|2||'], []],
    ['a SKU that is a word for a total', ['A|1|X|1|5|', '||SUM|2||'], []],
    ['comments', ['# orders of May|||||', 'A|1|X|1|5|'], ['2 footer']],
  ])('may have %s', async (_, rows, found) => {
    expect(await leftOut(rows)).toEqual(found);
  });

  it('may have the word in the column of names, when they have no ID', async () => {
    const names = 'externalOrderId|customer.phone|customer.name|items[].name|total';
    const rows = ['A|1|Сараа|Tea|5', '||Нийт||5', '|||TOTAL|5', 'A|||Total|', 'Total||Total||'];
    expect(await leftOut(rows, names)).toEqual(['3 total', '4 total', '6 total']);
  });

  it('may have a sum of amounts that need --decimal', async () => {
    const rows = ['A|1|X|1|1.000,50|', 'B|1|X|1|2.000|', 'C|1|X|1|3.000|', '||||6.000,50|'];
    expect(await leftOut(rows, header, { decimal: 'comma' })).toEqual(['5 total']);
    expect(await leftOut(rows)).toEqual([]);
  });

  it('may be told by the lines alone', async () => {
    const names = 'externalOrderId|customer.externalCustomerId|items[].sku|total';
    expect(await leftOut(['A|7|X|5', 'B|8|Y|6', 'Total|||11'], names)).toEqual(['4 total']);
  });

  it('are not left out when a customer or a line is told by other fields', async () => {
    const names =
      'externalOrderId|customer.externalCustomerId|items[0].sku|items[].barcode|customer.phone|total';
    const rows = ['A|7|X|||5', 'B|7|X|||6', 'C|7|X|||7', 'D|7||||18', 'E||X|||36', 'C|||865||72'];
    expect(await leftOut(rows, names)).toEqual([]);
  });

  it('are not the rows that sum up an order by rule, nor rows with lines in one cell', async () => {
    const mapping = (more: object) => parseMappingFile(JSON.stringify(more), 'map.json');
    const names = 'externalOrderId|customer.phone|items[].sku|Kind|total';
    const rows = ['A|1|X||', 'A|||Total|5', 'B|1|X||6'];
    expect(await leftOut(rows, names)).toEqual(['3 total']);
    const map = mapping({ summary_row_when: { Kind: 'Total' } });
    expect(await leftOut(rows, names, { map })).toEqual([]);
    const lines = { from: 'Lines', between: ';', form: '{items[].sku} x {items[].quantity:number}' };
    const packed = ['A|1|X x 1||', 'B||Y x 1|Total|', '||Y x 2||', '|||Total|'];
    const packedNames = 'externalOrderId|customer.phone|Lines|Kind|total';
    expect(await leftOut(packed, packedNames, { map: mapping({ lines }) })).toEqual(['5 total']);
    const { all } = await plan(tableOf(packedNames, 'A|1|X x 1||', '||Y x 2||'), {
      constants,
      map: mapping({ lines }),
    });
    expect(all.flatMap(({ problems }) => problems.map(({ code }) => code))).not.toContain('row_unclear');
  });

  it('are the same in both passes, also when rows are far apart', async () => {
    const rows = ['A|1|X|1|5|', 'B|1|X|1|6|', 'A||Y|1||', 'C|1|X|1|7|', '||||18|'];
    const { all, counts } = await plan(tableOf(header, ...rows), { constants });
    expect(all.map(({ externalOrderId, rows }) => [externalOrderId, rows.length])).toEqual([
      ['A', 2],
      ['B', 1],
      ['C', 1],
    ]);
    expect(counts).toMatchObject({ orders: 3, rows: 5, skippedRows: 0 });
  });
});

describe('rows that may be orders and may not', () => {
  it('are errors of that row', async () => {
    const { all, nonOrderRows } = await planFile(fixture('import/rows-unclear.csv'));
    expect(nonOrderRows.count).toBe(0);
    expect(all.flatMap(({ problems }) => problems)).toEqual([
      {
        about: 'order',
        severity: 'error',
        code: 'row_unclear',
        externalOrderId: 'Хүргэлт маргааш',
        row: 3,
        line: 3,
        cause: 'one cell',
        value: 'Хүргэлт маргааш',
        problem: 'the row has text in one cell only, so it may be a title or a note',
        fix: 'remove the row, or fill the cells that an order needs',
      },
      expect.objectContaining({
        code: 'row_unclear',
        row: 4,
        problem: '"TOTAL:" stands for a total, but the row has the cells of an order',
        fix: 'remove the row if it is a total, or else write something else in that cell',
      }),
      expect.objectContaining({ code: 'row_unclear', externalOrderId: 'A-2', row: 6, value: 'Total' }),
    ]);
    expect(all.filter(isSendable).map(({ externalOrderId }) => externalOrderId)).toEqual(['A-1', 'A-3']);
  });

  it('are all rows with a word for a total, when no column tells orders from totals', async () => {
    const table = tableOf('externalOrderId|customer.externalCustomerId|total', 'A|7|5', 'Total||5');
    const { all, nonOrderRows } = await plan(table, { constants });
    expect(nonOrderRows.count).toBe(0);
    expect(all.at(-1)?.problems).toMatchObject([
      { code: 'row_unclear', problem: '"Total" stands for a total, but the row may be an order' },
    ]);
  });

  it('have one cell in a table of four columns, outside of an order', async () => {
    const unclear = async (names: string, ...rows: string[]) => {
      const { all } = await plan(tableOf(names, ...rows), { constants });
      const problems = all.flatMap(({ problems }) => problems);
      return problems.filter(({ code }) => code === 'row_unclear').map(({ row }) => row);
    };
    const four = 'externalOrderId|customer.phone|items[].sku|Note';
    expect(await unclear(four, 'A|1|X|', '|||note', 'B|||', 'C|1|X|')).toEqual([3, 4]);
    expect(await unclear(four, 'A|||', 'A|1|X|', '||Y|', 'B|1|X|', 'B|||')).toEqual([]);
    expect(await unclear('externalOrderId|customer.phone|items[].sku', 'A||', 'B|1|X')).toEqual([]);
  });
});
