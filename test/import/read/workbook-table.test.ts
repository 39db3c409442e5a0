import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { cleanCell } from '../../../src/csv/read-csv.ts';
import { type ReadingFlags, readTable } from '../../../src/import/read/read-table.ts';
import { textOf } from '../../support/advice.ts';
import { rowXml, sheetOf, type WorkbookParts, workbookOf } from '../../support/workbook.ts';
import { allRows, bytesSource } from '../tables.ts';

const read = async (workbook: WorkbookParts, flags: ReadingFlags = {}) => {
  const table = await readTable(bytesSource(workbookOf(workbook)), flags, { forOrders: true });
  const { header, notes, sheet } = table;
  return { sheet, notes, header: header.cells, rows: await allRows(table) };
};
const errorOf = (workbook: WorkbookParts, flags?: ReadingFlags) =>
  read(workbook, flags).then(
    () => 'no error',
    ({ code, message, details }) => ({ code, message, hint: textOf(details.hint) }),
  );
const cellsOf = async (workbook: WorkbookParts, flags?: ReadingFlags) =>
  (await read(workbook, flags)).rows.map(({ row, cells }) => [row, ...cells]);

const one = sheetOf([
  ['id', 'total'],
  ['A-1', 100],
]);
const two = { ...sheetOf([['sku'], ['TEA-001']]), name: 'Бараа' };

describe('the table of a workbook', () => {
  it('has the rows of the sheet, all as wide as its widest row', async () => {
    const sheets = [sheetOf([['id', 'total', ''], [], ['A-1', 100], ['', '', ''], ['A-2', '', 'x']])];
    expect(await read({ sheets })).toEqual({
      sheet: 'Orders',
      notes: [],
      header: ['id', 'total', ''],
      rows: [
        { row: 3, line: 3, cells: ['A-1', '100', ''] },
        { row: 5, line: 5, cells: ['A-2', '', 'x'] },
      ],
    });
  });

  it('has its header where --header-row says', async () => {
    const sheets = [sheetOf([['Orders of November'], [], ['id', 'total'], ['A-1', 100]])];
    const { header, rows } = await read({ sheets }, { headerRow: 3 });
    expect([header, rows]).toEqual([['id', 'total'], [{ row: 4, line: 4, cells: ['A-1', '100'] }]]);
    expect(await errorOf({ sheets }, { headerRow: 2 })).toEqual({
      code: 'file_invalid',
      message: 'orders.xlsx has nothing in row 2 of sheet "Orders".',
      hint: 'Name another --header-row.',
    });
  });

  it('repeats what is merged with the rows below, and names that are merged over columns', async () => {
    const rows = [
      rowXml(1, ['id', 'phone', '', 'sku']),
      rowXml(2, ['A-1', '', '88112233', '']),
      rowXml(3, ['', '', '', 'MUG']),
      rowXml(4, ['A-2', '', '', 'TEA']),
      rowXml(6, ['', '', '', 'TEA']),
    ].join('');
    const merges = ['A6:A7', 'B4:C4', 'A4:A5', 'B1:C2', 'A2:A3', 'D1:D2', 'D2'];
    const xml = `<sheetData>${rows}</sheetData><mergeCells>${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
    const { header, rows: read_ } = await read({ sheets: [{ name: 'Orders', xml }] });
    expect(header).toEqual(['id', 'phone', 'phone', 'sku']);
    expect(read_.map(({ cells }) => cells)).toEqual([
      ['A-1', '', '88112233', ''],
      ['A-1', '', '', 'MUG'],
      ['A-2', '', '', 'TEA'],
      ['', '', '', 'TEA'],
    ]);
  });
});

describe('a header of two rows', () => {
  const rows = [
    rowXml(1, ['Orders of November']),
    rowXml(3, ['№', 'Order', '', 'Customer', '', '', 'Note']),
    rowXml(4, ['', 'ID', 'Code', 'Phone', 'Street', '', '']),
    rowXml(5, [1, 'A-1', 'TEA-001', '99112233', 'Peace Avenue 3', '12', '']),
  ].join('');
  const merges = ['A1:G1', 'A3:A4', 'B3:C3', 'D3:F3', 'G3:G4'];
  const xml = `<sheetData>${rows}</sheetData><mergeCells>${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
  const names = [
    '№',
    'Order / ID',
    'Order / Code',
    'Customer / Phone',
    'Customer / Street',
    'Customer',
    'Note',
  ];

  it('is joined by its merged cells', async () => {
    const sheets = [{ name: 'Orders', xml }];
    expect((await errorOf({ sheets })) as object).toMatchObject({
      code: 'header_row_unclear',
      message: `orders.xlsx may not begin with its header. Rows 3 and 4 together look like the header: ${names.slice(0, 6).join(', ')}, .... Nothing was sent.`,
    });
    const { header, rows: data } = await read({ sheets }, { headerRow: 4 });
    expect([header, data.map(({ row }) => row)]).toEqual([names, [5]]);
  });
});

describe('the sheet', () => {
  it('has to be chosen among several', async () => {
    expect(await errorOf({ sheets: [one, two] })).toEqual({
      code: 'sheet_unclear',
      message: 'orders.xlsx has 2 sheets with data, and only one is read. Nothing was sent.',
      hint: 'Choose it with --sheet: "Orders", "Бараа".',
    });
    expect((await read({ sheets: [one, two] }, { sheet: 'бараа ' })).header).toEqual(['sku']);
    expect(await errorOf({ sheets: [one, two] }, { sheet: 'None' })).toEqual({
      code: 'usage',
      message: 'orders.xlsx has no sheet "None".',
      hint: 'Its sheets: "Orders", "Бараа".',
    });
  });

  it('is the only one with a table', async () => {
    const orders = sheetOf(
      [['Orders of today'], ['id', 'phone', 'sku'], ['A-1', '99112233', 'TEA-001']],
      'Today',
    );
    const help = sheetOf([['How to fill this in'], ['Write', 'one order'], ['in', 'each row']], 'Help');
    const { sheet, notes } = await read({ sheets: [help, orders] }, { headerRow: 2 });
    expect([sheet, notes]).toEqual([
      'Today',
      ['Sheet "Today" is read, the only one with a table. These are not read: "Help".'],
    ]);
    const products = sheetOf(
      [
        ['sku', 'name', 'price'],
        ['TEA-001', 'Tea', 8900],
      ],
      'Products',
    );
    expect(await errorOf({ sheets: [help, orders, products] })).toMatchObject({ code: 'sheet_unclear' });
  });

  it('is a hidden one only when it is named, or when there is no other', async () => {
    const hidden = { ...two, state: 'veryHidden' as const };
    const { sheet, notes } = await read({ sheets: [hidden, one] });
    expect([sheet, notes]).toEqual(['Orders', ['Hidden sheets are not read: "Бараа".']]);
    expect((await read({ sheets: [hidden, one] }, { sheet: 'Бараа' })).header).toEqual(['sku']);
    expect((await read({ sheets: [hidden] })).sheet).toBe('Бараа');
  });

  it('has text', async () => {
    expect(await errorOf({ sheets: [{ name: 'Orders', xml: '<sheetData/>' }] })).toMatchObject({
      message: 'orders.xlsx has nothing in it.',
    });
  });
});

describe('what a sheet hides', () => {
  const rows = [
    rowXml(1, ['id', 'total']),
    rowXml(2, ['A-1', 100]),
    rowXml(3, ['A-2', 200], ' hidden="1"'),
    rowXml(4, [], ' hidden="1"'),
    rowXml(5, ['A-3', 300], ' hidden="true"'),
  ].join('');
  const sheets = [{ name: 'Orders', xml: `<sheetData>${rows}</sheetData><autoFilter ref="A1:B5"/>` }];

  it('needs --hidden-rows', async () => {
    expect(await errorOf({ sheets })).toEqual({
      code: 'rows_hidden',
      message: 'orders.xlsx hides 2 rows of sheet "Orders", by a filter or by hand: 3, 5. Nothing was sent.',
      hint: 'To send their orders too, add --hidden-rows send; to leave them out, add --hidden-rows leave-out.',
    });
    expect(await cellsOf({ sheets }, { hiddenRows: 'leave-out' })).toEqual([[2, 'A-1', '100']]);
    const { rows, notes } = await read({ sheets }, { hiddenRows: 'send' });
    expect(rows.map(({ row }) => row)).toEqual([2, 3, 5]);
    expect(notes).toEqual(['2 hidden rows are read too: 3, 5.']);
  });

  it('is read where it is a column', async () => {
    const xml = `<cols><col min="2" max="9" hidden="1"/></cols>${one.xml}`;
    const { notes, rows } = await read({ sheets: [{ name: 'Orders', xml }] });
    expect([notes, rows[0]?.cells]).toEqual([[], ['A-1', '100']]);
  });
});

test.each<[ReadingFlags, string]>([
  [{ delimiter: ';' }, '--delimiter'],
  [{ encoding: 'utf-8' }, '--encoding'],
])('%j does not apply to a workbook', async (flags, name) => {
  expect(await errorOf({ sheets: [one] }, flags)).toEqual({
    code: 'usage',
    message: `orders.xlsx is an Excel workbook, so ${name} does not apply to it.`,
    hint: `Leave out ${name}.`,
  });
});

test.each<[ReadingFlags, string]>([
  [{ sheet: 'Orders' }, '--sheet'],
  [{ hiddenRows: 'send' }, '--hidden-rows'],
])('%j does not apply to CSV', async (flags, name) => {
  const source = bytesSource(Buffer.from('id,total\n'), 'orders.csv');
  await expect(readTable(source, flags, { forOrders: true })).rejects.toMatchObject({
    code: 'usage',
    message: `orders.csv is not a workbook, so ${name} does not apply to it.`,
  });
});

test('any table is read as it was written', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('', '0012', '=1+1', "'x", '_x000D_', '<&>"', ' two\nlines ', '9.91E+07'),
  );
  const cell = fc.oneof(text, fc.integer({ min: -(10 ** 14), max: 10 ** 14 }));
  const table = fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const sheets = [sheetOf([['id', 'b', 'c', 'd', 'e', 'f'], ...rows])];
      const expected = rows.flatMap((cells, index) => {
        const clean = Array.from({ length: 6 }, (_, column) => cleanCell(String(cells[column] ?? '')));
        return clean.every((text) => text === '') ? [] : [[index + 2, ...clean]];
      });
      expect(await cellsOf({ sheets })).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});
