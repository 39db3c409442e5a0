import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { program, startServedSandbox } from '../support/program.ts';

const longestMilliseconds = 60_000;

/** Runs the built program with at most so many open files; null when it does not end. */
async function runWith(files: number, args: readonly string[], cwd: string, env: Record<string, string>) {
  const limited = `ulimit -n ${files}; exec "$0" "$@"`;
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('MERCHANT_ORDERS_'));
  const child = spawn('sh', ['-c', limited, process.execPath, program, ...args], {
    cwd,
    env: { ...Object.fromEntries(clean), MERCHANT_ORDERS_CONFIG_DIR: join(cwd, 'configuration'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longestMilliseconds,
    killSignal: 'SIGKILL',
  });
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (texts.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (texts.stderr += String(chunk)));
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { ...texts, exitCode };
}

const count = 30;
/** With fewer, Node.js itself does not start. */
const limits = [19, 21, 24, 29, 33, 43, 46, 50, 80];

describe.skipIf(process.platform === 'win32').each(limits)('with at most %i open files', (files) => {
  const folder = () => {
    const cwd = temporaryDirectory();
    const rows = Array.from({ length: count }, (_, row) => `F-${row},99112233,TEA-001,NONE\n`);
    writeFileSync(
      join(cwd, 'orders.csv'),
      `externalOrderId,customer.phone,items[].sku,collectionMode\n${rows.join('')}`,
    );
    return cwd;
  };

  it('every command ends with what it did, or with exit code 7', async () => {
    const { baseUrl, apiKey, ledger } = await startServedSandbox('--any-sku');
    const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: apiKey };
    const cwd = folder();
    const create = [
      'create',
      '--external-order-id',
      'C-1',
      '--phone',
      '99112233',
      '--item',
      'TEA-001',
      '--prepaid',
    ];
    for (const args of [create, ['list'], ['get', 'C-1'], ['status', 'orders.csv'], ['imports']]) {
      const { exitCode, stderr } = await runWith(files, args, cwd, env);
      expect([0, 3, 6, 7], `${args.join(' ')}: ${stderr}`).toContain(exitCode);
      if (exitCode === 7) expect(stderr).toContain('(ulimit -n 4096)');
    }
    const created = (await ledger()).orders.map(({ externalOrderId, commits }) => [externalOrderId, commits]);
    expect([[], [['C-1', 1]]]).toContainEqual(created);
  });

  it.each([
    ['a service', false],
    ['the embedded sandbox', true],
  ])('an import into %s creates all orders once, or none', async (_name, isEmbedded) => {
    const { baseUrl, apiKey, ledger } = await startServedSandbox('--any-sku');
    const env = isEmbedded ? {} : { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: apiKey };
    const cwd = folder();
    const args = ['import', 'orders.csv', '--yes', '--json', ...(isEmbedded ? ['--sandbox'] : [])];
    const { exitCode, stdout, stderr } = await runWith(files, args, cwd, env);
    expect([0, 7], stderr).toContain(exitCode);
    const results = join(cwd, 'orders.results.csv');
    if (exitCode === 7) {
      expect(JSON.parse(stderr).error).toMatchObject({ code: 'out_of_resources', exitCode: 7 });
      expect(existsSync(results)).toBe(false);
    } else {
      expect(JSON.parse(stdout).orders).toMatchObject({ total: count, created: count });
      expect(readFileSync(results, 'utf8').match(/,created,/g)).toHaveLength(count);
    }
    const commits = (await ledger()).orders.map((order) => order.commits);
    expect(commits).toEqual(isEmbedded || exitCode === 7 ? [] : Array(count).fill(1));
  });
});
