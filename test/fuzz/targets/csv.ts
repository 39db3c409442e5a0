import { readdirSync, readFileSync } from 'node:fs';
import fc, { type Arbitrary } from 'fast-check';
import { presetNames } from '../../../src/import/choices.ts';
import { packageRoot } from '../../support/cli.ts';
import type { FuzzCase, Target } from '../case.ts';
import { damage, length, longText, oddJson, oddText, part, seldom } from '../text.ts';

const columns = {
  externalOrderId: ['UB-1', 'UB-2', 'UB-3'],
  'customer.phone': ['99112233'],
  'items[].sku': ['TEA-1', ''],
  'items[].quantity:number': ['2', ''],
  collectionMode: ['NONE'],
  total: ['25000', '1.50', ''],
  requestedDeliveryDate: ['2026-12-01', ''],
};
const otherHeaders = [
  'meta:json',
  'gift:boolean',
  'a.b',
  'items[3].sku',
  'items[999].sku',
  'Phone',
  'Price',
  '',
  '__proto__',
];

function header(max: number): Arbitrary<string> {
  const steps = fc.constantFrom('.', '.a', '[999]', '[0]', '[]', 'a.', '(', ' ');
  const long = fc
    .tuple(steps, length(max))
    .map(([unit, times]) => `a${unit.repeat(Math.ceil(times / unit.length))}x`);
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...otherHeaders) }, long, oddText(max));
}

function cell(max: number): Arbitrary<string> {
  const spaced = fc
    .tuple(longText(max), fc.constantFrom('1', '₮', '', 'x'))
    .map(([middle, last]) => `1${middle}${last}`);
  return fc.oneof(
    { weight: 3, arbitrary: oddText(max) },
    { weight: 1, arbitrary: spaced },
    { weight: 1, arbitrary: oddJson(max) },
  );
}

const quotes: ((text: string, delimiter: string) => string)[] = [
  (text, delimiter) =>
    text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
  (text, delimiter) =>
    text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
  (text) => `"${text.replaceAll('"', '""')}"`,
  (text) => `"${text}"`,
  (text) => text,
];

/** The text of a table: known columns with odd cells, odd columns, many columns, many rows, rows of other lengths. */
function table(max: number): Arbitrary<string> {
  const names = fc.subarray(Object.keys(columns), { minLength: 4 });
  return fc
    .record({
      names: fc.oneof(
        { weight: 3, arbitrary: fc.constant(Object.keys(columns)) },
        { weight: 1, arbitrary: names },
      ),
      odd: fc.array(header(max), { maxLength: 2 }),
      oddCells: fc.array(fc.tuple(fc.nat(9), fc.nat(9), cell(max)), { maxLength: 3 }),
      wide: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: length(max / 20) }),
      rows: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 0, max: 5 }) },
        { weight: 1, arbitrary: length(max / 50) },
      ),
      sameOrder: fc.boolean(),
      delimiter: fc.constantFrom(',', ',', ';', '\t', '|'),
      quote: fc.constantFrom(...quotes),
      newline: fc.constantFrom('\n', '\n', '\r\n', '\r', '\n\n'),
      ragged: seldom(fc.integer({ min: -3, max: 200 }), 6),
      above: fc.array(oddText(200), { maxLength: 2 }),
    })
    .map((draw) => {
      const more = Array.from({ length: draw.wide }, (_, place) => `w${place}`);
      const headers = [...draw.names, ...draw.odd, ...more];
      const maxRows = Math.ceil(max / 10 / headers.length);
      const rows = Array.from({ length: Math.min(draw.rows, maxRows) }, (_, place) =>
        headers.map((name) => {
          if (name === 'externalOrderId' && !draw.sameOrder) return `UB-${place + 1}`;
          return (columns as Record<string, string[]>)[name]?.[0] ?? (name.startsWith('w') ? '' : 'x');
        }),
      );
      for (const [at, column, text] of draw.oddCells) {
        const row = rows[at % Math.max(1, rows.length)];
        if (row !== undefined) row[column % row.length] = text;
      }
      const last = rows.at(-1);
      if (draw.ragged !== undefined && last !== undefined)
        last.length = Math.max(0, last.length + draw.ragged);
      const above = draw.above.length > 1 ? draw.above.map((text) => [text]) : [];
      return [...above, headers, ...rows]
        .map((row) => Array.from(row, (text = '') => draw.quote(text, draw.delimiter)).join(draw.delimiter))
        .join(draw.newline);
    });
}

const shops = new URL('fixtures/shops/', packageRoot);
const exports = readdirSync(shops).filter((name) => name.endsWith('.csv'));

/** The export of a shop with a long or odd text somewhere in it. */
function shopExport(max: number): Arbitrary<string> {
  return fc.tuple(fc.constantFrom(...exports), part(), cell(max)).map(([name, share, more]) => {
    const text = readFileSync(new URL(name, shops), 'utf8');
    const at = Math.floor(share * text.length);
    return text.slice(0, at) + more + text.slice(at);
  });
}

const encode: ((text: string) => Buffer)[] = [
  ...Array<(text: string) => Buffer>(6).fill((text) => Buffer.from(text)),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  (text) => Buffer.from(text, 'latin1'),
  (text) => Buffer.from(text, 'utf16le'),
];

const flag = (max: number) =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        ['--dry-run'],
        ['--dry-run', '--details'],
        ['--on-invalid', 'skip'],
        ['--no-checks'],
        ['--json'],
        ['--format', 'csv'],
      ),
    },
    { weight: 2, arbitrary: fc.constantFrom(...presetNames).map((shop) => ['--preset', shop]) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...[',', ';', 'tab', 'x', '|', '1', '.'].map((text) => ['--delimiter', text]),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...['utf-8', 'utf-16le', 'windows-1251', 'shift_jis', 'gb18030', 'iso-2022-jp'].map((text) => [
          '--encoding',
          text,
        ]),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ['--header-row', '2'],
        ['--decimal', 'comma'],
        ['--date-order', 'dmy'],
        ['--shard', '1/2'],
        ['--limit', '2'],
        ['--rows', '1-3,2'],
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(header(max / 10), oddText(max / 10))
        .map((pair) => ['--map-column', pair.join('=')]),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(header(max / 10), oddText(max / 10)).map((pair) => ['--set', pair.join('=')]),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(header(max / 10), oddText(max / 10)).map((pair) => ['--leave-out', pair.join('=')]),
    },
  );

/** Order files: headers, cells, quotes, encodings, separators, columns and rows. */
export const csv: Target = {
  name: 'csv',
  cases: (max) => {
    const text = fc.tuple(
      fc.oneof(
        { weight: 6, arbitrary: table(max) },
        { weight: 2, arbitrary: shopExport(max) },
        longText(max),
      ),
      fc.constantFrom(...encode),
    );
    const bytes = text.map(([content, encoded]) => encoded(content));
    const damaged = bytes.chain((content) =>
      content.length < 5000 ? damage(content) : fc.constant(content),
    );
    return fc
      .record({
        content: fc.oneof({ weight: 3, arbitrary: bytes }, { weight: 1, arbitrary: damaged }),
        flags: fc.array(flag(max), { maxLength: 3 }),
        isPiped: fc.boolean(),
        draw: fc.nat(11),
      })
      .map(({ content, flags, isPiped, draw }): FuzzCase => {
        return {
          args: ['import', isPiped ? '-' : 'orders.csv', ...flags.flat(), '--yes'],
          ...(isPiped ? { stdin: content } : { files: { 'orders.csv': content } }),
          isSpawned: draw === 0,
        };
      });
  },
};
