import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliOptions, runCli } from '../../support/cli.ts';
import { sheetOf, workbookOf } from '../../support/workbook.ts';

const header = ['externalOrderId', 'customer.phone', 'items[].sku', 'collectionMode'];
const order = (id: string) => [id, '99112233', 'TEA-001', 'NONE'];
const lines = (rows: readonly (readonly string[])[], delimiter = ',') =>
  rows.map((cells) => `${cells.join(delimiter)}\n`).join('');

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'merchant-orders-reading-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Plans the import of a file of this folder, whose profile remembers what was answered. */
async function dryRun(
  name: string,
  content: string | Uint8Array,
  flags: readonly string[] = [],
  options: CliOptions = {},
) {
  writeFileSync(join(directory, name), content);
  const args = ['import', join(directory, name), '--dry-run', '--format', 'ndjson', ...flags];
  const configDirectory = join(directory, 'configuration');
  const { stdout, stderr, exitCode, asked } = await runCli(args, { configDirectory, ...options });
  const orders = stdout.split('\n').flatMap((line) => (line.includes('"outcome"') ? [JSON.parse(line)] : []));
  const ids = orders.map(({ row, externalOrderId }) => `${row} ${externalOrderId}`);
  return { ids, stderr, exitCode, asked };
}

const remembered = () =>
  JSON.parse(readFileSync(join(directory, 'configuration', 'mappings.json'), 'utf8')).mappings.map(
    ({ mapping }: { mapping: string }) => JSON.parse(mapping),
  );

describe('the row of the header', () => {
  const titled = (titles: number, id: string) =>
    lines([...Array.from({ length: titles }, (_, row) => [`Title ${row}`]), header, order(id)]);

  it('is asked for at a terminal, and not again for files with these columns', async () => {
    const monday = await dryRun('monday.csv', titled(2, 'A-1'), [], { answers: ['3'] });
    expect(monday.asked).toEqual([
      'Row 3 looks like the header: externalOrderId, customer.phone, items[].sku, collectionMode. Use it?',
    ]);
    expect([monday.ids, monday.exitCode]).toEqual([['4 A-1'], 0]);
    expect(monday.stderr).toContain('Your answer is remembered as "monday" for files with these columns.');
    expect(remembered()).toEqual([{ read: { header_row: 3 } }]);
    for (const titles of [0, 1, 2, 4]) {
      const tuesday = await dryRun('tuesday.csv', titled(titles, 'A-2'));
      expect([tuesday.ids, tuesday.exitCode]).toEqual([[`${titles + 2} A-2`], 0]);
    }
    const other = await dryRun(
      'other.csv',
      `Title\n${lines([
        [...header.slice(0, -1), 'total'],
        [...order('A-3').slice(0, -1), '1'],
      ])}`,
    );
    expect([other.exitCode, other.stderr]).toEqual([2, expect.stringContaining('header_row_unclear')]);
  });
});

describe('how a file is read', () => {
  const catalogue = sheetOf(
    [
      ['sku', 'name', 'price'],
      ['TEA-001', 'Tea', 8900],
    ],
    'Products',
  );
  const workbook = (id: string) =>
    workbookOf({ sheets: [catalogue, sheetOf([['Orders of today'], header, order(id)], 'Today')] });

  it('is remembered with the answers: a sheet and its header', async () => {
    const answers = ['1', '2'];
    const monday = await dryRun('monday.xlsx', workbook('A-1'), [], { answers });
    expect([monday.asked.length, monday.ids]).toEqual([2, ['3 A-1']]);
    expect(remembered()).toEqual([{ read: { header_row: 2, sheet: 'Today' } }]);
    const tuesday = await dryRun('tuesday.xlsx', workbook('A-2'));
    expect([tuesday.ids, tuesday.exitCode]).toEqual([['3 A-2'], 0]);
  });

  const cyrillic = (id: string) => {
    const bytes = { Н: 0xcd, э: 0xfd, р: 0xf0 };
    const text = lines([
      [...header, 'Нэр'],
      [...order(id), 'Нэр'],
    ]);
    return Buffer.from([...text].map((letter) => bytes[letter as 'Н'] ?? letter.charCodeAt(0)));
  };

  it('is remembered with a mapping: encoding and delimiter', async () => {
    const map = { columns: { 'customer.name': 'Нэр' } };
    writeFileSync(join(directory, 'monday.csv'), cyrillic('A-1'));
    writeFileSync(join(directory, 'map.json'), JSON.stringify(map));
    const add = ['mappings', 'add', join(directory, 'monday.csv'), join(directory, 'map.json')];
    const configDirectory = join(directory, 'configuration');
    const added = await runCli([...add, '--encoding', 'windows-1251'], { configDirectory });
    expect(added.exitCode, added.stderr).toBe(0);
    expect(remembered()).toEqual([{ ...map, read: { encoding: 'windows-1251' } }]);
    const tuesday = await dryRun('tuesday.csv', cyrillic('A-2'));
    expect([tuesday.ids, tuesday.exitCode]).toEqual([['2 A-2'], 0]);
    const other = await dryRun('other.csv', Buffer.concat([cyrillic('A-2'), Buffer.from('\n')]), [
      '--map',
      'none',
    ]);
    expect([other.exitCode, other.stderr]).toEqual([2, expect.stringContaining('is not UTF-8 text')]);
    const utf8 = await dryRun(
      'utf8.csv',
      lines([
        [...header, 'Нэр'],
        [...order('A-3'), 'Нэр'],
      ]),
    );
    expect([utf8.ids, utf8.exitCode]).toEqual([['2 A-3'], 0]);
  });

  it('is remembered with a mapping: the encoding of rows far below an English header', async () => {
    const late = (id: string) =>
      Buffer.concat([
        Buffer.from(
          lines([
            [...header, 'customer.name'],
            ...Array.from({ length: 3000 }, (_, row) => [...order(`${id}-${row}`), 'Bat']),
          ]),
        ),
        Buffer.from([...order(`${id}-x`), 'Ren\xe9\n'].join(','), 'latin1'),
      ]);
    writeFileSync(join(directory, 'monday.csv'), late('A'));
    writeFileSync(join(directory, 'map.json'), JSON.stringify({ ignore: [] }));
    const add = ['mappings', 'add', join(directory, 'monday.csv'), join(directory, 'map.json')];
    const configDirectory = join(directory, 'configuration');
    await runCli([...add, '--encoding', 'windows-1252'], { configDirectory });
    const tuesday = await dryRun('tuesday.csv', late('B'));
    expect([tuesday.exitCode, tuesday.ids.at(-1)]).toEqual([0, '3002 B-x']);
    const other = await dryRun('tuesday.csv', late('B'), ['--map', 'none']);
    expect(other.stderr).toContain('is not UTF-8 text');
  });
});
