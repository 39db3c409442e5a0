import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { packageRoot, temporaryDirectory } from '../support/cli.ts';

const root = fileURLToPath(packageRoot);
const page = readFileSync(join(root, 'docs/sandbox.md'), 'utf8');
const exampleIn = (language: string) =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(page)?.[1] ?? '';

/** A project that has installed the packed package, its dependency, and these tools of ours. */
function createProject(...tools: string[]): string {
  const folder = temporaryDirectory();
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'merchant-orders'), { recursive: true });
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const tarball = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim();
  execFileSync('tar', [
    'xzf',
    join(folder, tarball),
    '-C',
    join(modules, 'merchant-orders'),
    '--strip-components=1',
  ]);
  mkdirSync(join(modules, '@types'));
  for (const name of ['libsql', ...tools]) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

function run(folder: string, ...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    // The runner of this test must not be taken for the one of the project.
    env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1' },
    timeout: 120_000,
  });
  return { status, output: stdout + stderr };
}

const vitest = 'node_modules/vitest/vitest.mjs';

describe('the packed package, in a project of its own', () => {
  it('serves the vitest suite of the documentation', () => {
    const folder = createProject('vitest');
    writeFileSync(join(folder, 'orders.test.ts'), exampleIn('ts'));
    const { status, output } = run(folder, vitest, 'run');
    expect(output).toContain('2 passed');
    expect(status).toBe(0);
  });

  it('serves the node:test suite of the documentation, whose process ends by itself', () => {
    const folder = createProject();
    writeFileSync(join(folder, 'keys.test.js'), exampleIn('js'));
    const { status, output } = run(folder, '--test', '--test-reporter=tap');
    expect(output).toContain('# pass 1');
    expect(status).toBe(0);
  });

  it('serves the suites of another project, with real and fake timers, and a CommonJS module', () => {
    const folder = createProject('vitest');
    cpSync(join(root, 'test/library/other-project'), folder, { recursive: true });
    const suite = run(folder, vitest, 'run');
    expect(suite.output).toContain('58 passed');
    const ofNode = run(folder, '--test', '--test-reporter=tap', 'orders.node.js');
    expect(ofNode.output).toContain('# pass 2\n');
    const module = run(folder, 'orders.cjs');
    expect(module.output).toContain('true SandboxError usage\nstopped\n');
    expect([suite.status, ofNode.status, module.status]).toEqual([0, 0, 0]);
  });

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('has types without errors, with module %s', (module, moduleResolution) => {
    const folder = createProject('typescript', '@types/node', 'undici-types');
    const program = `
      import { startSandbox, type SandboxOrder } from 'merchant-orders/sandbox';
      await using sandbox = await startSandbox({ port: 0, behaviour: { keys: { required: false } } });
      const orders: SandboxOrder[] = sandbox.orders();
      const phone: string | null | undefined = orders[0]?.customer.phone;
      sandbox.assert({ externalOrderIds: [phone ?? ''] });
      // @ts-expect-error: there is no such option
      await startSandbox({ behavior: 'busy' });
    `;
    writeFileSync(join(folder, 'program.ts'), program);
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022', '--types', 'node'];
    const flags = [...options, '--module', module, '--moduleResolution', moduleResolution];
    const { status, output } = run(folder, 'node_modules/typescript/bin/tsc', ...flags, 'program.ts');
    expect([status, output]).toEqual([0, '']);
  });
});
