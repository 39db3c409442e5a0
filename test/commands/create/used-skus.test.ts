import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startStubService } from '../../api/stub-service.ts';
import { type CliOptions, runCli, temporaryDirectory } from '../../support/cli.ts';

/** City, district, street and note. */
const noAddress = ['', '', '', ''];
const withCount = (item: string) => (item.includes('=') ? [item] : [item, '1']);

/** Unknown to the service. */
const cyrillic = 'ТЕА-1';

async function startShops() {
  const configDirectory = temporaryDirectory();
  const login = async (profile: string) => {
    const { baseUrl } = await startStubService(({ method, body }) => {
      if (method === 'GET') return { json: { data: [] } };
      if (body.includes(cyrillic)) return { status: 422, json: { code: 'PRODUCT_SKU_NOT_FOUND' } };
      return { status: 201, json: { ...JSON.parse(body), id: '0b0e' } };
    });
    const args = ['login', '--profile', profile, '--base-url', baseUrl, '--with-key'];
    await runCli(args, { configDirectory, stdin: 'key-of-a-shop' });
    return baseUrl;
  };
  const baseUrls = { one: await login('one'), two: await login('two') };
  const file = join(configDirectory, 'skus.json');
  let count = 0;
  return {
    file,
    baseUrls,
    cli: (args: string[]) => runCli(args, { configDirectory }),
    remove: (profile: string) => runCli(['profiles', 'remove', profile], { configDirectory }),
    /** Creates an order with these items; returns the line that offers what was used before. */
    create: async (profile: string, items: string[], { answers, ...options }: CliOptions = {}) => {
      count += 1;
      const flags = ['--profile', profile, '--external-order-id', `UB-${count}`, '--phone', '99112233'];
      const { stderr, exitCode, asked } = await runCli(['create', ...flags, '--prepaid'], {
        configDirectory,
        answers: answers ?? [...items.flatMap(withCount), '', ...noAddress, '', '', true],
        ...options,
      });
      return { exitCode, stderr, asked, offered: /^Codes used before: .*$/m.exec(stderr)?.[0] };
    },
  };
}

it('a product code of an order that was created is offered for the next one, the latest first', async () => {
  const { create, file } = await startShops();
  expect(await create('one', ['TEA-1', 'COF-1'])).toMatchObject({ exitCode: 0, offered: undefined });
  expect((await create('one', ['TEA-2', 'TEA-1'])).offered).toBe('Codes used before: TEA-1, COF-1');
  expect((await create('one', ['TEA-2'], { width: 34 })).offered).toBe('Codes used before: TEA-2, TEA-1');
  const { used } = JSON.parse(readFileSync(file, 'utf8'));
  expect(used).toMatchObject([{ profile: 'one', skus: ['TEA-2', 'TEA-1', 'COF-1'] }]);
});

it('takes as many columns as it is wide', async () => {
  const { create } = await startShops();
  await create('one', ['茶茶茶茶茶', 'TEA-1']);
  expect((await create('one', ['TEA-2'], { width: 37 })).offered).toBe(
    'Codes used before: 茶茶茶茶茶, TEA-1',
  );
  expect((await create('one', ['TEA-2'], { width: 36 })).offered).toBe('Codes used before: TEA-2, TEA-1');
});

it('is offered for no other profile or service, and not when nothing was created', async () => {
  const { create, baseUrls, file } = await startShops();
  await create('one', [], { answers: ['TEA-0', '1', '', ...noAddress, '', '', false, 'none'] });
  expect(existsSync(file)).toBe(false);
  await create('one', ['TEA-1']);
  expect((await create('two', ['TEA-9'])).offered).toBeUndefined();
  expect((await create('one', ['TEA-1'])).offered).toBe('Codes used before: TEA-1');
  const list = { profile: 'one', service: baseUrls.two, skus: ['TEA-7'] };
  writeFileSync(file, JSON.stringify({ used: [list] }));
  expect((await create('one', ['TEA-1'])).offered).toBeUndefined();
});

it('goes with its profile, and no other', async () => {
  const { create, file, remove } = await startShops();
  await create('one', ['TEA-1']);
  await create('two', ['TEA-2']);
  await remove('one');
  const stored = readFileSync(file, 'utf8');
  expect(JSON.parse(stored).used).toMatchObject([{ profile: 'two', skus: ['TEA-2'] }]);
  writeFileSync(file, '{');
  expect((await remove('two')).stderr).toContain('move it away and run the same command again');
  writeFileSync(file, stored);
  expect((await remove('two')).exitCode).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ used: [] });
});

it('is named when the service does not know one that looks the same in the other alphabet', async () => {
  const { create, cli } = await startShops();
  await create('one', ['TEA-1', 'COF-1']);
  const named = `"${cyrillic}" looks like "TEA-1", which was used before, but has letters of the other alphabet`;
  const typed = [cyrillic, '1', '', ...noAddress, '', '', true];
  // Enter takes the one that was used before.
  const { exitCode, stderr, asked } = await create('one', [], { answers: [...typed, '', true] });
  expect([exitCode, asked.at(-2)]).toEqual([0, 'Product code (SKU) of item 1']);
  expect(stderr).toContain(`${named}, Cyrillic or Latin.\n`);
  const flags = ['--external-order-id', 'UB-9', '--phone', '99112233', '--item', cyrillic, '--prepaid'];
  const elsewhere = await cli(['create', '--profile', 'one', ...flags, '--yes']);
  expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([5, expect.stringContaining(named)]);
  expect(elsewhere.stderr).toContain('ask the platform to add the product');
});
