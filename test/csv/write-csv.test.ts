import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText, removeEscapes } from '../../src/clean-text.ts';
import { cleanCell } from '../../src/csv/read-csv.ts';
import { formatCsvRow, protectCell, protectForeignCell } from '../../src/csv/write-csv.ts';

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
  expect(formatCsvRow(cells)).toBe(row);
});

test('a CSV reader reads the same cells', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cellText, { minLength: 1 }), { minLength: 1 }), (rows) => {
      const csv = rows.map((row) => `${formatCsvRow(row)}\n`).join('');
      expect(parse(csv, { relax_column_count: true, record_delimiter: '\n' })).toEqual(rows);
    }),
  );
});

const digitsAndOneE = fc
  .tuple(fc.stringMatching(/^\d{36}$/), fc.nat({ max: 35 }), fc.constantFrom('e', 'E'))
  .map(([digits, place, letter]) => digits.slice(0, place) + letter + digits.slice(place + 1))
  .map((text) => text.replace(/^(.{8}).(.{4}).(.{4}).(.{4}).(.{12})$/, '$1-$2-$3-$4-$5'));
const identifier = fc.oneof(
  fc.uuid(),
  digitsAndOneE,
  fc.stringMatching(/^\d{8}-\d{4}-4\d{3}-[89]\d{3}-\d{12}$/),
  fc.stringMatching(/^(?:ORD-)?20\d{2}-\d{6}$/),
);

test('does not protect identifiers, whatever their digits', () => {
  fc.assert(
    fc.property(identifier, (id) => {
      expect(protectCell(id)).toBe(id);
    }),
    { numRuns: 300 },
  );
});

const number = fc
  .tuple(
    fc.stringMatching(/^(?:0\d{1,10}|[1-9]\d{11,20}|[1-9]\d{0,2}(?:,\d{3}){1,3}|\d{1,9})$/),
    fc.stringMatching(/^(?:[.,]\d{1,4})?$/),
    fc.stringMatching(/^(?:[eE][+-]?\d{1,2})?%?$/),
  )
  .map((parts) => parts.join(''))
  .filter((text) => !/^(?:0|[1-9]\d{0,10})$/.test(text));
const day = fc.integer({ min: 1, max: 28 }).map((day) => String(day).padStart(2, '0'));
const month = fc.integer({ min: 1, max: 12 }).map((month) => String(month).padStart(2, '0'));
const year = fc.integer({ min: 1990, max: 2060 }).map(String);
const date = fc
  .tuple(fc.constantFrom('-', '/', '.'), day, month, year)
  .chain(([separator, day, month, year]) =>
    fc.constantFrom(
      [year, month, day].join(separator),
      [day, month, year].join(separator),
      [month, day].join(separator),
      `${year}-${month}-${day} 12:30`,
      `${Number(day)} Mar ${year}`,
    ),
  );
const formula = fc
  .tuple(fc.constantFrom('=', '+', '-', '@', '|', '＝', '＋', '－', '＠', '\t'), fc.string())
  .map((parts) => parts.join(''));

test.each([
  ['number', number],
  ['date', date],
  ['formula', formula],
])('protects every %s', (_, cells) => {
  fc.assert(
    fc.property(cells, (cell) => {
      expect(protectCell(cell)).toBe(`'${cell}`);
    }),
    { numRuns: 300 },
  );
});

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
  // A spreadsheet saves these in another form: 25000.5, 1250.5, 25/11/2026, 05-Mar.
  ...[
    '0.50',
    '25000.50',
    '25,000',
    '1,250.50',
    '1 250,5',
    '2026-11-25',
    '2026-11',
    '11/2026',
    '3/4',
    '12:30',
    '5%',
  ],
  ...['5 Mar', '05-Mar', '5MAR', '5 March 2026', '2026-11-25 12:30', '12:30:15', '9:05 pm', '1 1/2'],
  ...['=1+1', '-5', '@x', '\tx', "'5", "'=1", "'+1", "''", "'\tx", "''x"],
])('protects %j', (cell) => {
  expect(protectCell(cell)).toBe(`'${cell}`);
});

test.each([
  ...['', '0', '5', '99112233', '12345678901', 'TEA-1', '01-A', 'ORD-2026-000123', '2026-000123'],
  ...['85e77514-3125-4296-8484-249715115471', '12345678-1234-4123-8123-123456789012', '85E77514312542968484'],
  ...['10.0.0.1', '12 хороо', '9911-2233', '99112233, 88112233', '2pcs', '5 Mars', 'due 2026-11-25'],
  ...["'", "'abc", "'Өглөө", 'abc', 'E5'],
])('leaves %j as it is', (cell) => {
  expect(protectCell(cell)).toBe(cell);
});

test.each([
  ...['=1+1', '+1', '-1', '@x', '|calc', '＝1', '＋1', '－1', '＠1'].flatMap((formula) =>
    [
      '',
      ' ',
      '\t',
      '\n',
      '\r\n',
      '\u00a0',
      '\u3000',
      '\u200b',
      '\u001b[31m',
      '\u009b1m',
      '\u0000',
      '\u2028',
      '\ufeff',
    ].map((before) => before + formula),
  ),
  ...['0099', '2026-11-25', "'=1", "'＝1", '1e5'],
])('protects %j of the service', (cell) => {
  expect(protectForeignCell(cell)).toBe(`'${cleanText(cell)}`);
});

test('a cell of the service has no character that a terminal acts on', () => {
  expect(protectForeignCell('a\u001b[2Jb\u009b31mc\u0007d\u202ee\u200bf\r\ng\u{e0041}')).toBe('abcdef\ng');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (cell) => {
      const written = protectForeignCell(cell);
      expect(written).not.toMatch(/(?![\n\t])\p{Cc}/u);
      expect(written).not.toMatch(/^\s*[=+\-@|＝＋－＠]/u);
    }),
    { numRuns: 300 },
  );
});

test('a cell of the merchant keeps all but what starts an escape sequence', () => {
  const kept = 'a\u200bb\u200d\tc\r\nd\u000be\u0007f\u2028g\u007f\u00a0h';
  expect(protectCell(kept)).toBe(kept);
  expect(protectCell('a\u001b[2Jb\u009b31mc\u0080d\u009fe\u0085f')).toBe('a[2Jb31mcdef');
  expect(protectCell('\u001b=1+1')).toBe("'=1+1");
  expect(protectCell('0\u0085099')).toBe("'0099");
});

test('the reader removes exactly what the writer adds', () => {
  const risky = fc.string({
    unit: fc.constantFrom("'", '=', '+', '-', '@', '|', '\t', '\r', ' ', '0', '1', 'E', 'a', '"', '＝', '＠'),
  });
  const cell = fc.oneof(
    risky,
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^'*\d{1,20}$/),
    number,
    date,
    formula,
  );
  fc.assert(
    // Reading trims a cell, so the text to write is one that was read.
    fc.property(fc.oneof(cell, identifier).map(removeEscapes).map(cleanCell), (text) => {
      expect(cleanCell(protectCell(text))).toBe(text);
    }),
    { numRuns: 300 },
  );
});
