import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { openDatabase } from '../../src/system/sqlite.ts';
import { runCli, temporaryDirectory } from '../support/cli.ts';
import { runProgram } from '../support/program.ts';
import { startService } from '../support/service.ts';
import { isRoot } from '../system/private-mode.ts';

async function startShop() {
  const { sandbox } = await startService({ anySku: true });
  const configDirectory = join(temporaryDirectory(), 'config');
  const run = (args: string[], stdin = '') => runCli(args, { configDirectory, stdin });
  const login = await run(['login', '--base-url', sandbox.baseUrl, '--with-key'], sandbox.apiKey);
  expect(login.exitCode).toBe(0);
  const create = (id: string, ...flags: string[]) =>
    run([
      'create',
      '--external-order-id',
      id,
      '--phone',
      '99112233',
      '--item',
      'TEA-001',
      '--prepaid',
      ...flags,
    ]);
  return { configDirectory, run, create };
}

/** All files and folders below a directory, each with its mode. */
function modesBelow(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    names.map((name) => [name, (lstatSync(join(directory, name)).mode & 0o777).toString(8)]),
  );
}

describe('the configuration directory', () => {
  it.each([0o000, 0o022, 0o002])('is private with the umask %o, whatever is written', async (umask) => {
    const before = process.umask(umask);
    onTestFinished(() => void process.umask(before));
    const { configDirectory, run, create } = await startShop();
    expect((await create('UB-1')).exitCode).toBe(0);
    expect((await create('UB-1', '--sandbox')).exitCode).toBe(0);
    expect((await run(['profiles', 'fields', 'default', 'note=remark'])).exitCode).toBe(0);
    const modes = modesBelow(configDirectory);
    expect(modes).toMatchObject({
      'config.json': '600',
      'ledger.db': '600',
      'sandbox.db': '600',
      runs: '700',
    });
    const isPrivate = (name: string) => modes[name] === (name === 'runs' ? '700' : '600');
    expect(Object.keys(modes).filter((name) => !isPrivate(name))).toEqual([]);
    expect(lstatSync(configDirectory).mode & 0o777).toBe(0o700);
  });

  it('is warned about once when others can write to it, and the command goes on', async () => {
    const { configDirectory, run, create } = await startShop();
    chmodSync(configDirectory, 0o777);
    const { stderr, exitCode } = await create('UB-1');
    expect([
      stderr.match(/^warning: other users can write to .* and could replace the files in it\. /gm)?.length,
      exitCode,
    ]).toEqual([1, 0]);
    expect(await run(['list', '--quiet', '--columns', 'externalOrderId', '--no-header'])).toMatchObject({
      stdout: 'UB-1\n',
      stderr: '',
      exitCode: 0,
    });
  });
});

describe('a ledger that is not safe', () => {
  it.each<[string, (path: string) => unknown, string]>([
    ['a link', (path) => symlinkSync('config.json', path), 'it is a link to config.json'],
    ['a FIFO', (path) => execFileSync('mkfifo', [path]), 'it is not a regular file'],
  ])('stops a create before anything is sent: %s', async (_name, place, reason) => {
    const { configDirectory, run, create } = await startShop();
    place(join(configDirectory, 'ledger.db'));
    const { stdout, stderr, exitCode } = await create('UB-1');
    expect([stdout, exitCode]).toEqual(['', 7]);
    expect(stderr).toContain(`error: ${join(configDirectory, 'ledger.db')} is not used: ${reason}`);
    expect((await run(['imports'])).exitCode).toBe(7);
    rmSync(join(configDirectory, 'ledger.db'));
    expect((await run(['list', '--json'])).stdout).toContain('"orders": []');
  });
});

describe.runIf(isRoot)('a directory that cannot be written', () => {
  const nobody = 65534;
  const env = {
    MERCHANT_ORDERS_BASE_URL: 'https://shop.example',
    MERCHANT_ORDERS_API_KEY: 'mk_live_12345678',
  };
  const writeCsv = () => {
    const csv = join(temporaryDirectory(), 'orders.csv');
    writeFileSync(csv, 'externalOrderId,customer.phone,items[].sku,collectionMode\nUB-1,99112233,TEA,NONE\n');
    chmodSync(dirname(csv), 0o777);
    return csv;
  };

  it.each(['no ledger', 'a ledger'])('is enough for a dry run, with %s', async (ledger) => {
    const csv = writeCsv();
    const configDirectory = temporaryDirectory();
    const path = join(configDirectory, 'ledger.db');
    const database = await openDatabase(path, ledgerSchema);
    database.close();
    if (ledger === 'no ledger') rmSync(path);
    else chownSync(path, nobody, nobody);
    chownSync(configDirectory, nobody, nobody);
    chmodSync(configDirectory, 0o555);
    const dryRun = await runProgram(['import', csv, '--dry-run'], { configDirectory, env, uid: nobody });
    expect([dryRun.stdout, dryRun.exitCode]).toEqual(['outcome\torders\nnot_sent\t1\ntotal\t1\n', 0]);
    const warning = `warning: The orders were not compared with earlier imports: ${path} cannot be written: permission denied.\n`;
    expect(dryRun.stderr.includes(warning)).toBe(ledger === 'a ledger');
    expect(dryRun.stderr).toMatch(/Nothing was sent\.\n$/);
  });

  it('stops an import before anything is sent, and says what to do', async () => {
    const csv = writeCsv();
    const configDirectory = temporaryDirectory();
    chmodSync(configDirectory, 0o755);
    const fix = 'Set MERCHANT_ORDERS_CONFIG_DIR to a directory that you can write to.';
    expect(await runProgram(['import', csv, '--yes'], { configDirectory, env, uid: nobody })).toMatchObject({
      stdout: '',
      stderr: `error: ${join(configDirectory, 'ledger.db')} cannot be written: permission denied.\n${fix}\n`,
      exitCode: 7,
    });
    const missing = join(configDirectory, 'missing');
    expect(
      await runProgram(['import', csv, '--yes'], { configDirectory: missing, env, uid: nobody }),
    ).toMatchObject({
      stdout: '',
      stderr: `error: ${missing} cannot be written: permission denied.\n${fix}\n`,
      exitCode: 2,
    });
  });
});

describe('a configuration that is not safe', () => {
  it('is not used, and its key is sent nowhere', async () => {
    const { configDirectory, run } = await startShop();
    const path = join(configDirectory, 'config.json');
    const before = readFileSync(path, 'utf8');
    chmodSync(path, 0o666);
    for (const args of [['list'], ['whoami'], ['logout', '--all']]) {
      expect(await run(args)).toMatchObject({
        stdout: '',
        stderr:
          `error: ${path} is not used: other users can write to it.\n` +
          `Check what it contains. Then run: chmod 600 ${path}\n`,
        exitCode: 2,
      });
    }
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});
