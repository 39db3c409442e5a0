import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, temporaryDirectory } from './support/cli.ts';
import { type ForeignOptions, startForeignService } from './support/foreign-service/service.ts';

/** A service that shares no code with this project, and commands that use it. */
async function start(options: ForeignOptions = {}) {
  const service = await startForeignService(options);
  onTestFinished(() => service.stop());
  const configDirectory = temporaryDirectory();
  const env = { MERCHANT_ORDERS_BASE_URL: service.baseUrl, MERCHANT_ORDERS_API_KEY: service.apiKey };
  const run = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await runCli([...args, '--json'], { configDirectory, env });
    return { exitCode, stderr, json: stdout === '' ? undefined : JSON.parse(stdout) };
  };
  const create = (externalOrderId: string, ...flags: string[]) =>
    run(
      'create',
      '--external-order-id',
      externalOrderId,
      '--phone',
      '99112233',
      '--item',
      'TEA',
      '--prepaid',
      ...flags,
    );
  return { service, run, create };
}

function writeCsv(orders: number): string {
  const rows = Array.from(
    { length: orders },
    (_, place) => `UB-${place},99112233,TEA,COLLECT,${1000 + place}`,
  );
  const path = join(temporaryDirectory(), 'orders.csv');
  const header = 'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount';
  writeFileSync(path, [header, ...rows].join('\n'));
  return path;
}

describe('another implementation of the service', () => {
  it('creates an order once, gets it by every reference and cancels it once', async () => {
    const { service, run, create } = await start();
    const created = await create('UB-1');
    expect([created.exitCode, created.json.externalOrderId]).toEqual([0, 'UB-1']);
    expect((await create('UB-1')).json.id).toBe(created.json.id);
    await create('UB-2');
    for (const reference of [created.json.id, created.json.orderNumber, 'UB-1']) {
      expect({ ...(await run('get', reference)).json, _outcome: 'created' }).toEqual(created.json);
    }
    expect((await run('get', '00000000-0000-4000-8000-000000000000')).exitCode).toBe(3);
    expect((await run('get', 'UB-9')).exitCode).toBe(3);
    const cancelled = await run('cancel', 'UB-1', '--reason', 'sold out', '--yes');
    expect([cancelled.exitCode, cancelled.json.status]).toEqual([0, 'cancelled']);
    expect((await run('cancel', 'UB-1', '--reason', 'sold out', '--yes')).exitCode).toBe(0);
    expect((await run('get', 'UB-2')).json.status).toBe('ready_for_fulfilment');
    expect(Object.fromEntries(service.commits())).toEqual({ 'UB-1': 1, 'UB-2': 1 });
  });

  it('imports each order once despite lost responses, and lists all', async () => {
    const lost = new Set<string>();
    const { service, run } = await start({
      intervene: ({ method, externalOrderId = '' }) => {
        if (method !== 'POST' || lost.has(externalOrderId) || !externalOrderId.endsWith('7'))
          return undefined;
        lost.add(externalOrderId);
        return { after: (response) => response.destroy() };
      },
    });
    const csv = writeCsv(120);
    const first = await run('import', csv, '--yes');
    expect([first.exitCode, first.json.orders.created]).toEqual([0, 120]);
    expect(lost.size).toBe(12);
    const again = await run('import', csv, '--yes');
    expect([again.exitCode, again.json.orders.already_exists]).toEqual([0, 120]);
    const { json } = await run('list', '--all');
    expect(new Set(json.orders.map(({ id }: { id: string }) => id)).size).toBe(120);
    expect([...service.commits().values()]).toEqual(Array(120).fill(1));
    // The check for a sandbox sends no key.
    expect([...service.seen.authorizations].filter((one) => one !== '')).toEqual([
      `Bearer ${service.apiKey}`,
    ]);
  });
});
