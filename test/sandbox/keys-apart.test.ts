import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../support/cli.ts';
import { startForeignService } from '../support/foreign-service/service.ts';
import { startService } from '../support/service.ts';
import { start, temporaryFile } from './start.ts';

const order = ['--external-order-id', 'UB-1', '--phone', '99112233', '--item', 'TEA-1', '--prepaid'];

describe('live keys and sandbox keys', () => {
  it('a live key is not sent to a sandbox', async () => {
    const { sandbox } = await startService();
    const env = { MERCHANT_ORDERS_BASE_URL: sandbox.baseUrl, MERCHANT_ORDERS_API_KEY: 'mk_live_0123456789' };
    const { stdout, stderr, exitCode } = await runCli(['create', ...order], { env });
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: '',
      stderr:
        `error: A key of the live service is not sent to the sandbox at ${new URL(sandbox.baseUrl).host}.\n` +
        'Use the sandbox key shown by: merchant-orders sandbox info\n',
      exitCode: 2,
    });
    expect(sandbox.requestCount()).toBe(0);
  });

  it('a live key is sent to a local service that is not a sandbox', async () => {
    const service = await startForeignService();
    const env = { MERCHANT_ORDERS_BASE_URL: service.baseUrl, MERCHANT_ORDERS_API_KEY: 'mk_live_0123456789' };
    const { exitCode } = await runCli(['list'], { env });
    await service.stop();
    expect([exitCode, [...service.seen.authorizations].sort()]).toEqual([
      4,
      ['', 'Bearer mk_live_0123456789'],
    ]);
  });

  it('a sandbox key is not sent to another machine', async () => {
    const env = { MERCHANT_ORDERS_BASE_URL: 'https://shop.example', MERCHANT_ORDERS_API_KEY: 'sandbox_1' };
    const { stderr, exitCode } = await runCli(['list'], { env });
    expect([stderr.split('\n')[0], exitCode]).toEqual([
      'error: A sandbox key is not sent to shop.example.',
      2,
    ]);
  });
});

describe('the ledger', () => {
  it('identifies a sandbox by its data, whatever its port', async () => {
    const configDirectory = temporaryDirectory();
    const file = temporaryFile();
    const create = async () => {
      const { sandbox, store } = await start({ file, anySku: true, now: Date.now });
      const env = { MERCHANT_ORDERS_BASE_URL: sandbox.baseUrl, MERCHANT_ORDERS_API_KEY: sandbox.apiKey };
      const csv = 'externalOrderId,customer.phone,items[].sku,collectionMode\nUB-1,99112233,TEA,NONE\n';
      const { stdout } = await runCli(
        ['import', '-', '--yes', '--json', '--results', `${configDirectory}/r.csv`],
        {
          env,
          configDirectory,
          stdin: csv,
        },
      );
      const { requests } = store.requests.totals();
      await sandbox.stop();
      return { ...JSON.parse(stdout).orders, requests };
    };
    // The list is read before the first create.
    expect(await create()).toMatchObject({ created: 1, already_exists: 0, requests: 2 });
    // Known from the ledger: no request is sent.
    expect(await create()).toMatchObject({ created: 0, already_exists: 1, requests: 2 });
  });
});
