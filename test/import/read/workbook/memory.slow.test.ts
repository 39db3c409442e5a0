import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../support/cli.ts';
import { runWithPeak, startProgram } from '../../../support/program.ts';
import { partsOf, rowXml, sheetOf, workbookOf, zipOf } from '../../../support/workbook.ts';

const header = rowXml(1, ['externalOrderId', 'customer.phone', 'items[].sku', 'collectionMode']);
const order = rowXml(2, ['A-1', '99112233', 'TEA-001', 'NONE']);

const withRows = (xml: string) =>
  workbookOf({ sheets: [{ name: 'Orders', xml: `<sheetData>${header}${order}${xml}</sheetData>` }] });

async function run(bytes: Uint8Array) {
  const file = join(temporaryDirectory(), 'orders.xlsx');
  writeFileSync(file, bytes);
  return runWithPeak(['import', file, '--dry-run']);
}

const gibibyte = 1024 ** 3;
const manyTexts = Array.from({ length: 3_000_000 }, (_, index) => `<si><t>${index}</t></si>`);

it.each<[what: string, bytes: () => Buffer, exitCode: number, message: string, mebibytes: number]>([
  [
    'a gigabyte of blanks',
    () => {
      const packed = deflateRawSync(Buffer.alloc(gibibyte / 4, ' '));
      const sheet = 'xl/worksheets/sheet1.xml';
      const parts = partsOf({ sheets: [sheetOf([['id']])] });
      const content = Buffer.concat([packed, packed, packed, packed]);
      return zipOf(
        parts.map((part) => (part.name === sheet ? { ...part, content, statedSize: gibibyte } : part)),
      );
    },
    2,
    'unpacks to 1024 MiB',
    120,
  ],
  [
    'a cell of 300 MiB',
    () => withRows(`<row r="3"><c><v>${'a'.repeat(300 * 1024 * 1024)}</v></c></row>`),
    2,
    'more than 200 times',
    120,
  ],
  [
    'a million empty rows with styles',
    () =>
      withRows(Array.from({ length: 1e6 }, (_, row) => `<row r="${row + 3}" s="1" spans="1:9"/>`).join('')),
    0,
    'orders         1 with 1 line',
    160,
  ],
  [
    'three million shared texts',
    () =>
      workbookOf({
        sheets: [{ name: 'Orders', xml: `<sheetData>${header}${order}</sheetData>` }],
        strings: manyTexts.join(''),
      }),
    0,
    'orders         1 with 1 line',
    450,
  ],
])('%s takes bounded memory', async (_, bytes, exitCode, message, mebibytes) => {
  const { stderr, peak, ...found } = await run(bytes());
  expect([found.exitCode, stderr]).toEqual([exitCode, expect.stringContaining(message)]);
  expect(peak).toBeGreaterThan(20);
  expect(peak).toBeLessThan(mebibytes);
});

it('ends soon after Ctrl-C, while a large sheet is read', async () => {
  const file = join(temporaryDirectory(), 'orders.xlsx');
  const rows = Array.from({ length: 400_000 }, (_, row) =>
    rowXml(row + 3, [`B-${row}`, row, row * 7, row * 11]),
  );
  writeFileSync(file, withRows(rows.join('')));
  const { child, ended } = startProgram(['import', file, '--dry-run']);
  await delay(1500);
  const pressed = performance.now();
  child.kill('SIGINT');
  const { exitCode, stdout } = await ended;
  expect([exitCode, stdout]).toEqual([130, '']);
  expect(performance.now() - pressed).toBeLessThan(10_000);
});
