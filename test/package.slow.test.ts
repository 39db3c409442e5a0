import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, lstatSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { packageRoot, temporaryDirectory } from './support/cli.ts';
import { otherNode } from './support/other-node.ts';

const root = fileURLToPath(packageRoot);
const packed = [
  'bin',
  'docs',
  'fixtures',
  'src',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'package.json',
  'tsconfig.json',
];

/** Packs a copy of the project as somebody with this umask and clock would, and returns the path of the tarball. */
function pack(folder: string, umask: number, modified: Date): string {
  const copy = join(temporaryDirectory(), folder);
  for (const name of packed) cpSync(join(root, name), join(copy, name), { recursive: true });
  const files = readdirSync(copy, { recursive: true, encoding: 'utf8' }).map((name) => join(copy, name));
  for (const file of files) {
    chmodSync(file, (lstatSync(file).isDirectory() ? 0o777 : 0o666) & ~umask);
    utimesSync(file, modified, modified);
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const script = `umask ${umask.toString(8)} && exec npm pack --silent`;
  const name = execFileSync('/bin/sh', ['-c', script], { cwd: copy, encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1);
  return join(copy, name ?? '');
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

it('packs to the same bytes, whoever packs it, where and when', { timeout: 120_000 }, () => {
  const one = pack('one', 0o022, new Date('2026-01-01T00:00:00Z'));
  const other = pack('a/folder with another name', 0o077, new Date('2001-02-03T04:05:06Z'));
  expect(hashOf(other)).toBe(hashOf(one));
});

it('is installed without a warning, by a version of npm that asks about scripts', {
  timeout: 300_000,
}, () => {
  const tarball = pack('installed', 0o022, new Date('2026-01-01T00:00:00Z'));
  const folder = temporaryDirectory();
  // What runs the tests may have npm say nothing.
  const quiet = ['--loglevel', 'notice', '--no-audit', '--no-fund', '--no-update-notifier'];
  const npm = ['--yes', 'npm@11.19.1', 'install', ...quiet, '--cache', join(folder, 'cache'), tarball];
  const { status, stdout, stderr } = spawnSync('npx', npm, { cwd: folder, encoding: 'utf8' });
  expect([status, stdout + stderr]).toEqual([0, expect.stringMatching(/^\nadded \d+ packages in \S+\n$/)]);
  const program = join(folder, 'node_modules/.bin/merchant-orders');
  expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  const sandbox = join(folder, 'node_modules/merchant-orders/dist/sandbox.js');
  const script = `
    import { startSandbox } from ${JSON.stringify(pathToFileURL(sandbox))};
    const { baseUrl, stop } = await startSandbox();
    const texts = ['/', '/openapi.json'].map(async (path) => (await fetch(baseUrl + path)).text());
    console.log(JSON.stringify(await Promise.all(texts)));
    await stop();`;
  const [page, openapi] = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
  );
  expect(page).toBe(readFileSync(join(root, 'src/sandbox/http/page.html'), 'utf8'));
  expect(JSON.parse(openapi)).toEqual(
    JSON.parse(readFileSync(join(root, 'src/sandbox/openapi.json'), 'utf8')),
  );
});

it('needs no optional package where Node.js has SQLite built in', { timeout: 300_000 }, () => {
  const tarball = pack('bare', 0o022, new Date('2026-01-01T00:00:00Z'));
  const folder = temporaryDirectory();
  const npm = ['install', '--silent', '--omit=optional', '--cache', join(folder, 'cache'), tarball];
  execFileSync('npm', npm, { cwd: folder });
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'merchant-orders',
  ]);
  const bin = join(folder, 'node_modules/merchant-orders/bin/merchant-orders.js');
  const env = { ...process.env, MERCHANT_ORDERS_CONFIG_DIR: join(folder, 'config') };
  const results = join(folder, 'results.csv');
  const args = [join(root, 'fixtures/orders.csv'), '--sandbox', '--yes', '--json', '--results', results];
  const imports = (node: string) => spawnSync(node, [bin, 'import', ...args], { env, encoding: 'utf8' });
  const { stdout, stderr } = imports(otherNode('24'));
  expect([JSON.parse(stdout).orders.created, stderr]).toEqual([264, `Results: ${results}\n`]);
  const { error } = JSON.parse(imports(otherNode('20')).stderr);
  expect(error).toMatchObject({ code: 'sqlite_not_loaded', outcome: 'not_sent' });
  expect(error.hint).toMatch(/^Please use Node\.js 24 or later, .* npm install -g --include=optional /);
});
