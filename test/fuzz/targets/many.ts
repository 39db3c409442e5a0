import fc, { type Arbitrary } from 'fast-check';
import { rowXml, workbookOf } from '../../support/workbook.ts';
import type { FuzzCase, Target } from '../case.ts';
import { length } from '../text.ts';

const header = 'externalOrderId,customer.phone,items[].sku,items[].quantity:number,collectionMode,total';
const order = (id: string, sku = 'TEA-1') => `${id},99112233,${sku},2,NONE,25000`;
const repeat = <Item>(count: number, make: (place: number) => Item): Item[] =>
  Array.from({ length: count }, (_, place) => make(place));

/** Of something small so many that the text has about as many characters. */
const lines = (characters: number, line: (place: number) => string) =>
  repeat(Math.ceil(characters / (line(0).length + 1)), line);

/** IDs that look alike: `0…01`, and letters in upper and lower case. */
const zeros = (place: number) => `${'0'.repeat(place % 200)}${1 + Math.floor(place / 200)}`;
const mixedCase = (place: number) =>
  `B-${Array.from(place.toString(2).padStart(20, '0'), (bit) => (bit === '1' ? 'A' : 'a')).join('')}`;

type Rows = (characters: number) => string[];

/** Rows below the header and an ordinary order. */
const rows: Rows[] = [
  (size) => lines(size / 2, () => ''),
  (size) => lines(size, () => ',,,,,'),
  (size) => lines(size, () => 'x'),
  (size) => lines(size, () => order('A-1')),
  (size) => lines(size, (place) => order('A-1', `TEA-${place}`)),
  (size) => lines(size, (place) => order('A-1', place % 2 === 0 ? '#REF!' : `TEA-${place}`)),
  (size) => lines(size, (place) => order('A-1').replace('25000', String(place))),
  (size) => lines(size, (place) => `${order('A-1', `TEA-${place}`)},more`),
  (size) => lines(size, (place) => order(place % 2 === 0 ? 'B-1' : 'C-1', `TEA-${place}`)),
  (size) => lines(size, (place) => (place % 2 === 0 ? order('B-1') : order(`C-${place}`))),
  (size) => lines(size, (place) => order(zeros(place))),
  (size) => lines(size, (place) => order(mixedCase(place))),
  (size) => lines(size, (place) => order(`B-${place}`).replace('NONE', 'SOME')),
  (size) => lines(size, (place) => order(`B-${place}`).replace('NONE', `SOME-${place}`)),
  (size) => lines(size, () => ',99112233,TEA-1,2,NONE,25000'),
  (size) => lines(size, (place) => `,,TEA-${place},1,,`),
  (size) => lines(size, () => 'A-1,99112233,,,NONE,25000'),
  (size) => lines(size, () => header),
  (size) => lines(size, () => '3 record(s) downloaded'),
  (size) => lines(size, () => '# a comment'),
  (size) => lines(size, () => 'Total,,,,,25000'),
  (size) => lines(size, () => 'A title,,,,,'),
];

/** One cell, or one row of many cells. */
const longRows: Rows[] = [
  (size) => [order('B-1', `"a${'\n'.repeat(size)}b"`)],
  (size) => [order('B-1', `"a${'""'.repeat(size / 2)}b"`)],
  (size) => [order('B-1', `a${'"'.repeat(size)}b`)],
  (size) => [order('B-1', `"${'a'.repeat(size)}`)],
  (size) => [`${order('B-1')}${','.repeat(size)}`],
  (size) => [`${order('B-1')}${',x'.repeat(size / 2)}`],
];

const names = [
  '',
  'Note',
  'Phone',
  'Status',
  'Payment status',
  'Address',
  'City',
  'customer.name',
  '__proto__',
  'Quantity',
];

/** The header with many more columns, filled in every row or not. */
const columns = fc
  .tuple(fc.constantFrom(...names), fc.boolean(), fc.boolean())
  .map(([name, isNumbered, isFilled]) => (count: number, others: string[]) => {
    const more = repeat(count, (place) => `,${name}${isNumbered ? ` ${place}` : ''}`).join('');
    const cells = (isFilled ? ',x' : ',').repeat(count);
    return [`${header}${more}`, `${order('A-1')}${cells}`, ...others];
  });

function table(max: number): Arbitrary<string> {
  const above = fc
    .constantFrom('', ',,,,,', ' ', '\t')
    .map((line) => (size: number) => [...lines(size / 2, () => line), header, order('A-1')]);
  const below = fc.constantFrom(...rows, ...longRows);
  const plain = fc.constant(() => [header, order('A-1')]);
  return fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: plain },
        { weight: 1, arbitrary: above },
        { weight: 2, arbitrary: columns.map((make) => (size: number) => make(Math.ceil(size / 50), [])) },
      ),
      below,
      length(max / 3),
      length(max / 3),
      fc.boolean(),
      fc.constantFrom('\n', '\r\n', '\r'),
    )
    .map(([first, second, above, size, isLast, end]) =>
      [...first(above), ...second(size), ...(isLast ? [order('Z-1')] : []), ''].join(end),
    );
}

const headerCells = ['externalOrderId', 'customer.phone', 'items[].sku', 'collectionMode', 'total'];
const orderCells = (id: string) => [id, '99112233', 'TEA-1', 'NONE', '25000'];

/** A sheet of two orders with much of something. */
const sheets: ((count: number) => string)[] = [
  (count) =>
    sheet(
      `${'<row/>'.repeat(count)}<row>${cellsOf(headerCells)}</row><row>${cellsOf(orderCells('A-1'))}</row>`,
    ),
  (count) => sheet(`${twoOrders}${'<row><c s="1"/></row>'.repeat(count)}`),
  (count) =>
    sheet(
      `${rowXml(1, headerCells)}${repeat(count / 4, (place) => rowXml(place + 2, orderCells('A-1'))).join('')}`,
    ),
  (count) => sheet(twoOrders, `<mergeCells>${'<mergeCell ref="B1:B9"/>'.repeat(count)}</mergeCells>`),
  (count) => sheet(twoOrders, `<mergeCells>${'<mergeCell ref="F1:XFD1"/>'.repeat(count)}</mergeCells>`),
  (count) =>
    sheet(
      `${rowXml(1, headerCells)}${repeat(count / 8, (place) => rowXml(place + 2, orderCells(`A-${place}`))).join('')}`,
      `<mergeCells>${repeat(count / 8, (place) => `<mergeCell ref="B${place + 2}:B1048576"/>`).join('')}</mergeCells>`,
    ),
  (count) => `<cols>${'<col min="2" max="2" hidden="1"/>'.repeat(count)}</cols>${sheet(twoOrders)}`,
  (count) =>
    sheet(
      `${twoOrders}${repeat(count / 4, (place) => rowXml(place + 4, orderCells('A-9'), ' hidden="1"')).join('')}`,
    ),
  (count) =>
    sheet(
      `<row>${cellsOf(headerCells)}<c r="XFD1" t="inlineStr"><is><t>x</t></is></c></row>${repeat(count / 8, (place) => rowXml(place + 2, orderCells(`A-${place}`))).join('')}`,
    ),
];
const cellsOf = (cells: string[]) =>
  rowXml(1, cells)
    .replace(/^<row[^>]*>|<\/row>$/g, '')
    .replace(/ r="[^"]*"/g, '');
const twoOrders = rowXml(1, headerCells) + rowXml(2, orderCells('A-1')) + rowXml(3, orderCells('A-2'));
const sheet = (all: string, more = '') => `<sheetData>${all}</sheetData>${more}`;

function workbook(max: number): Arbitrary<FuzzCase> {
  return fc
    .tuple(fc.constantFrom(...sheets), length(max / 10), fc.constantFrom(1, 1, 200), length(max / 10))
    .map(([make, count, sheetCount, strings]): FuzzCase => {
      const others = repeat(sheetCount - 1, (place) => ({ name: `S${place}`, xml: '<sheetData/>' }));
      const content = workbookOf({
        sheets: [{ name: 'Orders', xml: make(count) }, ...others],
        strings: '<si><t>a text</t></si>'.repeat(strings),
      });
      return {
        args: ['import', 'orders.xlsx', '--hidden-rows', 'send', '--yes'],
        files: { 'orders.xlsx': content },
        isSpawned: false,
      };
    });
}

const manyFlags: ((place: number) => string[])[] = [
  (place) => ['--map-column', `Note ${place}=meta.f${place}`],
  () => ['--map-column', 'Note=meta.note'],
  (place) => ['--ignore-column', `Note ${place}`],
  (place) => ['--set', `meta.f${place}=x`],
  (place) => ['--leave-out', `total=${place}`],
];

function flags(max: number): Arbitrary<FuzzCase> {
  return fc
    .tuple(fc.constantFrom(...manyFlags), length(Math.min(max / 100, 20_000)))
    .map(([flag, count]): FuzzCase => {
      const more = repeat(Math.min(count, 10_000), (place) => `,Note ${place}`).join('');
      return {
        args: ['import', 'orders.csv', ...repeat(count, flag).flat(), '--yes'],
        files: { 'orders.csv': Buffer.from(`${header}${more}\n${order('A-1')}\n`) },
        isSpawned: false,
      };
    });
}

const results =
  'row,external_order_id,outcome,order_id,order_number,delivery,code,message,attempts,idempotency_key,created_by_run';
const uuid = (place: number) => `11111111-1111-4111-8111-${String(place).padStart(12, '0')}`;
const resultLines: ((place: number) => string)[] = [
  () => `2,A-1,created,${uuid(0)},ORD-2026-000001,,,,1,k,run1`,
  (place) => `2,A-1,created,${uuid(place)},ORD-2026-000001,,,,1,k,run${place}`,
  () => `2,A-1,unknown,,,,,,1,k,`,
  () => '',
];

function cancelled(max: number): Arbitrary<FuzzCase> {
  return fc.tuple(fc.constantFrom(...resultLines), length(max / 3)).map(
    ([line, size]): FuzzCase => ({
      args: ['cancel', '--from', 'orders.results.csv', '--reason', 'x', '--yes'],
      files: { 'orders.results.csv': Buffer.from([results, ...lines(size, line), ''].join('\n')) },
      isSpawned: false,
    }),
  );
}

/** Many of the same: rows, orders, IDs, columns, cells, sheets, merges, flags, results. */
export const many: Target = {
  name: 'many',
  cases: (max) => {
    const ways = fc.constantFrom(
      ['--dry-run'],
      ['--dry-run', '--json'],
      ['--on-invalid', 'skip'],
      ['--map', 'lines.json', '--dry-run'],
      ['--map', 'rows.json'],
      ['--write-map', '-'],
      [],
    );
    const orders = fc.tuple(table(max), ways).map(
      ([text, words]): FuzzCase => ({
        args: ['import', 'orders.csv', ...words, '--yes'],
        files: {
          'orders.csv': Buffer.from(text),
          'lines.json': Buffer.from('{"repeated_rows": "lines"}'),
          'rows.json': Buffer.from('{"one_row_per_order": true}'),
        },
        isSpawned: false,
      }),
    );
    return fc.oneof(
      { weight: 8, arbitrary: orders },
      { weight: 2, arbitrary: workbook(max) },
      { weight: 1, arbitrary: flags(max) },
      { weight: 1, arbitrary: cancelled(max) },
    );
  },
};
