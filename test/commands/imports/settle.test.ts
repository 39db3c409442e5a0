import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createInterruption } from '../../support/cli.ts';
import { startProgram } from '../../support/program.ts';
import { rowsOf } from '../import/setup.ts';
import { failList, loseRequests, loseResponses, outputOf, startShop } from './setup.ts';

/** Runs an import with these faults, which leave orders open, and then clears the faults. */
async function startWithOpenOrders(...lost: object[]) {
  const shop = await startShop(3);
  await shop.setFaults(...lost, failList);
  expect((await shop.import()).exitCode).toBe(8);
  await shop.clearFaults();
  const { run: id } = await shop.newest();
  const settle = (...flags: string[]) => shop.run(['imports', 'settle', id, ...flags]);
  return { ...shop, id, settle };
}

describe('imports settle', () => {
  it('finds orders whose responses were lost, and sends nothing', async () => {
    const shop = await startWithOpenOrders(loseResponses('UB-1'), loseResponses('UB-3'));
    const { id, settle, committed, newest, results } = shop;
    expect(await committed()).toBe(3);
    expect(outputOf(await settle())).toEqual({
      stdout: 'outcome\torders\ncreated\t2\ntotal\t2\n',
      stderr: `To write its results, run: merchant-orders imports results ${id}\n`,
      exitCode: 0,
    });
    const { orders, ended } = await newest();
    expect([orders.created, orders.unknown, ended]).toEqual([3, 0, 'outcomes unknown']);
    expect(outputOf(await settle())).toEqual({
      stdout: 'outcome\torders\ntotal\t0\n',
      stderr: 'No order of this import has an unknown outcome.\n',
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

  it('leaves the comparison of contents to the next import', async () => {
    const shop = await startWithOpenOrders(loseResponses('UB-2'));
    await shop.settle();
    writeFileSync(shop.csv, readFileSync(shop.csv, 'utf8').replaceAll('99112233', '88112233'));
    const { stdout, exitCode } = await shop.import();
    expect([stdout, exitCode]).toEqual(['outcome\torders\nconflict\t3\ntotal\t3\n', 6]);
  });

  it('waits until the absence is proven; then the same import sends the order with its key', async () => {
    const { id, settle, letAnHourPass, csv, results, ...shop } = await startWithOpenOrders(
      loseRequests('UB-2'),
    );
    const [, before] = rowsOf(results);
    const early = await settle('--json');
    const { run, orders, open } = JSON.parse(early.stdout);
    expect({ run, orders, open, exitCode: early.exitCode }).toEqual({
      run: id,
      exitCode: 8,
      orders: { total: 1, created: 0, cancelled: 0, rejected: 0, absent: 0, unknown: 1 },
      open: [
        {
          externalOrderId: 'UB-2',
          idempotencyKey: before?.idempotency_key,
          outcome: 'unknown',
          code: 'too_early',
          provableAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        },
      ],
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
          'Run the same command again in \\1\\. Importing the same file settles them too, and creates none twice\\.',
          `  merchant-orders imports settle ${id}\n$`,
        ].join('\n'),
      ),
    );
    await letAnHourPass();
    expect(outputOf(await settle())).toEqual({
      stdout: 'outcome\torders\nabsent\t1\ntotal\t1\n',
      stderr: [
        `1 order was definitely not created. To send it, run the same import again, with the same flags: merchant-orders import ${csv}`,
        `To write its results, run: merchant-orders imports results ${id}`,
        '',
      ].join('\n'),
      exitCode: 0,
    });
    expect((await shop.import()).exitCode).toBe(0);
    expect(rowsOf(results)[1]).toMatchObject({
      outcome: 'created',
      idempotency_key: before?.idempotency_key,
      created_by_run: id,
    });
    expect(await shop.committed()).toBe(3);
  });

  it('recognizes an order that was cancelled in the meantime', async () => {
    const { settle, run, ...shop } = await startWithOpenOrders(loseResponses('UB-2'));
    await run(['cancel', 'UB-2', '--reason', 'sold out', '--yes']);
    expect(
      (await settle('--format', 'ndjson')).stdout.split('\n').map((line) => line && JSON.parse(line)),
    ).toEqual([
      expect.objectContaining({ externalOrderId: 'UB-2', outcome: 'cancelled' }),
      expect.objectContaining({ orders: expect.objectContaining({ total: 1, cancelled: 1 }), open: [] }),
      '',
    ]);
    expect((await shop.import()).stdout).toBe('outcome\torders\nalready_exists\t2\nconflict\t1\ntotal\t3\n');
    expect(rowsOf(shop.results)[1]?.code).toBe('order_cancelled');
  });

  it('reports why the orders cannot be looked up', async () => {
    const { id, run, setFaults, sandbox } = await startWithOpenOrders(loseResponses('UB-2'));
    const settle = async (env: Record<string, string> = {}) => {
      const { stdout, stderr, exitCode } = await run(['imports', 'settle', id, '--json'], { env });
      return [stdout, JSON.parse(stderr).error.code, exitCode];
    };
    expect(await settle({ MERCHANT_ORDERS_API_KEY: '' })).toEqual(['', 'no_key', 4]);
    const deny = (status: number) => ({ ...failList, do: { kind: 'status', status } });
    await setFaults(deny(401));
    expect(await settle()).toEqual(['', 'key_refused', 4]);
    await setFaults(deny(403));
    expect(await settle()).toEqual(['', 'permission_missing', 4]);
    await setFaults(deny(503));
    expect(await settle()).toEqual(['', 'unreachable', 7]);
    await sandbox.stop();
    const [stdout, , exitCode] = await settle();
    expect([stdout, exitCode]).toEqual(['', 2]);
  });

  it('stops at Ctrl-C', async () => {
    const { id, run } = await startWithOpenOrders(loseResponses('UB-2'));
    const interruption = createInterruption();
    interruption.send('SIGINT');
    expect(outputOf(await run(['imports', 'settle', id], { interruption }))).toEqual({
      stdout: 'outcome\torders\nunknown\t1\ntotal\t1\n',
      stderr: [
        'UB-2: it was not looked up',
        'It is not yet known whether 1 order was created: UB-2.',
        'Run the same command again later. Importing the same file settles them too, and creates none twice.',
        `  merchant-orders imports settle ${id}`,
        '',
      ].join('\n'),
      exitCode: 130,
    });
  });

  it('names twenty orders that are still open, and counts the others', async () => {
    const { run, change, newest, ...shop } = await startShop(22);
    await shop.import();
    await change("UPDATE orders SET state = 'unknown', unknown_at = updated_at");
    const interruption = createInterruption();
    interruption.send('SIGINT');
    const { stderr } = await run(['imports', 'settle', (await newest()).run], { interruption });
    expect(stderr).toMatch(/^(?:UB-\d+: it was not looked up\n){20}and 2 more\nIt is not yet known /);
  });

  it('requires the key that sent the orders', async () => {
    const { id, run, post, requests, sandbox } = await startWithOpenOrders(loseResponses('UB-2'));
    const { apiKey } = (await post('/keys', { client: 'other' })).json;
    const before = requests();
    const settled = await run(['imports', 'settle', id], { env: { MERCHANT_ORDERS_API_KEY: apiKey } });
    expect(outputOf(settled)).toEqual({
      stdout: '',
      stderr: `error: Import ${id} was sent to sandbox ${sandbox.identity} with another API key.\nUse that key: name its profile with --profile, or set MERCHANT_ORDERS_API_KEY and MERCHANT_ORDERS_BASE_URL.\n`,
      exitCode: 2,
    });
    expect(requests()).toBe(before);
  });

  it('requires the service that received the orders', async () => {
    const { id, run, sandbox } = await startWithOpenOrders(loseResponses('UB-2'));
    const other = await startShop();
    expect(outputOf(await run(['imports', 'settle', id], { env: other.env }))).toEqual({
      stdout: '',
      stderr: [
        `error: Import ${id} was sent to sandbox ${sandbox.identity}, but this is sandbox ${other.sandbox.identity}.`,
        'Use that sandbox. If it was reset or is not running, its orders cannot be looked up. See: merchant-orders sandbox info',
        '',
      ].join('\n'),
      exitCode: 2,
    });
    expect(other.requests()).toBe(0);
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
    expect(outputOf(await run(['imports', 'settle', running.run]))).toEqual({
      stdout: 'outcome\torders\nunknown\t1\ntotal\t1\n',
      stderr: [
        'UB-3: it is being sent right now',
        'error: It is not yet known whether 1 order was created: UB-3.',
        'Run the same command again later. Importing the same file settles them too, and creates none twice.',
        `  merchant-orders imports settle ${running.run}`,
        '',
      ].join('\n'),
      exitCode: 8,
    });

    child.kill('SIGKILL');
    await ended;
    const { run: id, orders, ...died } = await newest();
    expect([died.ended, died.endedAt, died.exitCode]).toEqual(['died', null, null]);
    expect(orders).toMatchObject({ total: 5, created: 2, unknown: 1, not_sent: 2 });
    expect((await run(['imports', 'settle', id])).stdout).toBe('outcome\torders\ncreated\t1\ntotal\t1\n');
    expect((await newest()).orders).toMatchObject({ total: 5, created: 3, unknown: 0, not_sent: 2 });
    const { stdout } = await run(['imports', 'results', id, '--results', '-']);
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
