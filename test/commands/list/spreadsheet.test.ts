import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, describe, expect, it } from 'vitest';
import { idOf, type ListService, listService } from '../../api/list-services.ts';
import { startStubService } from '../../api/stub-service.ts';
import { type CliOptions, runCli, temporaryDirectory } from '../../support/cli.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const order = {
  id: idOf(0),
  orderNumber: 'ORD-2026-000001',
  externalOrderId: '=UB-1',
  createdAt: '2026-11-20T17:30:00.000Z',
  status: 'CONFIRMED',
  customer: { phone: '+97699112233', name: 'Бат,\n"Өргөө"' },
  collectionAmount: '25000.00',
  requestedDeliveryDate: '2026-11-25T00:00:00Z',
  delivery: null,
};
const odd = {
  id: idOf(1),
  externalOrderId: '0012',
  createdAt: 'yesterday',
  customer: { phone: '099112233', name: '9.91E+07' },
  collectionAmount: '99999999999999999',
  requestedDeliveryDate: '25/11/2026',
  delivery: { status: '\u001b[31m=1' },
};
const header =
  '\uFEFFcreated_date,orderNumber,externalOrderId,customer.phone,customer.name,collectionAmount,requestedDeliveryDate,status,delivery.status\n';

async function startList(orders: object[], service: Partial<ListService> = {}) {
  const respond = listService({ envelope: 'items, limit', count: orders.length, orders, ...service });
  const { env } = await startStubService(respond);
  const folder = temporaryDirectory();
  const file = join(folder, 'orders.csv');
  const list = (args: string[] = [], options: CliOptions = {}) =>
    runCli(['list', '--output', file, ...args], { env, ...options });
  return { list, file, folder, text: () => readFileSync(file, 'utf8') };
}

describe('list --output', () => {
  it('writes what a spreadsheet reads as text, days and amounts', async () => {
    process.env.TZ = 'Asia/Ulaanbaatar';
    const { list, file, text } = await startList([order, odd]);
    expect(await list()).toMatchObject({ stdout: '', stderr: `Wrote 2 orders to ${file}.\n`, exitCode: 0 });
    expect(text()).toBe(
      `${header}2026-11-21,ORD-2026-000001,'=UB-1,'+97699112233,"Бат,\n""Өргөө""",25000,2026-11-25,CONFIRMED,\n` +
        "yesterday,,'0012,'099112233,'9.91E+07,'99999999999999999,'25/11/2026,,'=1\n",
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('says that there are more orders, and writes the header of none', async () => {
    const { list, file } = await startList(
      Array.from({ length: 21 }, (_, place) => ({ id: idOf(place), status: 'NEW' })),
    );
    const more = '20 of 21. Add --page 2 or --all.\n';
    expect((await list()).stderr).toBe(`Wrote 20 orders to ${file}.\n${more}`);
    const none = await startList([]);
    expect((await none.list()).stderr).toBe(`Wrote 0 orders to ${none.file}.\nNo orders.\n`);
    const one = await startList([order]);
    expect((await one.list()).stderr).toBe(`Wrote 1 order to ${one.file}.\n`);
    expect(none.text()).toBe(header);
  });

  it('replaces an earlier list, and keeps any other file', async () => {
    const { list, file, folder, text } = await startList([order]);
    await list();
    await list(['--search', 'nobody']);
    expect([readdirSync(folder), text()]).toEqual([['orders.csv'], header]);
    for (const flags of [[], ['--no-header']]) {
      writeFileSync(file, flags.length === 0 ? 'id\n1\n' : text());
      const { stderr } = await list(flags);
      const [, backup = ''] =
        /^The earlier .* is kept as (.*\.before-[0-9a-f]{8}\.csv)\.\n/.exec(stderr) ?? [];
      expect(readFileSync(backup, 'utf8').length).toBeGreaterThan(0);
    }
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it.each<[string, (file: string, folder: string) => string[], number, string]>([
    ['json', () => ['--json'], 2, '--output writes CSV, and the format is json.'],
    ['another kind of file', (_, folder) => ['-o', join(folder, 'x.xlsx')], 2, 'ends in .csv'],
    ['no folder', (_, folder) => ['-o', join(folder, 'no', 'x.csv')], 2, 'cannot be written'],
    [
      'a link to a file with other content',
      (file) => {
        const other = join(temporaryDirectory(), 'other.csv');
        writeFileSync(other, 'id\n1\n');
        symlinkSync(other, file);
        return [];
      },
      2,
      'which has other content',
    ],
    ['a list that is not complete', () => ['--all'], 7, 'but its pages contain only 2. Nothing was written.'],
  ])('writes nothing for %s', async (_, flagsFor, code, sentence) => {
    const { list, file, folder } = await startList([order, odd], { total: () => 5 });
    const { stdout, stderr, exitCode } = await list(flagsFor(file, folder));
    expect([stdout, exitCode]).toEqual(['', code]);
    expect(stderr).toContain(sentence);
    expect(readdirSync(folder).filter((name) => !lstatIsLink(join(folder, name)))).toEqual([]);
  });

  it('never writes over a file of the configuration', async () => {
    const { list, file } = await startList([order]);
    const configDirectory = temporaryDirectory();
    const configuration = join(configDirectory, 'config.json');
    symlinkSync(configuration, file);
    const { stderr, exitCode } = await list([], { configDirectory });
    expect([stderr, exitCode]).toEqual([
      `error: The orders would overwrite ${configuration}.\nChoose another name.\n`,
      2,
    ]);
  });
});

function lstatIsLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink();
}
