import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRow, neutralise, protectCell } from '../../src/output/csv.ts';

const cellText = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(',', '"', '\n', '\r', "'", '\t', ' ', '=', '0', '1', '+', 'ө', '＝') }),
);

test.each([
  [['a', 'b'], 'a,b'],
  [['', ''], ','],
  [[''], '""'],
  [['a,b', 'say "no"', 'two\nlines', 'cr\r', ' kept '], '"a,b","say ""no""","two\nlines","cr\r", kept '],
])('writes %j', (cells, row) => {
  expect(csvRow(cells)).toBe(row);
});

test('a CSV reader gets the same cells back', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cellText, { minLength: 1 }), { minLength: 1 }), (rows) => {
      const csv = rows.map((row) => `${csvRow(row)}\n`).join('');
      expect(parse(csv, { relax_column_count: true, record_delimiter: '\n' })).toEqual(rows);
    }),
  );
});

test.each([
  '=1+1',
  '+976',
  '-5',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '\n\u00a0=1',
  '＝1',
  '＋1',
  '－1',
  '＠1',
  '\tx',
])('a spreadsheet does not run %j', (cell) => {
  expect(neutralise(cell)).toBe(`'${cell}`);
});

test.each(['', 'TEA-1', '25000.50', '2026-11-25', 'a=b', ' a', '0099', "'x", 'Өглөө'])(
  '%j is harmless',
  (cell) => {
    expect(neutralise(cell)).toBe(cell);
  },
);

test.each([
  ...[
    '0099',
    '00',
    '0123456',
    '+97699112233',
    '123456789012',
    '1234567890123456',
    '1E5',
    '9.91e+07',
    '9,91E+07',
  ],
  // A spreadsheet writes these back in its own way: 25000.5, 1250.5, 25/11/2026, 05-Mar.
  ...['0.50', '25000.50', '25,000', '1,250.50', '2026-11-25', '12:30', '5%', '5 Mar'],
  ...['=1+1', '-5', '@x', '\tx', "'5", "'=1", "'+1", "''", "'\tx", "''x"],
])('protects %j', (cell) => {
  expect(protectCell(cell)).toBe(`'${cell}`);
});

test.each([
  ...['', '0', '5', '99112233', '12345678901', 'TEA-1', '01-A', 'ORD-2026-000123'],
  ...["'", "'abc", "'Өглөө", 'abc', 'E5'],
])('leaves %j as it is', (cell) => {
  expect(protectCell(cell)).toBe(cell);
});

test('taking one apostrophe off, as the reader does, gives back any cell', () => {
  const unprotect = (cell: string) => (/^'[\d=+\-@\t']/.test(cell) ? cell.slice(1) : cell);
  const risky = fc.string({
    unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', ' ', '0', '1', 'E', 'a', '＝'),
  });
  fc.assert(
    fc.property(fc.oneof(risky, fc.string({ unit: 'binary' }), fc.stringMatching(/^'*\d{1,20}$/)), (cell) => {
      expect(unprotect(protectCell(cell))).toBe(cell);
    }),
    { numRuns: 5000 },
  );
});
