import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { packageRoot, temporaryDirectory } from './support/cli.ts';
import { program, runProgram, startProgram, startServedSandbox } from './support/program.ts';

const orderFlags = ['--phone', '99112233', '--item', 'TEA-001'];

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
