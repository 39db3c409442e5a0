import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CliOptions, runCli, temporaryDirectory } from '../../support/cli.ts';
import { type PlainOptions, startPlainService } from '../../support/plain-service.ts';
import { noOrders, rowsOf } from './setup.ts';

const toNumber: PlainOptions['store'] = (order) => ({
  ...order,
  externalOrderId: Number(order.externalOrderId),
});
const toUpperCase: PlainOptions['store'] = (order) => ({
  ...order,
  externalOrderId: String(order.externalOrderId).toUpperCase(),
});

/** A service that knows no idempotency keys: a second request would create a second order. */
async function startShop(ids: readonly string[], options: PlainOptions) {
  const service = await startPlainService(options);
  onTestFinished(() => service.stop());
  const csv = join(temporaryDirectory(), 'orders.csv');
  const header = 'externalOrderId,customer.phone,items[].sku,collectionMode,total';
  const lines = ids.map((id, index) => `${id},9911223${index},TEA-001,NONE,2000${index}`);
  writeFileSync(csv, `${[header, ...lines].join('\n')}\n`);
  const start = (configDirectory: string) => {
    const run = (args: string[], more: CliOptions = {}) =>
      runCli(args, { env: service.env, configDirectory, ...more });
    const runImport = async () => {
      const { stdout, exitCode } = await run(['import', csv, '--yes', '--json']);
      return { exitCode, orders: JSON.parse(stdout).orders };
    };
    return { run, import: runImport };
  };
  return { service, start, results: csv.replace('.csv', '.results.csv') };
}

describe.each([
  ['numbers', ['1041', '1042', '007'], toNumber],
  ['upper case', ['kh-7', 'Kh-8', 'kh-9'], toUpperCase],
] as const)('external order IDs that the service stores as %s', (_what, ids, store) => {
  it.each([false, true])(
    'are those of the orders that were sent; it ignores the filter: %s',
    async (ignoresFilter) => {
      const { service, start, results } = await startShop(ids, { store, ignoresFilter });
      const configDirectory = temporaryDirectory();
      const first = await start(configDirectory).import();
      expect(first).toEqual({ exitCode: 0, orders: { ...noOrders, total: 3, created: 3 } });
      const named = rowsOf(results).map(({ external_order_id, outcome, order_id }) => [
        external_order_id,
        outcome,
        order_id,
      ]);
      expect(named).toEqual(ids.map((id, index) => [id, 'created', service.orders[index]?.id]));
      const again = await start(configDirectory).import();
      expect(again).toEqual({ exitCode: 0, orders: { ...noOrders, total: 3, already_exists: 3 } });
      expect(service.orders.length).toBe(3);
    },
  );

  it('are unknown when the service has other content under them', async () => {
    const { service, start, results } = await startShop(ids, {
      store: (order) => ({ ...store(order), total: '99' }),
    });
    const { exitCode, orders } = await start(temporaryDirectory()).import();
    expect([exitCode, orders]).toEqual([8, { ...noOrders, total: 3, unknown: 3 }]);
    expect(rowsOf(results).map(({ outcome, order_id }) => [outcome, order_id])).toEqual(
      ids.map(() => ['unknown', '']),
    );
    expect(new Set(service.creates.map(({ key }) => key)).size).toBe(3);
  });

  it('are those of one order that is created, and created again', async () => {
    const { service, start } = await startShop([], { store });
    const { run } = start(temporaryDirectory());
    const args = [
      'create',
      '--external-order-id',
      ids[0],
      '--phone',
      '99112233',
      '--item',
      'TEA-001',
      '--prepaid',
    ];
    for (const outcome of ['created', 'already_exists']) {
      const { stdout, exitCode } = await run([...args, '--yes', '--json']);
      expect([JSON.parse(stdout), exitCode]).toEqual([{ ...service.orders[0], _outcome: outcome }, 0]);
    }
    expect(service.seen.creates).toBe(1);
  });
});
