import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorIn, temporaryDirectory } from '../../support/cli.ts';
import { runProgram, startProgram, startServedSandbox } from '../../support/program.ts';

function writeOrders(count: number): string {
  const path = join(temporaryDirectory(), 'orders.csv');
  writeFileSync(path, 'externalOrderId,customer.phone,items[].sku,collectionMode\n');
  for (let start = 0; start < count; start += 10_000) {
    const rows = Array.from({ length: 10_000 }, (_, index) => `A-${start + index},99112233,TEA-001,NONE\n`);
    appendFileSync(path, rows.slice(0, count - start).join(''));
  }
  return path;
}

async function serve() {
  const { baseUrl, apiKey, ledger } = await startServedSandbox('--latency', '30');
  return {
    env: { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: apiKey },
    committed: async () => (await ledger()).orders.length,
  };
}

/** The temporary files that a process has open, as paths below /proc. */
function temporaryFilesOf(process: number | undefined): string[] {
  const folder = `/proc/${process}/fd`;
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => {
      try {
        return /\/merchant-orders-[\w-]+ \(deleted\)$/.test(readlinkSync(path));
      } catch {
        return false;
      }
    });
}

describe.runIf(process.platform === 'linux')('the plan of an import', () => {
  it('is private, and gone when the import is killed while planning', async () => {
    const temporary = temporaryDirectory();
    const { env, committed } = await serve();
    const csv = writeOrders(200_000);
    const { child, ended } = startProgram(['import', csv, '--yes'], { env: { ...env, TMPDIR: temporary } });
    let files: string[] = [];
    while (files.length === 0) {
      await delay(5);
      files = temporaryFilesOf(child.pid);
    }
    expect(files.map((path) => statSync(path).mode & 0o777)).toEqual(files.map(() => 0o600));
    expect(readdirSync(temporary)).toEqual([]);
    child.kill('SIGKILL');
    await ended;
    expect([readdirSync(temporary), await committed()]).toEqual([[], 0]);
  });

  it('is gone when the import is killed while sending', async () => {
    const temporary = temporaryDirectory();
    const { env, committed } = await serve();
    const { child, ended } = startProgram(['import', writeOrders(300), '--yes'], {
      env: { ...env, TMPDIR: temporary },
    });
    while ((await committed()) === 0) await delay(20);
    expect(temporaryFilesOf(child.pid).length).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await ended;
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)(
    'that a full disk cannot hold ends the import before it sends',
    async () => {
      const disk = temporaryDirectory();
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
      onTestFinished(() => void spawnSync('umount', ['--lazy', disk]));
      const { env, committed } = await serve();
      const args = ['import', writeOrders(20_000), '--yes', '--json'];
      const { stderr, exitCode } = await runProgram(args, { env: { ...env, TMPDIR: disk } });
      const error = errorIn(stderr);
      expect([exitCode, error.code, error.outcome, await committed()]).toEqual([
        2,
        'file_not_writable',
        'not_sent',
        0,
      ]);
      expect(readdirSync(disk)).toEqual([]);
    },
  );
});
