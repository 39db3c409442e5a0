import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileBeside } from '../../../src/import/results/files.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';
import { rowXml, sheetOf, workbookOf } from '../../support/workbook.ts';
import { catalogue } from './setup.ts';

/** The arguments of each command that is printed, as a shell reads them. */
function commandsIn(stderr: string): string[][] {
  return [...stderr.matchAll(/merchant-orders (import .*)$/gm)].map(([, words]) =>
    execFileSync('bash', ['-c', `printf '%s\\0' ${words}`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1),
  );
}

const header = ['externalOrderId', 'customer.phone', 'items[].sku', 'collectionMode'];
const order = ['A-1', '99112233', 'TEA-001', 'NONE'];
const table = `${header.join(',')}\n${order.join(',')}\n`;
const sheetWith = (rows: string) => ({ name: "Order's list", xml: `<sheetData>${rows}</sheetData>` });

describe('the command that is printed for a file that cannot be read as it is', () => {
  it.each<[string, string, string | Buffer, number]>([
    ['a title above the header', 'orders.csv', `Orders of today\n\n${table}`, 0],
    ['a title in a row as wide as the others', 'orders.csv', `Orders,,,\n${table}`, 0],
    [
      'another encoding',
      'orders.csv',
      Buffer.from(`${header.join(',')},customer.name\n${order.join(',')},Ren\xe9\n`, 'latin1'),
      1,
    ],
    ['another delimiter', 'orders.csv', table.replaceAll(',', '~'), 0],
    [
      'two sheets',
      'orders.xlsx',
      workbookOf({
        sheets: [
          sheetOf([
            ['sku', 'name', 'price'],
            ['TEA-001', 'Tea', 8900],
          ]),
          sheetWith(rowXml(1, header) + rowXml(2, order)),
        ],
      }),
      1,
    ],
    [
      'hidden rows',
      'orders.xlsx',
      workbookOf({ sheets: [sheetWith(rowXml(1, header) + rowXml(2, order, ' hidden="1"'))] }),
      0,
    ],
  ])('imports it: %s', async (_, name, content, choice) => {
    const { cli } = await startService({ catalogue });
    const file = join(temporaryDirectory(), name);
    writeFileSync(file, content);
    const first = await cli(['import', file, '--yes']);
    expect(first.exitCode).toBe(2);
    const again = await cli(commandsIn(first.stderr)[choice] ?? []);
    expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('created\t') });
  });
});

it('the command for the rejects imports them when they are fixed, with all flags that still matter', async () => {
  const { cli } = await startService({ catalogue });
  const directory = temporaryDirectory();
  const file = join(directory, "orders of Ann's shop.csv");
  const map = join(directory, 'map.json');
  writeFileSync(map, JSON.stringify({ columns: { 'customer.name': 'Name' } }));
  const rows = 'A-1,x,TEA-001,Ren\xe9\nA-2,99112233,TEA-001,Ren\xe9\n';
  const text = `Orders\n\nexternalOrderId,customer.phone,items[].sku,Name\n${rows}`;
  writeFileSync(file, Buffer.from(text, 'latin1'));
  const reading = ['--encoding', 'windows-1252', '--header-row', '3', '--map', map];
  const flags = [...reading, '--set', 'collectionMode=NONE', '--limit', '2', '--yes'];
  const first = await cli(['import', file, ...flags]);
  const [good = [], rejects = []] = commandsIn(first.stderr);
  expect(rejects).toEqual(['import', rejects[1], ...reading, '--set', 'collectionMode=NONE', '--yes']);
  expect((await cli(good)).stdout).toContain('created\t1\n');
  const still = await cli(rejects);
  const second = join(directory, "orders of Ann's shop.rejects.2.csv");
  expect(commandsIn(still.stderr)[0]?.[1]).toBe(second);
  writeFileSync(second, execFileSync('sed', ['s/,x,/,99112233,/;s/^A-1,x/A-1,99112233/', second]));
  expect(await cli(commandsIn(still.stderr)[0] ?? [])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('created\t1\n'),
  });
});

it.each([
  ['orders.rejects.csv', undefined, 'orders.rejects.2.csv'],
  ['a/orders.rejects.2.csv', undefined, 'a/orders.rejects.3.csv'],
  ['orders.rejects.csv', { number: 1, count: 4 }, 'orders.rejects.2.1of4.csv'],
  ['orders.rejects.xlsx', undefined, 'orders.rejects.2.csv'],
  ['rejects.csv', undefined, 'rejects.rejects.csv'],
  ['-', undefined, 'stdin.rejects.csv'],
  ['/dev/fd/63', undefined, 'stdin.rejects.csv'],
  ['/dev/shm/orders.csv', undefined, '/dev/shm/orders.rejects.csv'],
])('the rejects of %s with the shard %j are %s', (file, shard, rejects) => {
  expect(fileBeside(file, 'rejects', shard)).toBe(rejects);
});
