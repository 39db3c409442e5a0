import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sayInEnglish } from '../../../../src/advice/advice.ts';
import { readTable } from '../../../../src/import/read/read-table.ts';
import { createRejectsFormat } from '../../../../src/import/results/files.ts';
import { runCli, temporaryDirectory } from '../../../support/cli.ts';
import { installDebianPackages } from '../../../support/debian.ts';
import { saveAsWorkbook } from '../../../support/libreoffice.ts';
import { allRows, fixture, sourceOf } from '../../tables.ts';

beforeAll(() => installDebianPackages(['python3-openpyxl', 'libreoffice-calc']), 600_000);

const write = `
import sys, datetime
from openpyxl import Workbook
book = Workbook()
sheet = book.active
sheet.title = 'Захиалга 11'
sheet.append(['id', 'phone', 'zeros', 'date', 'moment', 'time', 'formula', 'text', 'dollars', 'yes'])
sheet.append(['0012', 97699112233, 42, datetime.date(2026, 11, 25), datetime.datetime(2026, 11, 25, 10, 39),
  datetime.time(12, 30), '=1+1', ' two runs', 45.5, True])
sheet.append(['0013', 0.1 + 0.2])
sheet.append(['0014', 'hidden'])
sheet.merge_cells('C2:C3')
sheet['C2'].number_format = '00000'
sheet['I2'].number_format = '"$"#,##0.00'
sheet.row_dimensions[4].hidden = True
sheet.column_dimensions['F'].hidden = True
sheet.auto_filter.ref = 'A1:J4'
book.create_sheet('Empty')
book.save(sys.argv[1])
`;
const first = ['0012', '97699112233', '00042', '2026-11-25', '2026-11-25 10:39:00', '12:30:00'];

async function read(path: string) {
  const { header, notes, batches } = await readTable(
    sourceOf(path),
    { hiddenRows: 'leave-out' },
    { forOrders: true },
  );
  const rows = await allRows({ batches } as Awaited<ReturnType<typeof readTable>>);
  return { header: header.cells.length, notes, rows: rows.map(({ row, cells }) => [row, ...cells]) };
}

describe('a workbook of openpyxl', () => {
  it('is read as it is shown, and again when LibreOffice has saved it', async () => {
    const path = join(temporaryDirectory(), 'orders.xlsx');
    execFileSync('/usr/bin/python3', ['-c', write, path]);
    const rest = ['two runs', '$ 45.5', 'TRUE'];
    const second = [3, '0013', '0.3', '00042', ...Array(7).fill('')];
    const notes = ['1 hidden row is left out: 4.'];
    const rows = (formula: string) => [[2, ...first, formula, ...rest], second];
    expect(await read(path)).toEqual({ header: 10, notes, rows: rows('#FORMULA!') });
    expect(await read(saveAsWorkbook(path))).toEqual({ header: 10, notes, rows: rows('2') });
  });
});

const copy = `
import sys, csv
from openpyxl import Workbook
book = Workbook(write_only=True)
sheet = book.create_sheet('Orders')
for row in csv.reader(open(sys.argv[1], encoding='utf-8-sig', newline='')): sheet.append(row)
book.save(sys.argv[2])
`;

async function requestsOf(path: string) {
  const flags = ['--dry-run', '--format', 'ndjson', '--ignore-rest'];
  // The dates of the files are past.
  const { stdout } = await runCli(['import', path, ...flags], { today: '2026-12-01' });
  const lines = stdout.split('\n').filter((line) => line !== '');
  const orders = lines.map((line) => JSON.parse(line)).filter(({ outcome }) => outcome !== undefined);
  expect(orders.length).toBeGreaterThan(0);
  return orders.map(({ row, outcome, code, request }) => ({ row, outcome, code, request }));
}

describe('a CSV file as a workbook', () => {
  it.each(['orders.csv', 'orders-invalid.csv', 'shops/shopify.csv', 'shops/woocommerce.csv'])(
    'sends the orders of %s, whoever has saved it',
    async (name) => {
      const expected = await requestsOf(fixture(name));
      const path = join(temporaryDirectory(), 'orders.xlsx');
      execFileSync('/usr/bin/python3', ['-c', copy, fixture(name), path]);
      expect(await requestsOf(path)).toEqual(expected);
      expect(await requestsOf(saveAsWorkbook(path))).toEqual(expected);
    },
  );
});

describe('a rejects file', () => {
  const cells = [
    ...[
      '0012',
      '+97699112233',
      '9.91E+07',
      '1234567890123456',
      '=1+1',
      '=HYPERLINK("http://127.0.0.1")',
      '-5',
    ],
    ...['@SUM(1)', "'quoted", "''twice", 'Өргөө, 5', 'two\nlines', 'say "hi"', '2030-01-05', '01/02/2030'],
    ...[
      '1,250.50',
      'TRUE',
      '1-2',
      '25000.50',
      '10.0',
      '12:30',
      '5%',
      '2026.11.25',
      '3/4',
      '5 Mar',
      '12 хороо',
    ],
  ];
  const header = { row: 1, line: 1, cells: ['externalOrderId', 'x.note'] };

  // CSV: text as shown, UTF-8, commas, quotes where needed; columns keep the types that LibreOffice chooses.
  it.each(['csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false', 'xlsx'])(
    'has the cells that a spreadsheet would damage once it is saved as %s, and no formula has run',
    async (filter) => {
      const path = join(temporaryDirectory(), 'orders.rejects.csv');
      const table = { header, above: [], delimiter: ',', isUnquoted: false };
      const format = createRejectsFormat(table, sayInEnglish);
      const problem = { code: '', error: '', fix: '' };
      const rows = cells.map((cell, place) => ({ row: place + 2, cells: [`A-${place}`, cell], ...problem }));
      writeFileSync(path, [...format.head(), ...rows.map(format.row)].join(''));
      const cellsOf = async (file: string) =>
        (await allRows(await readTable(sourceOf(file), {}, { forOrders: true }))).map(
          ({ cells }) => cells[1],
        );
      const before = await cellsOf(path);
      expect(before).toHaveLength(cells.length);
      expect(await cellsOf(saveAsWorkbook(path, filter))).toEqual(before);
    },
  );
});
