import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli.ts';
import { runWithPeak } from '../../support/program.ts';
import { rowXml, workbookOf } from '../../support/workbook.ts';

const header = 'externalOrderId,customer.phone,items[].sku,items[].quantity:number,collectionMode,total';
const row = (id: string, sku = 'TEA-1') => `${id},99112233,${sku},2,NONE,25000`;
const repeat = (count: number, line: (place: number) => string) =>
  Array.from({ length: count }, (_, place) => line(place));
const csv = (header: string, lines: string[]) => [header, ...lines, ''].join('\n');

/** What a cell of a spreadsheet holds. */
const mostOfACell = 32_767;

/** In MiB: what an import of a million ordinary rows may take. */
const maxPeak = 250;

/** Of a workbook with one cell in the last column that a sheet may have. */
function wideSheet(): Buffer {
  const cells = rowXml(1, ['externalOrderId', 'customer.phone', 'items[].sku', 'collectionMode']);
  const last = '<c r="XFD1" t="inlineStr"><is><t>Note</t></is></c></row>';
  const orders = repeat(5000, (place) => rowXml(place + 2, [`A-${place}`, '99112233', 'TEA-1', 'NONE']));
  const xml = `<sheetData>${cells.replace('</row>', last)}${orders.join('')}</sheetData>`;
  return workbookOf({ sheets: [{ name: 'Orders', xml }] });
}

it.each<[string, () => string | Buffer, exitCode: number, flags?: string[]]>([
  [
    '4 million blank lines above the header',
    () => `${'\n'.repeat(4_000_000)}${csv(header, [row('A-1')])}`,
    0,
  ],
  [
    '3 million blank lines between rows',
    () => csv(header, [row('A-1'), '\n'.repeat(3_000_000), row('A-2')]),
    0,
  ],
  ['a million blank rows at the end', () => csv(header, [row('A-1'), ',,,,,\n'.repeat(1_000_000)]), 0],
  [
    'a title, and 100,000 rows of another width',
    () => csv('Orders', [header, ...repeat(100_000, (place) => row(`A-${place}`))]),
    0,
    ['--header-row', '2'],
  ],
  [
    '40,000 equal rows of one order',
    () =>
      csv(
        header,
        repeat(40_000, () => row('A-1')),
      ),
    2,
  ],
  [
    'a million equal rows of one order',
    () =>
      csv(
        header,
        repeat(1_000_000, () => row('A-1')),
      ),
    2,
  ],
  [
    'a million rows, every other one of one order',
    () =>
      csv(
        header,
        repeat(1_000_000, (place) => (place % 2 === 0 ? row('A-1') : row(`B-${place}`))),
      ),
    2,
  ],
  [
    '100,000 short rows below 16,000 columns',
    () =>
      csv(
        `${header}${',N'.repeat(16_000)}`,
        repeat(100_000, (place) => `A-${place}`),
      ),
    2,
  ],
  ['a sheet of all columns', wideSheet, 0],
])('memory stays flat: %s', async (_, content, exitCode, flags = []) => {
  const bytes = content();
  const path = join(temporaryDirectory(), Buffer.isBuffer(bytes) ? 'orders.xlsx' : 'orders.csv');
  writeFileSync(path, bytes);
  const isDry = exitCode === 0 ? ['--dry-run'] : [];
  const result = await runWithPeak(['import', path, ...isDry, ...flags]);
  expect(result.stderr).not.toContain('bug');
  expect(result.exitCode).toBe(exitCode);
  expect(result.peak).toBeLessThan(maxPeak);
});

it('30,000 rows of one order may have several problems each', async () => {
  const lines = repeat(30_000, (place) => `A-1,9911${place},,-1,M${place},${place},x${place},`);
  const path = join(temporaryDirectory(), 'orders.csv');
  writeFileSync(path, csv(`${header},a.b,a.c`, lines));
  const { stderr, exitCode, peak } = await runWithPeak(['import', path]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('1 order, 1 needs fixing')]);
  const rejects = readFileSync(path.replace('.csv', '.rejects.csv'), 'utf8');
  expect(rejects.split('\n').some((line) => line.length > mostOfACell)).toBe(false);
  expect(peak).toBeLessThan(2 * maxPeak);
});
