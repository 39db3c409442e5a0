import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CliOptions } from '../../support/cli.ts';
import { start } from './setup.ts';

const sheet = (header: string, ...rows: string[]) =>
  [`${header},Phone,SKU,collectionMode`, ...rows.map((row) => `${row},TEA-001,NONE`)].join('\n').concat('\n');
const monday = sheet('№', '1,99110001', '2,99110002');
const map = JSON.stringify({
  columns: { externalOrderId: '№', 'customer.phone': 'Phone', 'items[].sku': 'SKU' },
});

async function shopWith(text: string) {
  const shop = await start('orders.csv');
  const csv = shop.path('monday.csv');
  writeFileSync(csv, text);
  const mapPath = shop.path('map.json');
  writeFileSync(mapPath, map);
  const ids = async () => (await shop.listed()).map(({ externalOrderId }) => externalOrderId).sort();
  const importFile = (args: string[], options: CliOptions = {}, file = csv) =>
    shop.run(['import', file, ...args], options);
  return { ...shop, csv, import: importFile, mapped: ['--yes', '--map', mapPath], ids };
}

describe('order IDs that only count the rows', () => {
  it('are refused with the prefix that the name of the file gives', async () => {
    const shop = await shopWith(monday);
    const { exitCode, stderr } = await shop.import(shop.mapped);
    expect({ exitCode, ids: await shop.ids() }).toEqual({ exitCode: 2, ids: [] });
    expect(stderr).toContain('ids_count_up');
    expect(stderr).toContain('--id-prefix monday-');
  });

  it.each([
    ['with gaps', ['1,99110001', '2,99110002', '4,99110003'], '1 to 4'],
    ['that begin later', ['4,99110001', '5,99110002', '6,99110003'], '4 to 6'],
  ])('are refused %s too', async (_, rows, ids) => {
    const shop = await shopWith(sheet('№', ...rows));
    const { exitCode, stderr } = await shop.import(shop.mapped);
    expect({ exitCode, ids: await shop.ids() }).toEqual({ exitCode: 2, ids: [] });
    expect(stderr).toContain(`only counts the rows: ${ids}.`);
  });

  it('are created once under the prefix, also when the file has grown by the next day', async () => {
    const shop = await shopWith(monday);
    const flags = [...shop.mapped, '--id-prefix', 'monday-'];
    expect((await shop.import(flags)).exitCode).toBe(0);
    writeFileSync(shop.csv, `${monday}3,99110003,TEA-001,NONE\n`);
    expect((await shop.import(flags)).exitCode).toBe(0);
    expect(await shop.ids()).toEqual(['monday-1', 'monday-2', 'monday-3']);
  });

  it('have the same prefix on every day, so that an interrupted import goes on', async () => {
    const shop = await shopWith(monday);
    const proposals = await Promise.all(
      ['2026-11-20', '2026-11-21'].map((today) => shop.import(shop.mapped, { today })),
    );
    expect(proposals.map(({ stderr }) => /--id-prefix \S+/.exec(stderr)?.[0])).toEqual([
      '--id-prefix monday-,',
      '--id-prefix monday-,',
    ]);
    const flags = [...shop.mapped, '--id-prefix', 'monday-'];
    await shop.import([...flags, '--limit', '1'], { today: '2026-11-20' });
    expect((await shop.import(flags, { today: '2026-11-21' })).exitCode).toBe(0);
    expect(await shop.ids()).toEqual(['monday-1', 'monday-2']);
  });

  it('are the shop’s own when the user says so', async () => {
    const shop = await shopWith(monday);
    expect((await shop.import([...shop.mapped, '--id-prefix', 'none'])).exitCode).toBe(0);
    expect(await shop.ids()).toEqual(['1', '2']);
  });

  it.each([
    ['a header that names the order', sheet('Order number', '1,99110001', '2,99110002')],
    ['a counter that goes on', sheet('№', '2451,99110001', '2452,99110002')],
    ['another order', sheet('№', '2,99110001', '1,99110002')],
  ])('are not those under %s', async (_, text) => {
    const shop = await shopWith(text);
    const columns = { ...JSON.parse(map).columns, externalOrderId: text.split(',')[0] };
    writeFileSync(shop.path('map.json'), JSON.stringify({ columns }));
    expect((await shop.import(shop.mapped)).exitCode).toBe(0);
  });

  it('are refused when orders of another file have them', async () => {
    const shop = await shopWith(sheet('Order number', '1,99110001', '2,99110002'));
    const columns = { ...JSON.parse(map).columns, externalOrderId: 'Order number' };
    writeFileSync(shop.path('map.json'), JSON.stringify({ columns }));
    expect((await shop.import(shop.mapped)).exitCode).toBe(0);
    const tuesday = shop.path('tuesday.csv');
    writeFileSync(tuesday, sheet('Order number', '1,99110001', '2,88110002', '3,88110003'));
    const next = await shop.import([...shop.mapped, '--json'], {}, tuesday);
    expect(next).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"ids_count_up"') });
    expect(await shop.ids()).toEqual(['1', '2']);
    // As the orders of before, changed: each is looked at by itself.
    const same = await shop.import([...shop.mapped, '--id-prefix', 'none'], {}, tuesday);
    expect(same.exitCode).not.toBe(2);
    expect(await shop.ids()).toEqual(['1', '2', '3']);
    // As new orders: that which was created under the bare ID is not created again.
    const prefixed = await shop.import([...shop.mapped, '--id-prefix', 'tue-'], {}, tuesday);
    expect(prefixed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('id_known_otherwise') });
  });

  it('keep it in the rejects, whatever their command and name', async () => {
    const shop = await shopWith(monday);
    const again = (rows: string) => rows.replace('2,99110002', '2,9.91E+07');
    writeFileSync(shop.csv, again(monday));
    const skip = [...shop.mapped, '--id-prefix', 'monday-', '--on-invalid', 'skip'];
    const { stderr } = await shop.import(skip);
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /import \S*monday\.rejects\.csv --yes .*--id-prefix monday-/,
    );
    // As answered at a terminal: remembered for the name of the file.
    const mapping = ['mappings', 'add', shop.csv, shop.path('prefixed.json')];
    const columns = { ...JSON.parse(map).columns, externalOrderId: { from: '№', prefix: 'monday-' } };
    writeFileSync(shop.path('prefixed.json'), JSON.stringify({ columns }));
    await shop.run(mapping);
    const rejects = readFileSync(shop.path('monday.rejects.csv'), 'utf8').replace('9.91E+07', '99110002');
    writeFileSync(shop.path('monday.rejects.csv'), rejects);
    expect((await shop.import(['--yes'], {}, shop.path('monday.rejects.csv'))).exitCode).toBe(0);
    expect(await shop.ids()).toEqual(['monday-1', 'monday-2']);
    const other = shop.path('corrected.csv');
    writeFileSync(other, rejects.replace('2,99110002', '7,99110002'));
    expect((await shop.import(['--yes'], {}, other)).stderr).toContain('ids_count_up');
  });

  it('keep their prefix when one order of the file has changed', async () => {
    const shop = await shopWith(monday);
    const flags = [...shop.mapped, '--id-prefix', 'monday-'];
    expect((await shop.import(flags)).exitCode).toBe(0);
    writeFileSync(shop.csv, monday.replace('99110002', '88110002'));
    expect((await shop.import(flags)).exitCode).toBe(6);
    writeFileSync(shop.csv, monday.replaceAll('9911', '8811'));
    const other = await shop.import(flags);
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--id-prefix TEXT') });
    expect(other.stderr).not.toContain('none');
    expect(await shop.ids()).toEqual(['monday-1', 'monday-2']);
  });

  it('say that all were cancelled, and not that they are those of other orders', async () => {
    const shop = await shopWith(monday);
    const flags = [...shop.mapped, '--id-prefix', 'monday-'];
    await shop.import(flags);
    await shop.run(['cancel', '--from', shop.path('monday.results.csv'), '--reason', 'a test', '--yes']);
    const again = await shop.import(flags);
    expect(again).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('--recreate-cancelled') });
    writeFileSync(shop.csv, monday.replaceAll('9911', '8811'));
    const other = await shop.import(flags);
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--id-prefix TEXT') });
  });

  it('have the same prefix in another copy of the file', async () => {
    const shop = await shopWith(monday);
    const copy = shop.path('monday (1).csv');
    writeFileSync(copy, monday);
    expect((await shop.import(shop.mapped, {}, copy)).stderr).toContain('--id-prefix monday-\n');
  });

  it('are asked about at a terminal, once for each file', async () => {
    const shop = await shopWith(monday);
    const first = await shop.import([], { answers: [{ pick: '№' }, 'monday-', 'right', true] });
    expect(first).toMatchObject({
      exitCode: 0,
      asked: expect.arrayContaining([expect.stringMatching(/^№ only counts/)]),
    });
    // Without a question, under the same IDs.
    expect(await shop.import(['--yes'])).toMatchObject({ exitCode: 0, asked: [] });
    const other = shop.path('tuesday.csv');
    writeFileSync(other, sheet('№', '1,99110003'));
    const next = await shop.import(['--yes'], {}, other);
    expect(next).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--id-prefix tuesday-') });
    expect(await shop.ids()).toEqual(['monday-1', 'monday-2']);
  });
});
