import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openDatabase } from '../../../src/system/sqlite.ts';
import { startStubService } from '../../api/stub-service.ts';
import { runCli, temporaryDirectory } from '../../support/cli.ts';

/** Imports six orders, and returns how many had an intent in the ledger, and were in flight, at each response. */
async function importWith(concurrency: number, intentsAwaited: number) {
  const directory = temporaryDirectory();
  const csv = join(directory, 'orders.csv');
  const ids = Array.from({ length: 6 }, (_, index) => `A-${index}`);
  const rows = ids.map((id) => `${id},99112233,TEA,NONE`);
  writeFileSync(csv, ['externalOrderId,customer.phone,items[].sku,collectionMode', ...rows].join('\n'));
  const counts: { intents: number; inFlight: number }[] = [];
  let inFlight = 0;
  const countIntents = async () => {
    const ledger = await openDatabase(join(directory, 'ledger.db'));
    const { count } = ledger.prepare("SELECT count(*) AS count FROM orders WHERE state = 'intent'").get() as {
      count: number;
    };
    ledger.close();
    return count;
  };
  const { baseUrl } = await startStubService(({ method, body }) => {
    if (method === 'GET') return { json: { data: [] } };
    const order = { ...JSON.parse(body), id: JSON.parse(body).externalOrderId, orderNumber: 'N' };
    return async (response) => {
      inFlight += 1;
      const intents = await vi.waitUntil(
        async () => {
          const found = await countIntents();
          const left = ids.length - counts.length;
          return inFlight >= Math.min(concurrency, left) && found >= Math.min(intentsAwaited, left) && found;
        },
        { timeout: 30_000 },
      );
      counts.push({ intents, inFlight });
      inFlight -= 1;
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(order));
    };
  });
  const args = ['--base-url', baseUrl, 'import', csv, '--yes', '--concurrency', String(concurrency)];
  const { stderr, exitCode } = await runCli(args, {
    env: { MERCHANT_ORDERS_API_KEY: 'live_key-of-the-tests' },
    configDirectory: directory,
    waits: true,
  });
  expect(exitCode, stderr).toBe(0);
  return {
    maxIntents: Math.max(...counts.map(({ intents }) => intents)),
    maxInFlight: Math.max(...counts.map((count) => count.inFlight)),
  };
}

it('has other orders ready to be sent while all requests at a time are in flight', async () => {
  expect(await importWith(2, 4)).toEqual({ maxIntents: 4, maxInFlight: 2 });
});

it('begins no order before the one before it has an outcome, with one request at a time', async () => {
  expect(await importWith(1, 1)).toEqual({ maxIntents: 1, maxInFlight: 1 });
});
