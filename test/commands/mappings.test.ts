import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliOptions, errorIn, runCli, temporaryDirectory } from '../support/cli.ts';

const mapping = {
  columns: { externalOrderId: 'Ref', 'customer.phone': 'Phone', 'items[].sku': 'Code' },
  values: { Pay: { Card: 'prepaid' } },
  ignore: ['Colour'],
};

function start() {
  const directory = temporaryDirectory();
  const configDirectory = temporaryDirectory();
  mkdirSync(configDirectory, { recursive: true });
  const path = (name: string) => join(directory, name);
  const write = (name: string, text: string) => writeFileSync(path(name), text);
  write('shop.csv', 'Ref,Phone,Code,Pay,Colour\n1,99112233,TEA-001,Card,red\n');
  write('shop.map.json', JSON.stringify(mapping));
  const run = (args: string[], options: CliOptions = {}) => runCli(args, { configDirectory, ...options });
  const add = (...more: string[]) =>
    run(['mappings', 'add', path('shop.csv'), path('shop.map.json'), ...more]);
  return { configDirectory, path, write, run, add };
}

describe('mappings', () => {
  it('lists them in every format', async () => {
    const { run, add } = start();
    expect(await run(['mappings'])).toMatchObject({
      stdout: 'name\tprofile\tcolumns\tsavedAt\tusedAt\n',
      stderr: 'No mappings. To remember one, run: merchant-orders mappings add FILE.csv MAP.json\n',
      exitCode: 0,
    });
    expect(await add()).toMatchObject({
      stdout: '',
      stderr: 'Remembered as shop: files with these columns are read with it from now on.\n',
      exitCode: 0,
    });
    await add('-p', 'other');
    const { stdout } = await run(['mappings', '--json']);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const record = { columns: 5, savedAt: time, usedAt: time };
    expect(JSON.parse(stdout)).toEqual({
      mappings: [
        { name: 'shop', profile: 'default', ...record },
        { name: 'shop-2', profile: 'other', ...record },
      ],
    });
    expect((await run(['mappings', '--format', 'csv'])).stdout.split('\n')[1]).toMatch(/^shop,default,5,/);
  });

  it('shows one as a mapping file, which can be imported and added', async () => {
    const { run, add, write, path } = start();
    await add();
    const { stdout, exitCode } = await run(['mappings', 'show', 'shop']);
    expect([JSON.parse(stdout), exitCode]).toEqual([mapping, 0]);
    write('shown.json', stdout);
    const dry = await run(['import', path('shop.csv'), '--map', path('shown.json'), '--dry-run', '--json']);
    expect(JSON.parse(dry.stdout).plan).toMatchObject({ prepaid: 1, rememberedMapping: null });
    expect(await run(['mappings', 'add', path('shop.csv'), path('shown.json')])).toMatchObject({
      exitCode: 0,
    });
    expect(JSON.parse((await run(['mappings', '--json'])).stdout).mappings).toHaveLength(1);
  });

  it('adds one with the values of its file, without those of orders that need fixing', async () => {
    const { run, write, path, configDirectory } = start();
    const { columns } = mapping;
    const constants = { collectionMode: 'NONE' };
    write('shop.csv', 'Ref,Phone,Code,Pay\n1,99112233,TEA-001,Card\n2,9,91E+07,Wallet\n3,,TEA-001,Wallet\n');
    write('shop.map.json', JSON.stringify({ columns, constants, ignore_anyway: ['Pay'] }));
    const { stderr } = await run(['mappings', 'add', path('shop.csv'), path('shop.map.json')]);
    expect(stderr).toContain('2 of its 3 orders need fixing; values of these are not remembered.');
    const { mappings } = JSON.parse(readFileSync(join(configDirectory, 'mappings.json'), 'utf8'));
    expect(mappings[0].seen).toEqual({ Pay: ['card'] });
  });

  it.each([
    ['is not JSON', '{', 'configuration_invalid'],
    ['has an unknown decision', '{"values": {"Pay": {"Card": "pay"}}}', 'configuration_invalid'],
    [
      'names a column that the file does not have',
      '{"columns": {"externalOrderId": "Number"}}',
      'file_invalid',
    ],
    ['leaves open who pays', JSON.stringify({ columns: mapping.columns }), 'file_invalid'],
  ])('stores nothing when the mapping %s', async (_, text, code) => {
    const { run, add, write } = start();
    write('shop.map.json', text);
    const { stdout, stderr, exitCode } = await add('--json');
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(errorIn(stderr).code).toBe(code);
    expect(JSON.parse((await run(['mappings', '--json'])).stdout)).toEqual({ mappings: [] });
  });

  it('removes one, or all', async () => {
    const { run, add } = start();
    await add();
    await add('-p', 'other');
    expect(await run(['mappings', 'remove', 'shop'])).toMatchObject({
      stderr: 'Removed shop.\n',
      exitCode: 0,
    });
    expect(await run(['mappings', 'remove', '--all'])).toMatchObject({
      stderr: 'Removed shop-2.\n',
      exitCode: 0,
    });
    expect(await run(['mappings', 'remove', '--all'])).toMatchObject({
      stderr: 'No mappings.\n',
      exitCode: 0,
    });
  });

  it('go with their profile', async () => {
    const { run, add, configDirectory } = start();
    const profiles = { shop: { baseUrl: 'https://shop.mn', apiKey: 'mk_live_0001' } };
    writeFileSync(join(configDirectory, 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
    await add();
    await add('-p', 'shop');
    const { stderr } = await run(['profiles', 'remove', 'shop']);
    expect(stderr).toContain('Its remembered mappings are removed: shop-2.');
    expect(JSON.parse((await run(['mappings', '--json'])).stdout).mappings).toMatchObject([{ name: 'shop' }]);
  });
});
