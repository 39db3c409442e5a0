import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startStubService } from '../../api/stub-service.ts';
import { type CliOptions, runCli, temporaryDirectory } from '../../support/cli.ts';

/** City, district, street and note. */
const noAddress = ['', '', '', ''];
const withCount = (item: string) => (item.includes('=') ? [item] : [item, '1']);

async function startShops() {
  const configDirectory = temporaryDirectory();
  const login = async (profile: string) => {
    const { baseUrl } = await startStubService(({ method, body }) =>
      method === 'GET' ? { json: { data: [] } } : { status: 201, json: { ...JSON.parse(body), id: '0b0e' } },
    );
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
    remove: (profile: string) => runCli(['profiles', 'remove', profile], { configDirectory }),
    /** Creates an order with these items; returns the line that offers what was used before. */
    create: async (profile: string, items: string[], { answers, ...options }: CliOptions = {}) => {
      count += 1;
      const flags = ['--profile', profile, '--external-order-id', `UB-${count}`, '--phone', '99112233'];
      const { stderr, exitCode } = await runCli(['create', ...flags, '--prepaid'], {
        configDirectory,
        answers: answers ?? [...items.flatMap(withCount), '', ...noAddress, '', '', true],
        ...options,
      });
      return { exitCode, offered: /^Codes used before: .*$/m.exec(stderr)?.[0] };
    },
  };
}

it('a product code of an order that was created is offered for the next one, the latest first', async () => {
  const { create, file } = await startShops();
  expect(await create('one', ['TEA-1', 'COF-1'])).toEqual({ exitCode: 0, offered: undefined });
  expect((await create('one', ['TEA-2', 'TEA-1'])).offered).toBe('Codes used before: TEA-1, COF-1');
  expect((await create('one', ['TEA-2'], { width: 34 })).offered).toBe('Codes used before: TEA-2, TEA-1');
  const { used } = JSON.parse(readFileSync(file, 'utf8'));
  expect(used).toMatchObject([{ profile: 'one', skus: ['TEA-2', 'TEA-1', 'COF-1'] }]);
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
