import { execFileSync, type SpawnSyncOptionsWithStringEncoding, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot, temporaryDirectory } from './support/cli.ts';
import { program } from './support/program.ts';
import { sheetOf, workbookOf } from './support/workbook.ts';
import { isRoot } from './system/private-mode.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(path, packageRoot));
const executable = fromRoot(`build/merchant-orders-${process.platform}-${process.arch}`);
const env = { HOME: '/home', TZ: 'Asia/Ulaanbaatar' };
const header = ['externalOrderId', 'customer.phone', 'items[].sku', 'items[].quantity', 'collectionMode'];
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => [`EXE-${index}`, '99112233', 'TEA-001', '1', 'NONE']);

/** A folder with the files that the commands read, and one for temporary files. */
function fill(folder: string): void {
  mkdirSync(join(folder, 'tmp'));
  copyFileSync(fromRoot('fixtures/orders.csv'), join(folder, 'orders.csv'));
  writeFileSync(join(folder, 'orders.xlsx'), workbookOf({ sheets: [sheetOf([header, ...rowsOf(3)])] }));
  // More than 4 MiB: a second thread splits it.
  const note = 'Сөүлийн гудамж, '.repeat(3);
  const lines = rowsOf(50_000).map((cells) => `${cells.join(',')},"${note}"\n`);
  writeFileSync(join(folder, 'large.csv'), `${header.join(',')},deliveryAddress.note\n${lines.join('')}`);
}

/** A root directory that holds the executable, the libraries that it is linked to, and no Node.js. */
function createRoot(): string {
  const folder = temporaryDirectory();
  const libraries = execFileSync('ldd', [executable], { encoding: 'utf8' }).match(/\/\S+(?= \()/g) ?? [];
  for (const path of libraries) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    cpSync(path, join(folder, path), { dereference: true });
  }
  copyFileSync(executable, join(folder, 'merchant-orders'));
  fill(folder);
  return folder;
}

const inRoot = (folder: string, args: string[]): [string, string[]] => [
  '/usr/sbin/chroot',
  [folder, '/merchant-orders', ...args],
];

interface Result {
  stdout: string;
  stderr: string;
  status: number | null;
}

function run(
  [command, args]: [string, string[]],
  options: Partial<SpawnSyncOptionsWithStringEncoding>,
): Result {
  const { stdout, stderr, status } = spawnSync(command, args, { env, ...options, encoding: 'utf8' });
  return { stdout, stderr, status };
}

/** Without what differs between two runs. */
function settled({ stdout, stderr, status }: Result, folder: string): Result {
  const settle = (text: string) =>
    text
      .replaceAll(folder, '')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, 'UUID')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, 'TIME');
  return { stdout: settle(stdout), stderr: settle(stderr), status };
}

describe.runIf(isRoot && process.platform === 'linux')('the executable, where there is nothing else', () => {
  beforeAll(() => {
    execFileSync(process.execPath, [fromRoot('bin/build-binary.mjs')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }, 180_000);

  it('writes what the package writes', () => {
    const root = createRoot();
    const folder = temporaryDirectory();
    fill(folder);
    const home = { ...env, HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') };
    const both = (line: string) => {
      const args = line.split(' ');
      const ofPackage = run([process.execPath, [program, ...args]], { env: home, cwd: folder });
      const ofExecutable = run(inRoot(root, args), {});
      expect([line, settled(ofExecutable, root)]).toEqual([line, settled(ofPackage, folder)]);
      return ofExecutable;
    };
    expect(both('import orders.csv --sandbox --yes --concurrency 1').stdout).toBe(
      'outcome\torders\ncreated\t264\ntotal\t264\n',
    );
    expect(both('import orders.csv --sandbox --yes --concurrency 1').stdout).toContain(
      'already_exists\t264\n',
    );
    expect(both('import orders.xlsx --sandbox --yes --concurrency 1').stdout).toContain('created\t3\n');
    expect(both('import large.csv --dry-run').stdout).toContain('not_sent\t50000\n');
    both('create --sandbox --yes --external-order-id EXE-9 --phone 99112233 --item TEA-001 --collect 45000');
    both('list --sandbox');
    both('get UB-10001 --sandbox --json');
    both('cancel EXE-9 --sandbox --yes --reason sold');
    for (const line of [
      '--version',
      '--help',
      'help environment',
      'whoami',
      'import',
      'lst',
      'completion bash',
    ])
      both(line);
    both('sandbox behaviours --json');
    both('sandbox start --port 0 --behaviour nope');
    both('sandbox reset --everything --yes');
    const kept = readdirSync(join(root, 'home/.config/merchant-orders'));
    expect(kept).toEqual(['ledger.db', 'runs', 'sandbox.db']);
  });

  it('splits a large file in a second thread', async () => {
    const root = createRoot();
    const child = spawn(...inRoot(root, ['import', 'large.csv', '--dry-run', '--quiet']), {
      env,
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const threads = new Set<string>();
    while (child.exitCode === null) {
      for (const name of threadsOf(child.pid)) threads.add(name);
      await new Promise(setImmediate);
    }
    expect(await ended).toBe(0);
    expect([...threads]).toContain('WorkerThread');
  });

  it('serves the sandbox until Ctrl-C, with its page and a behaviour', async () => {
    const root = createRoot();
    const flags = ['--port', '0', '--db', ':memory:', '--json', '--quiet', '--behaviour', 'stripe-like'];
    const service = spawn(...inRoot(root, ['sandbox', 'start', ...flags]), { env });
    onTestFinished(() => void service.kill('SIGKILL'));
    const ended = new Promise((resolve) => service.on('close', resolve));
    const line = await new Promise((resolve) => service.stdout.once('data', resolve));
    const { baseUrl, apiKey, behaviour } = JSON.parse(String(line));
    expect(behaviour).toBe('stripe-like');
    const { body } = await request(baseUrl);
    expect(await body.text()).toBe(readFileSync(fromRoot('src/sandbox/http/page.html'), 'utf8'));
    const settings = { ...env, MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: apiKey };
    const ofOrders = run(inRoot(root, ['import', 'orders.csv', '--yes']), { env: settings });
    expect(ofOrders).toMatchObject({ stdout: 'outcome\torders\ncreated\t264\ntotal\t264\n', status: 0 });
    service.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it('does not read the options of another Node.js', () => {
    const root = createRoot();
    const options = { env: { ...env, NODE_OPTIONS: '--import /nowhere.mjs --no-such-option' } };
    const { version } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
    expect(run(inRoot(root, ['--version']), options)).toEqual({
      stdout: `${version}\n`,
      stderr: '',
      status: 0,
    });
  });

  it('comes with the licences of all that is in it', () => {
    const text = readFileSync(fromRoot('build/LICENSES.txt'), 'utf8');
    for (const part of ['LICENSE', 'dist/LICENSES.txt'])
      expect(text).toContain(readFileSync(fromRoot(part), 'utf8'));
    expect(text).toMatch(/^Node\.js \d+\.\d+\.\d+$/m);
    expect(text).toContain('Copyright Node.js contributors.');
    expect(statSync(executable).mode & 0o777).toBe(0o755);
  });
});

function threadsOf(pid = 0): string[] {
  try {
    const folder = `/proc/${pid}/task`;
    return readdirSync(folder).map((id) => readFileSync(join(folder, id, 'comm'), 'utf8').trim());
  } catch {
    return [];
  }
}
