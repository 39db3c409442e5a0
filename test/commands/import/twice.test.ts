import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/system/sqlite.ts';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { type PlainOptions, startPlainService } from '../../support/plain-service.ts';
import { rowsOf } from './setup.ts';

const header = 'externalOrderId,customer.phone,items[].sku,collectionMode,total';

/** A service that knows neither keys nor IDs, and that loses the response to its first creates. */
async function startShop(ids: readonly string[], lost: number, options: PlainOptions = {}) {
  const service = await startPlainService({ losesResponse: (create) => create <= lost, ...options });
  onTestFinished(() => service.stop());
  const csv = join(temporaryDirectory(), 'orders.csv');
  const line = (id: string) => `${id},99112233,TEA-001,NONE,20000`;
  writeFileSync(csv, `${[header, ...ids.map(line)].join('\n')}\n`);
  const configDirectory = temporaryDirectory();
  const run = (...args: string[]) => runCli(args, { env: service.env, configDirectory });
  const importFile = (...flags: string[]) => run('import', csv, '--yes', '--concurrency', '1', ...flags);
  const results = csv.replace('.csv', '.results.csv');
  /** The outcome of each order with what is named in its message. */
  const outcomes = () =>
    rowsOf(results).map(({ external_order_id: id, outcome, code, order_number: number, message }) =>
      [id, outcome, code, number, message].join(' ').trim(),
    );
  const lists = async (work: () => Promise<unknown>) => {
    const before = service.seen.lists;
    await work();
    return service.seen.lists - before;
  };
  return { service, configDirectory, run, import: importFile, results, outcomes, lists };
}

const twoOf = (first: number, second: number) =>
  `there are 2 orders of it: ORD-2026-00000${first}, ORD-2026-00000${second}`;
const cancel = (...numbers: number[]) =>
  `merchant-orders cancel ${numbers.map((number) => `ORD-2026-00000${number}`).join(' ')} --reason 'created twice'`;

describe('an order that exists twice', () => {
  it('is named with all its numbers, and the younger one with the command that cancels it', async () => {
    const shop = await startShop(['UB-1', 'UB-2'], 1);
    const { stdout, stderr, exitCode } = await shop.import();
    expect(shop.outcomes()).toEqual([
      `UB-1 created twice ORD-2026-000001 ${twoOf(1, 2)}`,
      'UB-2 created  ORD-2026-000003',
    ]);
    expect(stderr).toContain(`UB-1: ${twoOf(1, 2)}\nResults: ${shop.results}\n`);
    expect(stderr).toContain(
      `error: 1 order exists more than once.\nTo cancel the younger ones, run:\n  ${cancel(2)}\n`,
    );
    expect(stdout).toContain('created\t2\n');
    expect(exitCode).toBe(6);
  });

  it('is counted in the summary, and its line waits for the lookup at the end', async () => {
    const shop = await startShop(['UB-1', 'UB-2'], 1);
    const { stdout, exitCode } = await shop.import('--format', 'ndjson');
    const [first, second, summary] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({ externalOrderId: 'UB-2', outcome: 'created' });
    expect(second).toMatchObject({
      externalOrderId: 'UB-1',
      outcome: 'created',
      code: 'twice',
      message: twoOf(1, 2),
      fix: `cancel what must not be delivered twice: ${cancel(2)}`,
    });
    expect([summary.orders.created, summary.twice, exitCode]).toEqual([2, 1, 6]);
  });

  it('is said until a lookup shows one: by the same command, imports show and settle', async () => {
    const shop = await startShop(['UB-1'], 1);
    await shop.import();
    const again = await shop.import();
    expect([shop.outcomes()[0], again.exitCode]).toEqual([
      expect.stringMatching(
        /^UB-1 already_exists twice ORD-2026-000001 there are 2 orders of it: .*; created /,
      ),
      6,
    ]);
    const { imports } = JSON.parse((await shop.run('imports', '--json')).stdout);
    const shown = await shop.run('imports', 'show', imports[1].run, '--format', 'csv');
    expect(shown.stdout.split('\n')[1]).toContain(`,created,`);
    expect(shown.stdout.split('\n')[1]).toContain(`,twice,"${twoOf(1, 2)}",`);
    expect((await shop.run('imports', 'show', imports[1].run)).stderr).toBe(
      `UB-1: ${twoOf(1, 2)}\nTo cancel the younger ones, run:\n  ${cancel(2)}\n`,
    );
    const settled = await shop.run('settle', '--json');
    expect(JSON.parse(settled.stdout).orders).toEqual([
      expect.objectContaining({ order: 'UB-1', outcome: 'created', code: 'twice' }),
    ]);
    expect(settled.exitCode).toBe(6);

    expect((await shop.run('cancel', 'ORD-2026-000002', '--reason', 'created twice', '--yes')).exitCode).toBe(
      0,
    );
    const last = await shop.import();
    expect([shop.outcomes()[0], last.exitCode]).toEqual([
      expect.stringMatching(/^UB-1 already_exists {2}ORD-2026-000001 created /),
      0,
    ]);
    const lookups = await shop.lists(() => shop.import());
    expect(lookups).toBe(0);
    expect((await shop.run('settle')).exitCode).toBe(0);
  });

  it('is named when the results are cancelled, as they name one of the two', async () => {
    const shop = await startShop(['UB-1', 'UB-2'], 1);
    await shop.import();
    const reason = ['--reason', 'wrong day'];
    const { stderr } = await shop.run('cancel', '--from', shop.results, ...reason, '--yes');
    expect(stderr).toContain(
      'The service has several orders of UB-1; the file names one of each. To see those of UB-1, run:\n  merchant-orders list --external-order-id UB-1\n',
    );
    expect((await shop.run('list', '--external-order-id', 'UB-1')).stdout).toContain('ORD-2026-000002');
  });

  it.each<[string, PlainOptions['store']]>([
    ['has no time', ({ createdAt: _, ...order }) => order],
    [
      'has a time that contradicts the numbers',
      (order) => ({
        ...order,
        createdAt: order.orderNumber === 'ORD-2026-000001' ? '2027-01-01T00:00:00Z' : order.createdAt,
      }),
    ],
  ])('is compared by a person when it %s', async (_, store) => {
    const shop = await startShop(['UB-1'], 1, { store: store as NonNullable<PlainOptions['store']> });
    const { stderr, exitCode } = await shop.import();
    expect(stderr).toContain(
      'error: 1 order exists more than once.\nUB-1: compare them, and cancel all but one: merchant-orders list --external-order-id UB-1\n',
    );
    expect(exitCode).toBe(6);
  });

  it('is said by the next import, of another file and with another key, when its own run died', async () => {
    const shop = await startShop(['UB-1'], 1);
    await shop.import();
    const database = await openDatabase(join(shop.configDirectory, 'ledger.db'));
    // As the run would have left it.
    database.exec(`UPDATE orders SET copies = '{"numbers":[],"younger":[]}'`);
    database.close();
    const other = join(temporaryDirectory(), 'others.csv');
    writeFileSync(other, `${header}\nUB-7,99112233,TEA-001,NONE,500\n`);
    const env = { ...shop.service.env, MERCHANT_ORDERS_API_KEY: 'another-key' };
    const { configDirectory } = shop;
    const { stderr, exitCode } = await runCli(['import', other, '--yes'], { env, configDirectory });
    expect(stderr).toContain(`UB-1: ${twoOf(1, 2)}\n`);
    expect(stderr).toContain(
      `error: 1 order exists more than once.\nTo cancel the younger ones, run:\n  ${cancel(2)}\n`,
    );
    expect(exitCode).toBe(6);
  });

  it('is not one of another client with other content, which is only named', async () => {
    const shop = await startShop(['UB-1'], 1, {
      store: (order) => (order.orderNumber === 'ORD-2026-000002' ? order : { ...order, total: '7' }),
    });
    const { stderr, exitCode } = await shop.import();
    expect([shop.outcomes(), exitCode]).toEqual([
      ['UB-1 created  ORD-2026-000002 other orders have the same ID and other content: ORD-2026-000001'],
      0,
    ]);
    expect(stderr).not.toContain('cancel');
  });
});

describe('the same ID in another case, older than the first attempt', () => {
  it.each(['settle', 'import'])(
    'is a conflict after an attempt that stayed unknown, too: %s',
    async (name) => {
      const shop = await startShop(['ub-1'], 0, { foldsIds: true });
      const old = { id: 'S-1', orderNumber: 'ORD-2026-000009', externalOrderId: 'UB-1', total: '5' };
      const order = { ...old, collectionMode: 'NONE', createdAt: new Date().toISOString() };
      shop.service.orders.push(order);
      expect((await shop.import()).exitCode).toBe(8);
      order.createdAt = new Date(Date.now() - 20 * 60_000).toISOString();
      if (name === 'settle') {
        const settled = await shop.run('settle', '--json');
        expect(JSON.parse(settled.stdout).orders).toEqual([
          expect.objectContaining({ order: 'ub-1', outcome: 'conflict', orderNumber: 'ORD-2026-000009' }),
        ]);
      }
      const { exitCode } = await shop.import();
      expect([shop.outcomes()[0], exitCode]).toEqual([
        expect.stringMatching(/^ub-1 conflict content_changed ORD-2026-000009 .*different: total/),
        6,
      ]);
    },
  );
});
