import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/system/sqlite.ts';
import { lost, startStubService } from '../../api/stub-service.ts';
import { errorIn, runCli, temporaryDirectory } from '../../support/cli.ts';
import { startProgram } from '../../support/program.ts';
import { rowsOf } from '../import/setup.ts';
import { failList, loseRequests, loseResponses, outputOf, startShop } from '../imports/setup.ts';

/** Runs an import with these faults, which leave orders open, and then clears the faults. */
async function startWithOpenOrders(...lost: object[]) {
  const shop = await startShop(3);
  await shop.setFaults(...lost, failList);
  expect((await shop.import()).exitCode).toBe(8);
  await shop.clearFaults();
  const { run: id } = await shop.newest();
  const settle = (...flags: string[]) => shop.run(['settle', id, ...flags]);
  return { ...shop, id, settle };
}

const tableOf = (...rows: string[][]) =>
  [['order', 'operation', 'outcome', 'orderNumber', 'run'], ...rows]
    .map((row) => `${row.join('\t')}\n`)
    .join('');
const number = (sequence: number) => `ORD-${new Date().getFullYear()}-${String(sequence).padStart(6, '0')}`;

describe('settle', () => {
  it('finds orders whose responses were lost, and sends nothing', async () => {
    const shop = await startWithOpenOrders(loseResponses('UB-1'), loseResponses('UB-3'));
    const { id, settle, committed, newest, results } = shop;
    expect(await committed()).toBe(3);
    expect(outputOf(await settle())).toEqual({
      stdout: tableOf(
        ['UB-1', 'import', 'created', number(1), id],
        ['UB-3', 'import', 'created', number(3), id],
      ),
      stderr: expect.stringMatching(
        new RegExp(
          [
            `^UB-1 was created:\n  .*${number(1)}  UB-1  99112233  already paid  CONFIRMED`,
            `UB-3 was created:\n  .*${number(3)}  UB-3  99112233  already paid  CONFIRMED`,
            'Whether they have the content that was sent is not known: .*',
            `To print the results of its import, run:\n  merchant-orders imports show ${id} --format csv\n$`,
          ].join('\n'),
        ),
      ),
      exitCode: 0,
    });
    const { orders, ended } = await newest();
    expect([orders.created, orders.unknown, ended]).toEqual([3, 0, 'outcomes unknown']);
    expect(outputOf(await settle())).toEqual({
      stdout: tableOf(),
      stderr: 'There is no order whose outcome is unknown.\n',
      exitCode: 0,
    });
    const { post } = shop;
    const checks = { checks: ['exactlyOnce'], externalOrderIds: ['UB-1', 'UB-2', 'UB-3'] };
    expect((await post('/assert', checks)).json.passed).toBe(true);

    const again = await shop.import();
    expect([again.stdout, again.exitCode]).toEqual(['outcome\torders\nalready_exists\t3\ntotal\t3\n', 0]);
    expect(rowsOf(results).map((row) => row.created_by_run)).toEqual([id, id, id]);
    expect(await committed()).toBe(3);
  });

  it('waits until the absence is proven; then the same import sends the order with its key', async () => {
    const { id, settle, letAnHourPass, csv, results, ...shop } = await startWithOpenOrders(
      loseRequests('UB-2'),
    );
    const [, before] = rowsOf(results);
    for (const command of [['get'], ['cancel', '--yes', '--reason', 'late']]) {
      const { stderr } = await shop.run([...command, 'UB-2']);
      expect(stderr).toBe(
        'error: There is no order UB-2.\nIt was sent before, and it is not known whether it was created. To find out, run:\n  merchant-orders settle UB-2\n',
      );
    }
    const early = await settle('--json');
    expect({ ...JSON.parse(early.stdout), exitCode: early.exitCode }).toEqual({
      orders: [{ order: 'UB-2', operation: 'import', outcome: 'unknown', orderNumber: null, run: id }],
      exitCode: 8,
    });
    const [note, error = ''] = early.stderr.split('\n');
    expect(note).toMatch(
      /^UB-2: it does not exist yet, and the last request may still create it for \d+ minutes$/,
    );
    expect(JSON.parse(error)).toEqual({
      error: {
        code: 'outcome_unknown',
        message: 'It is not yet known whether 1 order was created: UB-2.',
        hint: expect.stringContaining('Run the same command again in'),
        exitCode: 8,
        outcome: 'unknown',
      },
    });
    expect((await settle()).stderr).toMatch(
      new RegExp(
        [
          '^UB-2: it does not exist yet, and the last request may still create it for (\\d+ minutes)',
          'error: It is not yet known whether 1 order was created: UB-2\\.',
          'Run the same command again in \\1\\. Creating or importing the same order under the same ID settles it too, and never creates it twice\\.',
          `  merchant-orders settle ${id}\n$`,
        ].join('\n'),
      ),
    );
    await letAnHourPass();
    expect(outputOf(await settle())).toEqual({
      stdout: tableOf(['UB-2', 'import', 'not_found', '', id]),
      stderr: [
        `1 order was not created. To send it, run the same import again, with the same flags:\n  merchant-orders import ${csv}`,
        `To print the results of its import, run:\n  merchant-orders imports show ${id} --format csv`,
        '',
      ].join('\n'),
      exitCode: 0,
    });
    expect((await shop.newest()).orders).toMatchObject({ total: 3, created: 2, unknown: 0, not_sent: 1 });
    const { stdout } = await shop.run(['imports', 'show', id, '--format', 'csv']);
    expect(stdout).toContain('3,UB-2,not_sent,,,,not_found,');
    expect((await shop.import()).exitCode).toBe(0);
    expect(rowsOf(results)[1]).toMatchObject({
      outcome: 'created',
      idempotency_key: before?.idempotency_key,
      created_by_run: (await shop.newest()).run,
    });
    expect(await shop.committed()).toBe(3);
  });

  it('recognizes an order that was cancelled in the meantime', async () => {
    const { settle, run, ...shop } = await startWithOpenOrders(loseResponses('UB-2'));
    await run(['cancel', 'UB-2', '--reason', 'sold out', '--yes']);
    const { stdout, stderr } = await settle('--format', 'ndjson');
    expect(stdout.split('\n').map((line) => line && JSON.parse(line))).toEqual([
      expect.objectContaining({ order: 'UB-2', outcome: 'cancelled', orderNumber: number(2) }),
      '',
    ]);
    expect(stderr).toMatch(
      /^UB-2 was created and is cancelled:\n .*UB-2 {2}99112233 {2}already paid {2}CANCELLED$/m,
    );
    expect((await shop.import()).stdout).toBe('outcome\torders\nalready_exists\t2\nconflict\t1\ntotal\t3\n');
    expect(rowsOf(shop.results)[1]?.code).toBe('order_cancelled');
  });

  it('reports why the orders cannot be looked up', async () => {
    const { id, run, setFaults, sandbox } = await startWithOpenOrders(loseResponses('UB-2'));
    const settle = async (env: Record<string, string> = {}) => {
      const { stdout, stderr, exitCode } = await run(['settle', id, '--json'], { env });
      return [stdout, errorIn(stderr).code, exitCode];
    };
    expect(await settle({ MERCHANT_ORDERS_API_KEY: '' })).toEqual(['', 'no_key', 4]);
    const deny = (status: number) => ({ ...failList, do: { kind: 'status', status } });
    const unknown = { order: 'UB-2', operation: 'import', outcome: 'unknown', orderNumber: null, run: id };
    for (const status of [401, 403, 404, 503]) {
      await setFaults(deny(status));
      const [stdout = '', code, exitCode] = await settle();
      expect([JSON.parse(`${stdout}`).orders, code, exitCode]).toEqual([[unknown], 'outcome_unknown', 8]);
    }
    expect((await run(['settle', id])).stderr.match(/Run the same command again/g)).toHaveLength(1);
    // What the ledger knows needs no lookup.
    const known = await run(['settle', 'UB-1', '--json']);
    expect([JSON.parse(known.stdout).orders[0].outcome, known.exitCode]).toEqual(['created', 0]);
    await sandbox.stop();
    expect(await settle()).toEqual(['', 'unreachable', 7]);
  });

  it('requires a key of the merchant that sent the orders', async () => {
    const { id, run, post } = await startWithOpenOrders(loseResponses('UB-2'));
    const { apiKey } = (await post('/keys', { client: 'of_other_merchant' })).json;
    const settled = await run(['settle', id], { env: { MERCHANT_ORDERS_API_KEY: apiKey } });
    expect([settled.stdout, settled.exitCode]).toEqual(['', 2]);
    expect(settled.stderr).toContain(`error: This machine has sent no order ${id} with this key.\n`);
  });

  it('requires the service that received the orders', async () => {
    const { id, run } = await startWithOpenOrders(loseResponses('UB-2'));
    const other = await startShop();
    const settled = await run(['settle', id], { env: other.env });
    expect([settled.stdout, settled.exitCode]).toEqual(['', 2]);
    expect(settled.stderr).toContain(`error: This machine has sent no order ${id} with this key.\n`);
    expect(await other.committed()).toBe(0);
  });
});

describe('settle without arguments', () => {
  const createArgs = [
    'create',
    '--external-order-id',
    'MO-1',
    '--phone',
    '99112233',
    '--item',
    'TEA-1',
    '--prepaid',
  ];

  it('settles what create and imports left unknown', async () => {
    const { run, setFaults, clearFaults, id } = await startWithOpenOrders(loseResponses('UB-2'));
    await setFaults(loseResponses('MO-1'), failList);
    expect((await run(createArgs)).exitCode).toBe(8);
    await clearFaults();
    const { stdout, exitCode } = await run(['settle', '--json']);
    const { orders } = JSON.parse(stdout) as { orders: { order: string }[] };
    expect({ orders: orders.sort((one, other) => one.order.localeCompare(other.order)) }).toEqual({
      orders: [
        {
          order: 'MO-1',
          operation: 'create',
          outcome: 'created',
          orderNumber: number(4),
          run: expect.stringMatching(/^[0-9a-f]{8}$/),
        },
        { order: 'UB-2', operation: 'import', outcome: 'created', orderNumber: number(2), run: id },
      ],
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse((await run(['settle', '--json'])).stdout)).toEqual({ orders: [] });
  });

  it('closes an order that was never created, and its own command sends it under the same key', async () => {
    const { run, setFaults, clearFaults, letAnHourPass, post, get } = await startShop(0);
    await setFaults(loseRequests('MO-1'), failList);
    const lost = await run([...createArgs, '--json']);
    const { idempotencyKey } = errorIn(lost.stderr);
    await clearFaults();
    expect((await run(['settle', 'MO-1'])).exitCode).toBe(8);
    await letAnHourPass();
    const { stdout, stderr, exitCode } = await run(['settle', 'MO-1']);
    expect([stdout.split('\n')[1]?.split('\t').slice(0, 3), exitCode]).toEqual([
      ['MO-1', 'create', 'not_found'],
      0,
    ]);
    expect(stderr).toBe(
      'MO-1 was not created. To create it, run:\n  merchant-orders create --external-order-id MO-1\n',
    );
    const again = await run([...createArgs, '--json', '--verbose']);
    expect([JSON.parse(again.stdout).externalOrderId, again.exitCode]).toEqual(['MO-1', 0]);
    const { requests } = (await get('/requests')).json;
    const sent = requests.filter(({ method }: { method: string }) => method === 'POST');
    expect(new Set(sent.map((request: { idempotencyKey: string }) => request.idempotencyKey))).toEqual(
      new Set([idempotencyKey]),
    );
    const checks = { checks: ['exactlyOnce'], externalOrderIds: ['MO-1'] };
    expect((await post('/assert', checks)).json).toMatchObject({ passed: true });
  });

  it('names what it does not know', async () => {
    const { run, newest } = await startWithOpenOrders(loseResponses('UB-2'));
    const unknown = await run(['settle', 'UB-2', 'UB-77']);
    expect(outputOf(unknown)).toEqual({
      stdout: '',
      stderr:
        'error: This machine has sent no order UB-77 with this key.\n' +
        'Name an external order ID or the ID of an import, or run:\n  merchant-orders settle\n',
      exitCode: 2,
    });
    expect((await newest()).orders.unknown).toBe(1);
  });

  it.each([
    ['older', 86_400_000, 'conflict', 'F-1 is the ID of an older order:'],
    ['new', 1000, 'created', 'F-1 was created:'],
  ])('takes only an order that is not older for the one that was sent: %s', async (_, age, outcome, note) => {
    const found = {
      id: '5c1b2a90-0000-4000-8000-000000000001',
      orderNumber: 'ORD-2026-000009',
      externalOrderId: 'F-1',
      customer: { phone: '88887777' },
      createdAt: new Date(Date.now() - age).toISOString(),
    };
    let isAway = true;
    const { baseUrl } = await startStubService(({ method }) =>
      method === 'POST' ? lost : isAway ? { status: 500, json: {} } : { json: { data: [found], total: 1 } },
    );
    const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: 'key-of-a-shop' };
    const configDirectory = temporaryDirectory();
    const args = ['create', '--external-order-id', 'F-1', ...createArgs.slice(3), '--yes', '--timeout', '2'];
    expect((await runCli(args, { env, configDirectory })).exitCode).toBe(8);
    isAway = false;
    const { stdout, stderr, exitCode } = await runCli(['settle', '--json'], { env, configDirectory });
    expect([JSON.parse(stdout).orders[0].outcome, exitCode]).toEqual([outcome, 0]);
    expect(stderr).toContain(note);
    const ledger = await openDatabase(join(configDirectory, 'ledger.db'));
    const { run } = ledger.prepare('SELECT run FROM orders').get() as { run: string };
    ledger.close();
    // An undo cancels only what a run created.
    expect(run === '').toBe(outcome === 'conflict');
  });

  it('does not take it for proof that another key of the same address does not find an order', async () => {
    let apiKey = 'key-1';
    let isThere = false;
    const found = { id: '5c1b2a90-0000-4000-8000-000000000001', externalOrderId: 'F-1' };
    const { baseUrl } = await startStubService(({ method, query }) => {
      if (method === 'POST') return lost;
      if (apiKey === 'key-1') return { status: 500, json: {} };
      return { json: { data: isThere && query.externalOrderId === 'F-1' ? [found] : [] } };
    });
    const configDirectory = temporaryDirectory();
    const run = (args: string[]) => {
      const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: apiKey };
      return runCli(args, { env, configDirectory });
    };
    const args = ['create', '--external-order-id', 'F-1', ...createArgs.slice(3), '--yes', '--timeout', '2'];
    expect((await run(args)).exitCode).toBe(8);
    apiKey = 'key-2';
    const ledger = await openDatabase(join(configDirectory, 'ledger.db'));
    ledger.exec('UPDATE orders SET unknown_at = unknown_at - 3600000');
    ledger.close();
    const before = await run(['settle', '--json']);
    expect([JSON.parse(before.stdout).orders[0], before.exitCode]).toMatchObject([{ outcome: 'unknown' }, 8]);
    isThere = true;
    const after = await run(['settle', '--json']);
    expect([JSON.parse(after.stdout).orders[0], after.exitCode]).toMatchObject([{ outcome: 'created' }, 0]);
  });

  it('settles what another key of the same merchant left unknown', async () => {
    const { run, post, id } = await startWithOpenOrders(loseResponses('UB-2'));
    const { apiKey } = (await post('/keys', { client: 'other' })).json;
    const { stdout, exitCode } = await run(['settle', '--json'], {
      env: { MERCHANT_ORDERS_API_KEY: apiKey },
    });
    expect([JSON.parse(stdout).orders, exitCode]).toEqual([
      [{ order: 'UB-2', operation: 'import', outcome: 'created', orderNumber: number(2), run: id }],
      0,
    ]);
  });
});

describe('an import that was killed', () => {
  it('is shown as running before the kill and can be settled after it', async () => {
    const shop = await startShop(5);
    const { csv, env, configDirectory, newest, run, setFaults, committed } = shop;
    await setFaults({
      match: { route: 'create', externalOrderId: 'UB-3' },
      when: 'after_commit',
      do: { kind: 'stall' },
    });
    const args = ['import', csv, '--yes', '--concurrency', '1'];
    const { child, ended } = startProgram(args, { env, configDirectory });
    onTestFinished(() => void child.kill('SIGKILL'));
    while ((await committed()) < 3) await new Promise(setImmediate);

    const running = await newest();
    expect([running.ended, running.orders]).toMatchObject(['running', { total: 5, unknown: 1 }]);
    expect(outputOf(await run(['settle', running.run]))).toEqual({
      stdout: tableOf(['UB-3', 'import', 'unknown', '', running.run]),
      stderr: [
        'UB-3: it is being sent right now',
        'error: It is not yet known whether 1 order was created: UB-3.',
        'Run the same command again later. Creating or importing the same order under the same ID settles it too, and never creates it twice.',
        `  merchant-orders settle ${running.run}`,
        '',
      ].join('\n'),
      exitCode: 8,
    });

    child.kill('SIGKILL');
    await ended;
    const { run: id, orders, ...died } = await newest();
    expect([died.ended, died.endedAt, died.exitCode]).toEqual(['died', null, null]);
    expect(orders).toMatchObject({ total: 5, created: 2, unknown: 1, not_sent: 2 });
    expect((await run(['settle', id])).stdout).toBe(tableOf(['UB-3', 'import', 'created', number(3), id]));
    expect((await newest()).orders).toMatchObject({ total: 5, created: 3, unknown: 0, not_sent: 2 });
    const { stdout } = await run(['imports', 'show', id, '--format', 'csv']);
    expect(stdout.split('\n').map((line) => line.split(',').slice(0, 3).join())).toEqual([
      ...['row,external_order_id,outcome', '2,UB-1,created', '3,UB-2,created', '0,UB-3,created', ''],
    ]);
    await shop.clearFaults();
    const again = await shop.import();
    expect([again.stdout, again.exitCode]).toEqual([
      ...['outcome\torders\ncreated\t2\nalready_exists\t3\ntotal\t5\n', 0],
    ]);
    expect(await committed()).toBe(5);
  });
});
