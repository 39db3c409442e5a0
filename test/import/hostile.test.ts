import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { parseMappingFile } from '../../src/import/mapping/mapping-file.ts';
import { isSendable } from '../../src/import/orders/plan.ts';
import { isError } from '../../src/orders/issue.ts';
import { parseJson, writeJson } from '../../src/orders/json.ts';
import { writeOrderBody } from '../../src/orders/order.ts';
import { findIssues } from '../../src/orders/order-schemas.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { planFile } from './tables.ts';

const headers = [
  'externalOrderId',
  'customer.phone',
  'customer.externalCustomerId',
  'items[].sku',
  'items[].quantity:number',
  'collectionMode',
  'collectionAmount',
  'total',
  'requestedDeliveryDate',
  'items[0].name',
  'items[3].sku',
  'meta:json',
  'gift:boolean',
  'deliveryAddress.city',
  'Tags',
  '',
  '_row',
  '__proto__',
  'a.constructor',
  'Phone',
  'customer',
  'items',
  'items[]',
  'x[]',
  'x[].y',
  'Total',
  'Захиалгын дугаар',
  'toString.valueOf',
  'a..b',
  '"',
];
const good = [
  'A-1',
  'A-2',
  '99112233',
  'TEA-1',
  '2',
  'NONE',
  'COLLECT',
  '100.50',
  '0',
  '2030-01-31',
  'true',
  '{}',
];
const bad = [
  '9.91E+07',
  '1.01E+15',
  '#REF!',
  '*****',
  '?рг??',
  '\uFFFD',
  '=cmd()',
  "'=1",
  '="00"',
  '-5',
  '1e5',
  '25,000',
  '{"__proto__":{"x":1}}',
  '[[[[',
  'null',
  '\u0000',
  '\u001b[2J',
  '\u202e',
  'a\nb',
  '\r',
  '"',
  '""',
  '\ud800',
  '__proto__',
  'constructor',
  '١٢٣',
  '０',
  '2030-02-30',
  '31/12/2030',
  ' ',
  '\u00a0',
  'x'.repeat(5000),
];
/** Cells of valid orders, so that some hostile orders are nearly valid. */
const validCells = new Map<string, string[]>(
  Object.entries({
    externalOrderId: ['A-1', 'A-2', 'A-3', 'A-4'],
    'customer.phone': ['99112233'],
    'items[].sku': ['TEA-1', ''],
    'items[0].name': ['Tea'],
    'items[].quantity:number': ['2', ''],
    collectionMode: ['NONE'],
    total: ['100.50', ''],
  }),
);
const cell = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...good) },
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: fc.constantFrom(...bad) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);
const harmless = headers.slice(0, 10);
const table = fc
  .tuple(fc.oneof(fc.subarray(headers, { minLength: 1 }), fc.constant(harmless)), fc.boolean())
  .chain(([columns, hasId]) => {
    const header = hasId
      ? ['externalOrderId', ...columns.filter((name) => name !== 'externalOrderId')]
      : columns;
    const likely = (name: string) =>
      fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...(validCells.get(name) ?? [''])) },
        { weight: 1, arbitrary: cell },
      );
    const wild = fc.array(cell, { minLength: header.length, maxLength: header.length });
    const row: fc.Arbitrary<string[]> = fc.oneof(wild, fc.tuple(...header.map(likely)));
    return fc.tuple(fc.constant(header), fc.array(row, { maxLength: 12 }));
  });
const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;

const map = parseMappingFile('{"repeated_rows": "lines"}', 'map.json');

async function planOf(bytes: Buffer | string) {
  const path = join(temporaryDirectory(), 'hostile.csv');
  writeFileSync(path, bytes);
  try {
    return await planFile(path, { map });
  } catch (error) {
    // A file may be invalid; any other error is a crash.
    expect(error).toBeInstanceOf(CliError);
    expect(['file_invalid', 'header_row_unclear']).toContain((error as CliError).code);
    return undefined;
  }
}

/** Set HOSTILE_CELLS for longer runs. */
const wantedCells = Number(process.env.HOSTILE_CELLS ?? 4000);
/** How many runs of a property, per 100,000 cells. */
const runs = (count: number) => Math.ceil((count * wantedCells) / 100_000);

test('hostile cells neither crash the import nor pass its checks', async () => {
  let sent = 0;
  let cells = 0;
  await fc.assert(
    fc.asyncProperty(table, async ([header, rows]) => {
      cells += header.length * rows.length;
      const plan = await planOf([header, ...rows].map((row) => row.map(quote).join(',')).join('\r\n'));
      if (plan === undefined || plan.isBroken) return;
      const ids = new Set<string>();
      for (const planned of plan.all) {
        if (!isSendable(planned)) continue;
        const { order, externalOrderId } = planned;
        const body = writeOrderBody(order);
        expect(findIssues(order, { today: '2026-11-20', allRules: true }).filter(isError)).toEqual([]);
        expect(writeJson(parseJson(body))).toBe(body);
        expect(order.externalOrderId).toBe(externalOrderId);
        expect(ids.has(externalOrderId)).toBe(false);
        ids.add(externalOrderId);
        sent += 1;
      }
    }),
    { numRuns: runs(3000) },
  );
  expect(({} as { x?: number }).x).toBeUndefined();
  expect([cells > wantedCells, sent > wantedCells / 2000]).toEqual([true, true]);
});

test('random bytes do not crash the import', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 400 }),
      async (bytes) => void (await planOf(Buffer.from(bytes))),
    ),
    { numRuns: runs(1000) },
  );
});

test('random CSV text does not crash the import, and every cell comes from the file', async () => {
  const unit = fc.constantFrom(
    ...'abӨ0,;\t|"\'=\r\n '.split(''),
    'externalOrderId',
    'total',
    '\uFEFF',
    'sep=',
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit, maxLength: 60 }), async (text) => {
      const plan = await planOf(text);
      const withoutDoubling = (text: string) => text.replace(/"+/g, '"');
      for (const { rows } of plan?.all ?? []) {
        for (const { cells } of rows)
          for (const cell of cells) expect(withoutDoubling(text)).toContain(withoutDoubling(cell));
      }
    }),
    { numRuns: runs(2000) },
  );
});
