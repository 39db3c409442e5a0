import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorIn, temporaryDirectory } from '../../support/cli.ts';
import { runProgram, startProgram, startServedSandbox } from '../../support/program.ts';
import { noOrders } from './setup.ts';

const orders = 300;

function writeOrders(folder: string): string {
  const rows = Array.from({ length: orders }, (_, index) => `A-${index},99112233,TEA-001,NONE\n`);
  const path = join(folder, 'orders.csv');
  writeFileSync(path, `externalOrderId,customer.phone,items[].sku,collectionMode\n${rows.join('')}`);
  return path;
}

/** A file system in memory; only root can mount one. */
function mountDisk(): string {
  const disk = temporaryDirectory();
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', disk]);
  onTestFinished(() => void spawnSync('umount', ['--lazy', disk]));
  return disk;
}

async function serve() {
  const { baseUrl, apiKey, ledger } = await startServedSandbox('--latency', '30');
  const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: apiKey };
  return { env, committed: async () => (await ledger()).orders.length };
}

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('a disk that fills up', () => {
  it.each([
    ['once', false, { results: 'orders.results.csv', code: 'ledger_not_writable' }],
    ['again and again', true, { results: null, code: 'ledger_not_writable' }],
  ])('does not hide what an import did: %s', async (_, isFilledAgain, expected) => {
    const disk = mountDisk();
    const csv = writeOrders(disk);
    const configDirectory = join(disk, 'configuration');
    mkdirSync(configDirectory, { mode: 0o700 });
    const { env, committed } = await serve();
    const { child, ended } = startProgram(['import', csv, '--yes', '--json'], { env, configDirectory });
    while ((await committed()) === 0) await delay(20);
    const filler = join(disk, 'filler');
    // What it frees while the disk is filled would be filled as well.
    if (!isFilledAgain) child.kill('SIGSTOP');
    const isFull = () => {
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(4096));
      } catch {
        return true;
      }
    };
    while (isFull() && isFilledAgain && child.exitCode === null) await delay(1);
    child.kill('SIGCONT');
    const { stdout, stderr, exitCode } = await ended;
    const summary = JSON.parse(stdout);
    const error = errorIn(stderr);
    expect([exitCode, error.code, summary.results]).toEqual([
      7,
      expected.code,
      expected.results && join(disk, expected.results),
    ]);
    const created = await committed();
    expect(summary.orders).toEqual({ ...noOrders, total: orders, created, not_sent: orders - created });
    expect(error.message.includes(`${created} orders were created`)).toBe(isFilledAgain);

    rmSync(filler);
    const run = (args: string[]) => runProgram(args, { env, configDirectory });
    const { imports } = JSON.parse((await run(['imports', '--json'])).stdout);
    // The ledger had room for the outcomes, unless something else took it at once.
    if (!isFilledAgain) expect(imports[0].orders).toEqual(summary.orders);
    const { created: listed, unknown } = imports[0].orders;
    expect(listed <= created && created <= listed + unknown).toBe(true);
    const again = await run(['import', csv, '--yes', '--json']);
    expect([again.exitCode, await committed()]).toEqual([0, orders]);
  });
});
