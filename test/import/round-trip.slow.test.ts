import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCsvRow, protectCell } from '../../src/csv/write-csv.ts';
import { writeOrderBody } from '../../src/orders/order.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { planFile } from './tables.ts';

const text = fc
  .string({
    unit: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'абвӨөҮүЁё') },
      {
        weight: 3,
        arbitrary: fc.constantFrom(',', '"', '\n', '\r\n', ';', "'", '=', '-', '+', '@', ' ', '0'),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
    ),
    minLength: 1,
    maxLength: 12,
  })
  .map((text) => `x${text}x`.replace(/^x(?=[=+\-@'0])/, ''))
  .filter((text) => !/^'|\uFFFD|\?/.test(text));

const line = fc.record({ sku: text, name: fc.option(text), quantity: fc.option(fc.nat()) });
const fields = fc.record({
  // A first row without a digit describes the columns.
  phone: text.map((phone) => `${phone}9`),
  note: fc.option(text),
  city: fc.option(text),
  lines: fc.uniqueArray(line, { minLength: 1, maxLength: 4, selector: ({ sku }) => sku }),
});
const orders = fc.uniqueArray(fc.tuple(text, fields), { minLength: 1, maxLength: 6, selector: ([id]) => id });

const header = [
  'externalOrderId',
  'customer.phone',
  'deliveryAddress.note',
  'deliveryAddress.city',
  'items[].sku',
  'items[].name',
  'items[].quantity:number',
];

/** Whether the later rows of an order repeat its ID and fields, repeat its ID alone, or leave both blank. */
type Repetition = 'repeated' | 'blank' | 'continued';

function rowsOf([id, { phone, note, city, lines }]: [string, Fields], repetition: Repetition): string[][] {
  return lines.map(({ sku, name, quantity }, index) => {
    const hasFields = index === 0 || repetition === 'repeated';
    const own = hasFields ? [phone, note ?? '', city ?? ''] : ['', '', ''];
    const first = index === 0 || repetition !== 'continued' ? id : '';
    return [first, ...own, sku, name ?? '', quantity === null ? '' : String(quantity)];
  });
}
type Fields = typeof fields extends fc.Arbitrary<infer Value> ? Value : never;

function bodyOf([id, { phone, note, city, lines }]: [string, Fields]): string {
  const address = { ...(note === null ? {} : { note }), ...(city === null ? {} : { city }) };
  return writeOrderBody({
    externalOrderId: id,
    customer: { phone },
    items: lines.map(({ sku, name, quantity }) => ({
      sku,
      ...(name === null ? {} : { name }),
      ...(quantity === null ? {} : { quantity }),
    })),
    ...(Object.keys(address).length === 0 ? {} : { deliveryAddress: address }),
  });
}

/** Mixes the rows of several orders; those of one order keep their sequence, and continuations stay below their row. */
function mix(groups: string[][][], picks: number[]): string[][] {
  const left = groups.map((rows) => [...rows]).filter((rows) => rows.length > 0);
  const mixed: string[][] = [];
  for (let step = 0; left.length > 0; step++) {
    const place = (picks[step % picks.length] ?? 0) % left.length;
    const rows = left[place] ?? [];
    do mixed.push(rows.shift() ?? []);
    while (rows[0]?.[0] === '');
    if (rows.length === 0) left.splice(place, 1);
  }
  return mixed;
}

/** How a program saves a table. */
const dialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom('utf-8', 'utf-8 with mark', 'utf-16le', 'utf-16be', 'utf-16le without mark'),
  isQuotedThroughout: fc.boolean(),
  wrapped: fc.constantFrom('nothing', 'rows', 'rows and header'),
  hasSeparatorLine: fc.boolean(),
  endsWithLineEnd: fc.boolean(),
  blankRows: fc.nat({ max: 2 }),
});
type Dialect = typeof dialect extends fc.Arbitrary<infer Value> ? Value : never;

function save(table: string[][], { delimiter, lineEnd, encoding, ...how }: Dialect): Buffer {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = table.map((cells, index) => {
    const row = how.isQuotedThroughout ? cells.map(quoted).join(delimiter) : formatCsvRow(cells, delimiter);
    const isWrapped = how.wrapped === 'rows and header' || (how.wrapped === 'rows' && index > 0);
    return isWrapped ? quoted(row) : row;
  });
  const text = [
    ...(how.hasSeparatorLine ? [`sep=${delimiter}`] : []),
    ...rows,
    ...Array<string>(how.blankRows).fill(delimiter.repeat(header.length - 1)),
  ].join(lineEnd);
  const whole = how.endsWithLineEnd ? text + lineEnd : text;
  if (encoding.startsWith('utf-8')) return Buffer.from(encoding === 'utf-8' ? whole : `\uFEFF${whole}`);
  const wide = Buffer.from(encoding.endsWith('mark') ? whole : `\uFEFF${whole}`, 'utf16le');
  return encoding === 'utf-16be' ? wide.swap16() : wide;
}

test('orders read back unchanged, whatever the order of rows and columns and the CSV dialect', async () => {
  const path = join(temporaryDirectory(), 'orders.csv');
  await fc.assert(
    fc.asyncProperty(
      orders,
      fc.array(fc.constantFrom<Repetition>('repeated', 'blank', 'continued'), { minLength: 6, maxLength: 6 }),
      fc.array(fc.nat(), { minLength: 1 }),
      fc.shuffledSubarray([...header.keys()], { minLength: header.length }),
      dialect,
      async (given, repetitions, picks, columns, how) => {
        const groups = given.map((order, index) => rowsOf(order, repetitions[index] ?? 'blank'));
        const table = [header, ...mix(groups, picks)].map((cells) =>
          columns.map((column) => protectCell(cells[column] ?? '')),
        );
        writeFileSync(path, save(table, how));
        const { problems, all } = await planFile(path, { checks: false });
        expect(problems).toEqual([]);
        expect(all.map(({ order }) => writeOrderBody(order)).sort()).toEqual(given.map(bodyOf).sort());
      },
    ),
    { numRuns: 500 },
  );
});
