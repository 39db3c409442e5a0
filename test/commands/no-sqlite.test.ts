import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { packageRoot, temporaryDirectory } from '../support/cli.ts';
import { startService } from '../support/service.ts';

const create = [
  'create',
  '--external-order-id',
  'A-1',
  '--phone',
  '99112233',
  '--item',
  'TEA-1',
  '--prepaid',
];
const cure =
  'Please use Node.js 24 or later, which has SQLite built in, or install this program again: npm install -g --include=optional merchant-orders';

/** The package as it is installed, with the native parts of SQLite as `change` leaves their folders. */
function install(change: (folder: string) => void) {
  const folder = temporaryDirectory();
  const copied = ['bin', 'dist', 'package.json', 'node_modules/@neon-rs', 'node_modules/detect-libc'];
  for (const name of [...copied, 'node_modules/libsql', 'node_modules/@libsql'])
    cpSync(fileURLToPath(new URL(name, packageRoot)), join(folder, name), { recursive: true });
  symlinkSync(fileURLToPath(new URL('fixtures', packageRoot)), join(folder, 'fixtures'));
  const parts = join(folder, 'node_modules/@libsql');
  for (const name of readdirSync(parts)) change(join(parts, name));
  return (args: string[], env: Record<string, string> = {}) =>
    new Promise<{ stdout: string; stderr: string; exitCode: number | null }>((resolve) => {
      const words = ['bin/merchant-orders.js', ...args];
      const options = { cwd: folder, env: { MERCHANT_ORDERS_CONFIG_DIR: join(folder, 'config'), ...env } };
      const child = execFile(process.execPath, words, options, (_error, stdout, stderr) =>
        resolve({ stdout, stderr, exitCode: child.exitCode }),
      );
    });
}

/** As on a system without a library that the native part needs. */
const withoutLibrary = (folder: string) => {
  const path = join(folder, 'index.node');
  const bytes = readFileSync(path).toString('latin1');
  writeFileSync(path, bytes.replaceAll('libgcc_s.so.1', 'libother.so.1'), 'latin1');
};
const remove = (folder: string) => rmSync(folder, { recursive: true });

/** A Node.js with its own SQLite does not need the native part. */
const needsIt = !isBuiltin('node:sqlite');

describe.runIf(process.platform === 'linux' && needsIt)('without the native part of SQLite', () => {
  it('what records orders is refused, and all else works', async () => {
    const { env } = await startService({ anySku: true });
    const run = install(withoutLibrary);
    const error = `error: SQLite, which keeps the ledger and the sandbox, cannot be loaded: libother.so.1: cannot open shared object file: No such file or directory.
${cure}
`;
    const refused = [create, ['import', 'fixtures/orders.csv'], ['list', '--sandbox']];
    for (const args of refused) expect(await run(args, env)).toMatchObject({ stderr: error, exitCode: 2 });
    for (const args of [['whoami'], ['profiles']])
      expect(await run(args, env)).toMatchObject({ exitCode: 0 });
    const { stdout } = await run(['list', '--json'], env);
    expect(JSON.parse(stdout).orders).toEqual([]);
  });

  it('doctor shows it as a failed check', async () => {
    const run = install(withoutLibrary);
    const { stdout, stderr, exitCode } = await run(['doctor', '--sandbox', '--json']);
    const checks = JSON.parse(stdout).checks.filter(({ status = '' }) => status === 'fail');
    expect(checks.map(({ name = '' }) => name)).toEqual(['ledger', 'sandbox']);
    expect(checks[0].hint).toBe(cure);
    expect(stderr).toContain('"code":"checks_failed"');
    expect(exitCode).toBe(7);
  });

  it('it is known what to do where it is missing', async () => {
    const { stderr, exitCode } = await install(remove)(['imports', '--json']);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({ code: 'sqlite_not_loaded', hint: cure, outcome: 'not_sent' });
    expect(error.message).toMatch(/ cannot be loaded: Cannot find module '@libsql\/[\w-]+'\.$/);
    expect(exitCode).toBe(2);
  });
});
