import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../../src/import/read/read-table.ts';
import { sourceOf } from '../../import/tables.ts';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { rowXml, workbookOf } from '../../support/workbook.ts';
import { rowsOf } from './setup.ts';

const header = 'externalOrderId,customer.phone,items[].sku,items[].quantity:number,collectionMode,total';
const row = (id: string, sku = 'TEA-1') => `${id},99112233,${sku},2,NONE,25000`;
const repeat = (count: number, line: (place: number) => string) =>
  Array.from({ length: count }, (_, place) => line(place));

function fileOf(content: string | Buffer, name = 'orders.csv') {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, content);
  return path;
}

const run = (content: string, ...flags: string[]) => runCli(['import', fileOf(content), ...flags]);

describe('rows above the header', () => {
  it('are kept once when they are equal', async () => {
    const text = [
      ...repeat(5000, () => ''),
      ...repeat(5000, () => ',,'),
      'externalOrderId,total',
      'A-1,5',
      '',
    ];
    const { header: found, above } = await readTable(sourceOf(fileOf(text.join('\n'))), {});
    expect([found.row, above]).toEqual([
      10_001,
      [
        { cells: [''], count: 5000 },
        { cells: ['', '', ''], count: 5000 },
      ],
    ]);
  });

  it('are in the rejects file as often as in the original', async () => {
    const path = fileOf(
      [...repeat(25_000, () => ''), 'Orders', header, row('A-1').replace('NONE', 'X'), ''].join('\n'),
    );
    const flags = ['--header-row', '25002'];
    expect((await runCli(['import', path, ...flags])).exitCode).toBe(2);
    const again = await runCli(['import', path.replace('.csv', '.rejects.csv'), ...flags, '--dry-run']);
    expect(again.stderr).toContain('row 25003  order A-1  column E collectionMode  collection_mode_invalid');
  });
});

describe('rows of one order', () => {
  it('are all in the rejects file when they are equal', async () => {
    const path = fileOf([header, ...repeat(12_000, () => row('A-1')), ''].join('\n'));
    const { stderr, exitCode } = await runCli(['import', path]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('1 order, 1 needs fixing')]);
    const rejects = rowsOf(path.replace('.csv', '.rejects.csv'));
    expect([rejects.length, rejects.at(-1)?._code]).toEqual([12_000, 'duplicate_row']);
  });

  it.each([
    ['together', repeat(45_000, (place) => row('A-1', `TEA-${place}`)), '41,667 rows or more'],
    [
      'apart',
      repeat(90_000, (place) => (place % 2 === 0 ? row('A-1', `TEA-${place}`) : row(`B-${place}`))),
      '41,667 rows or more',
    ],
  ])('are bounded, %s', async (_, lines, rows) => {
    const { stderr, exitCode } = await run([header, ...lines, ''].join('\n'), '--dry-run');
    expect({ stderr, exitCode }).toEqual({
      stderr: `error: ${rows} belong to the order that begins in row 2.
If they are several orders, name the column of their IDs: --map-column 'Header=externalOrderId'. Nothing was sent.
`,
      exitCode: 2,
    });
  });
});

describe('short rows below a wide header', () => {
  it('are refused before the last of them', async () => {
    const text = [`${header}${',N'.repeat(10_000)}`, ...repeat(40_000, (place) => `A-${place}`), ''].join(
      '\n',
    );
    const { stderr, exitCode } = await run(text, '--dry-run');
    expect(stderr).toMatch(
      /has 1 cell in row 2 .*, but the header has 10006; other widths too in \d{3,4} more rows/,
    );
    expect(exitCode).toBe(2);
  });
});

describe('merged cells of a workbook', () => {
  it('that overlap are read as the first of them', async () => {
    const headers = ['externalOrderId', 'customer.phone', 'items[].sku', 'collectionMode'];
    const order = (place: number) => [`A-${place}`, place < 2 ? `9911223${place}` : '', 'TEA-1', 'NONE'];
    const rows = [headers, ...repeat(3, () => '').map((_, place) => order(place))];
    const xml = `<sheetData>${rows.map((cells, place) => rowXml(place + 1, cells)).join('')}</sheetData>`;
    const merges = '<mergeCells><mergeCell ref="B2:B4"/><mergeCell ref="B3:B4"/></mergeCells>';
    const path = fileOf(workbookOf({ sheets: [{ name: 'Orders', xml: xml + merges }] }), 'orders.xlsx');
    const { stdout } = await runCli(['import', path, '--dry-run', '--format', 'ndjson']);
    const phones = stdout.match(/"phone":"\d+"/g);
    expect(phones?.slice(0, 3)).toEqual(['"phone":"99112230"', '"phone":"99112231"', '"phone":"99112230"']);
  });
});
