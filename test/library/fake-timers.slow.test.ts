import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { packageRoot, temporaryDirectory } from '../support/cli.ts';

const root = fileURLToPath(packageRoot);

/** A project with the suites of test/library/fake-timers, which uses the built package. */
function createProject(): string {
  const folder = temporaryDirectory();
  cpSync(join(root, 'test/library/fake-timers'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/merchant-orders'));
  symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

/** A suite that hangs is ended, so that it fails. */
function run(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: createProject(),
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NO_COLOR: '1' },
    timeout: 60_000,
  });
  return { status, output: stdout + stderr };
}

describe('a suite that fakes its timers gets every response of the sandbox', () => {
  it('with vitest', () => {
    const { status, output } = run('node_modules/vitest/vitest.mjs', 'run');
    expect(output).toContain('6 passed');
    expect(status).toBe(0);
  });

  it.each([
    ['import-after.js', 1],
    ['import-before.js', 2],
  ])('with node:test: %s', (file, tests) => {
    const { status, output } = run('--test', '--test-reporter=tap', file);
    expect(output).toContain(`# pass ${tests}\n`);
    expect(status).toBe(0);
  });
});
