import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { packageRoot, temporaryDirectory } from './support/cli.ts';
import { program, runProgram, startProgram, startServedSandbox } from './support/program.ts';

const cancelFlags = ['--reason', 'test', '--yes'];

/** A sandbox in another process, and commands that use it after `login --with-key`. */
async function startAndLogIn() {
  const served = await startServedSandbox();
  const configDirectory = temporaryDirectory();
  const run = (...args: string[]) => runProgram(args, { configDirectory });
  const login = (key: string) =>
    runProgram(['login', '--base-url', served.baseUrl, '--with-key'], { stdin: `${key}\n`, configDirectory });
  expect((await login(served.apiKey)).exitCode).toBe(0);
  const create = (externalOrderId: string, ...flags: string[]) =>
    run('create', '--external-order-id', externalOrderId, '--prepaid', '--json', ...flags);
  return { served, run, login, create, configDirectory };
}

const orderFlags = ['--phone', '99112233', '--item', 'TEA-001'];

describe('against sandbox start in another process', () => {
  it('creates, gets, lists with each filter and cancels once', async () => {
    const { run, create } = await startAndLogIn();
    const created = await create('UB-1', ...orderFlags);
    expect(created.exitCode).toBe(0);
    const { _outcome, ...order } = JSON.parse(created.stdout);
    expect(_outcome).toBe('created');
    expect(JSON.parse((await run('get', order.orderNumber, '--json')).stdout)).toEqual(order);
    await create('UB-2', '--phone', '88112233', '--item', 'TEA-001');
    for (const [flag, value] of [
      ['--external-order-id', 'UB-1'],
      ['--order-number', order.orderNumber],
      ['--customer-phone', '+97699112233'],
    ] as const) {
      const { orders } = JSON.parse((await run('list', flag, value, '--json')).stdout);
      expect([flag, orders]).toEqual([flag, [order]]);
    }
    const cancelled = await run('cancel', 'UB-1', ...cancelFlags, '--json');
    expect([JSON.parse(cancelled.stdout).status, cancelled.exitCode]).toEqual(['CANCELLED', 0]);
    const again = await run('cancel', 'UB-1', ...cancelFlags);
    expect([again.stderr.includes(' is already cancelled '), again.exitCode]).toEqual([true, 0]);
    const byStatus = JSON.parse(
      (await run('list', '--status', 'CANCELLED', '--created-from', 'yesterday', '--json')).stdout,
    );
    expect(byStatus.orders.map((found: { externalOrderId: string }) => found.externalOrderId)).toEqual([
      'UB-1',
    ]);
    const none = JSON.parse((await run('list', '--created-to', '2000-01-01', '--json')).stdout);
    expect(none.orders).toEqual([]);
  });

  it('exits with the code and error of each failure', async () => {
    const { served, run, create, configDirectory } = await startAndLogIn();
    const errorOf = async (result: ReturnType<typeof run>) => {
      const { stdout, stderr, exitCode } = await result;
      const { code, serviceCode, hint } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
      expect(stdout).toBe('');
      expect(hint).toMatch(/\w/);
      return [exitCode, code, serviceCode];
    };
    expect(await errorOf(run('get', 'UB-9', '--json'))).toEqual([3, 'order_not_found', undefined]);
    const phone = ['--phone', '99112233'];
    expect(await errorOf(create('UB-1', ...phone, '--item', 'NOPE'))).toEqual([
      5,
      'order_refused',
      'PRODUCT_SKU_NOT_FOUND',
    ]);
    expect(await errorOf(create('UB-1', ...phone, '--item', 'SEA-001'))).toEqual([
      5,
      'order_refused',
      'PRODUCT_SKU_INACTIVE',
    ]);
    expect(await errorOf(create('UB-1', '--phone', '99000000', '--item', 'TEA-001'))).toEqual([
      5,
      'order_refused',
      'CUSTOMER_PHONE_AMBIGUOUS',
    ]);
    const withKey = (key: string) =>
      runProgram(['create', '--external-order-id', 'UB-1', '--prepaid', ...orderFlags, '--json'], {
        configDirectory,
        env: { MERCHANT_ORDERS_API_KEY: key, MERCHANT_ORDERS_BASE_URL: served.baseUrl },
      });
    expect(await errorOf(withKey('sandbox_wrong'))).toEqual([4, 'key_refused', 'UNAUTHORIZED']);
    expect(await errorOf(withKey(served.readOnlyApiKey))).toEqual([4, 'permission_missing', 'SCOPE_MISSING']);
    expect(await served.stop()).toBe(0);
    expect(await errorOf(run('get', 'UB-1', '--json'))).toEqual([7, 'unreachable', undefined]);
    expect(await errorOf(create('UB-1', ...orderFlags))).toEqual([7, 'unreachable', undefined]);
  });

  it('shows requests with --verbose, but never the key', async () => {
    const { served, run } = await startAndLogIn();
    const { stdout, stderr } = await run('list', '--verbose');
    expect(stderr).toMatch(/^GET \/api\/v1\/merchant\/orders → 200 \(\d+ ms\)$/m);
    expect(stdout + stderr).not.toContain(served.apiKey);
  });
});

describe('Ctrl-C while reading standard input', () => {
  it.each([[['import', '-', '--dry-run']], [['create', '--file', '-', '--dry-run']]])(
    'stops %j',
    async (args) => {
      const { child, ended } = startProgram(args, { stdin: null });
      // A pipe holds less: when it has drained, the program is reading.
      child.stdin?.write('x'.repeat(1024 * 1024));
      if (child.stdin) await once(child.stdin, 'drain');
      child.kill('SIGINT');
      const { exitCode, stderr } = await ended;
      expect([exitCode, stderr]).toEqual([130, 'Stopped before anything was sent.\n']);
    },
  );
});

describe('Ctrl-C in an import', () => {
  it('waits for orders in flight, and the same command completes the import', async () => {
    const served = await startServedSandbox('--latency', '100');
    const configDirectory = temporaryDirectory();
    const login = ['login', '--base-url', served.baseUrl, '--with-key'];
    await runProgram(login, { stdin: served.apiKey, configDirectory });
    const csv = join(temporaryDirectory(), 'orders.csv');
    copyFileSync(new URL('fixtures/orders.csv', packageRoot), csv);
    const command = ['import', csv, '--yes', '--json', '--concurrency', '16'];

    const running = startProgram(command, { configDirectory });
    while ((await served.ledger()).orders.length < 10);
    running.child.kill('SIGINT');
    const stopped = await running.ended;
    const { orders } = JSON.parse(stopped.stdout);
    expect(stopped.exitCode).toBe(130);
    expect(stopped.stderr).not.toContain('Warning');
    expect(orders.unknown).toBe(0);
    expect(orders.not_sent).toBeGreaterThan(0);
    expect(orders.created + orders.not_sent).toBe(264);
    expect((await served.ledger()).orders).toHaveLength(orders.created);

    const again = await runProgram(command, { configDirectory });
    const finished = JSON.parse(again.stdout).orders;
    expect([again.exitCode, finished.already_exists, finished.created]).toEqual([
      0,
      orders.created,
      orders.not_sent,
    ]);
    const commits = (await served.ledger()).orders.map((order) => order.commits);
    expect(commits).toEqual(Array(264).fill(1));
  });
});

describe('an output that cannot be written', () => {
  const toFullDisk = (args: string[], configDirectory: string) =>
    promisify(execFile)('sh', ['-c', '"$0" "$@" > /dev/full', process.execPath, program, ...args], {
      env: { ...process.env, MERCHANT_ORDERS_CONFIG_DIR: configDirectory },
    }).then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => error,
    );

  it('is reported after the import', async () => {
    const configDirectory = temporaryDirectory();
    const csv = join(temporaryDirectory(), 'orders.csv');
    copyFileSync(new URL('fixtures/orders.csv', packageRoot), csv);
    const { code, stderr } = await toFullDisk(
      ['import', csv, '--sandbox', '--yes', '--format', 'ndjson'],
      configDirectory,
    );
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'output_not_writable',
      message: expect.stringMatching(/^Standard output could not be written: .*ENOSPC/),
    });
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(code).toBe(1);
    const results = readFileSync(csv.replace('.csv', '.results.csv'), 'utf8');
    expect(results.match(/,created,/g)).toHaveLength(264);
  });
});

describe('sandbox start', () => {
  it('reports a port in use', async () => {
    const served = await startServedSandbox();
    const port = new URL(served.baseUrl).port;
    const { stderr, exitCode } = await runProgram(['sandbox', 'start', '--port', port, '--db', ':memory:']);
    expect(stderr).toContain(`Port ${port} is in use.`);
    expect(exitCode).toBe(2);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends with 0 at %s, and says where the orders are',
    async (signal) => {
      const path = join(temporaryDirectory(), 'shop.db');
      const { child, ended } = startProgram(['sandbox', 'start', '--port', '0', '--db', path]);
      await new Promise<void>((resolve) => {
        child.stderr?.on('data', (chunk) => String(chunk).includes('Press Ctrl-C') && resolve());
      });
      child.kill(signal);
      const { stderr, exitCode } = await ended;
      expect([exitCode, stderr.split('\n').slice(-2)]).toEqual([
        0,
        [`The sandbox has stopped. Its orders are in ${path}.`, ''],
      ]);
    },
  );
});

describe('a sandbox database that cannot be used', () => {
  it('is reported', async () => {
    const configDirectory = temporaryDirectory();
    const path = join(configDirectory, 'sandbox.db');
    writeFileSync(path, 'this was never a database, and it is long enough to be looked at as one'.repeat(20));
    const { stderr, exitCode } = await runProgram(['list', '--sandbox'], { configDirectory });
    expect(stderr).toBe(
      `error: The sandbox database ${path} cannot be used: file is not a database.\n` +
        'It contains only rehearsal orders: move it away, then run the same command again.\n' +
        '  merchant-orders list --sandbox\n',
    );
    expect(exitCode).toBe(2);
  });
});

describe('the embedded sandbox', () => {
  it('keeps orders until it is reset', async () => {
    const configDirectory = temporaryDirectory();
    const run = (...args: string[]) => runProgram([...args, '--sandbox', '--json'], { configDirectory });
    await run('create', '--external-order-id', 'UB-1', '--prepaid', ...orderFlags);
    expect(JSON.parse((await run('get', 'UB-1')).stdout).externalOrderId).toBe('UB-1');
    expect(JSON.parse((await run('sandbox', 'info')).stdout)).toMatchObject({
      service: 'SANDBOX',
      orders: 1,
    });
    expect((await run('sandbox', 'reset')).exitCode).toBe(0);
    expect((await run('get', 'UB-1')).exitCode).toBe(3);
  });
});
