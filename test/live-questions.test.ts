import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orders, startStubService } from './api/stub-service.ts';
import { type Answering, runCli, temporaryDirectory } from './support/cli.ts';

const uuid = '00000000-0000-4000-8000-000000000001';
const stored = {
  id: uuid,
  orderNumber: 'ORD-2026-000001',
  externalOrderId: 'UB-1',
  status: 'OPEN',
  customer: { phone: '99112233' },
  collectionMode: 'COLLECT',
  collectionAmount: '25000',
};
const newOrder = ['--external-order-id', 'UB-2', '--phone', '99112233', '--item', 'TEA-1', '--prepaid'];

async function start(profiles: readonly string[]) {
  const { baseUrl } = await startStubService(({ method, path }) => {
    if (method === 'POST') return { status: 422 };
    return path === orders ? { json: { data: [] } } : { json: stored };
  });
  const configDirectory = temporaryDirectory();
  for (const profile of profiles) {
    const login = ['login', '--profile', profile, '--base-url', baseUrl, '--with-key'];
    await runCli(login, { configDirectory, stdin: 'key-of-a-shop' });
  }
  const file = join(configDirectory, 'orders.csv');
  writeFileSync(
    file,
    'externalOrderId,customer.phone,items[].sku,collectionMode\nUB-3,99112233,TEA-1,NONE\n',
  );
  return { configDirectory, file, env: { NO_COLOR: '1' } };
}

const inProfile = ['--profile', 'shop-b'];

it.each<[string, (file: string) => string[], Answering[], string]>([
  [
    'create',
    () => ['create', ...newOrder],
    [false, 'none'],
    'create for 99112233, 1 item, prepaid, no address?',
  ],
  [
    'cancel',
    () => ['cancel', uuid, '--reason', 'no'],
    [false],
    'cancel ORD-2026-000001, 99112233, 25,000 ₮?',
  ],
  ['import', (file) => ['import', file], [false], 'create 1 order'],
  [
    'create with answers',
    () => ['create', ...newOrder.slice(0, 4), '--prepaid'],
    ['TEA-1 x 2', '', '', '', '', '', '', '', false, 'none'],
    'create for 99112233, 1 item, prepaid, no address?',
  ],
])('the question of %s names the profile where there are several', async (_, argsOf, answers, question) => {
  const several = await start(['shop-a', 'shop-b']);
  const { asked, stderr } = await runCli([...argsOf(several.file), ...inProfile], { ...several, answers });
  expect(asked, stderr).toContainEqual(expect.stringContaining(`LIVE (shop-b): ${question}`));
  const only = await start(['shop-b']);
  const alone = (await runCli([...argsOf(only.file), ...inProfile], { ...only, answers })).asked;
  expect(alone.join()).not.toContain('shop-b');
  expect(alone.join()).toContain(question);
});

it('names no profile whose key is not used', async () => {
  const { configDirectory } = await start(['shop-a', 'shop-b']);
  const { baseUrl } = await startStubService(() => ({ json: stored }));
  const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: 'another-key', NO_COLOR: '1' };
  const { asked } = await runCli(['cancel', uuid, '--reason', 'no'], {
    configDirectory,
    env,
    answers: [false],
  });
  expect(asked).toEqual(['LIVE: cancel ORD-2026-000001, 99112233, 25,000 ₮?']);
});
