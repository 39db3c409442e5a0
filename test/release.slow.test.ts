import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { packageRoot, temporaryDirectory } from './support/cli.ts';

const root = fileURLToPath(packageRoot);
const version = '9.9.9';
const ownVersion = /(?<="name": "merchant-orders",\s+"version": )".*"/g;

/** A checkout of version 9.9.9 on this host, committed and tagged, after `edit` has changed its files. */
function checkout(
  host: string,
  tag: string,
  edit: (change: (name: string, from: RegExp, to: string) => void) => void,
) {
  const folder = join(temporaryDirectory(), 'checkout');
  const names = ['bin', 'docs', 'fixtures', 'src', 'CHANGELOG.md', 'LICENSE', 'README.md', 'tsconfig.json'];
  for (const name of [...names, '.gitignore', 'package.json', 'package-lock.json']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const change = (name: string, from: RegExp, to: string) => {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(text).toMatch(from);
    writeFileSync(join(folder, name), text.replaceAll(from, to));
  };
  change('package.json', /"version": ".*"/g, `"version": "${version}"`);
  change('package.json', /https:\/\/.*(?=\/merchant-orders)/g, `https://${host}`);
  edit(change);
  const git = (...args: string[]) => {
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    expect(spawnSync('git', [...author, ...args], { cwd: folder }).status).toBe(0);
  };
  git('init', '--quiet');
  // There it is a link, which .gitignore does not mean.
  writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'test');
  git('tag', tag);
  return folder;
}

/** Runs `bin/release.mjs`, as a step of a workflow of this repository when one is given. */
function release(folder: string, args: string[], repository?: string) {
  const { GITHUB_REPOSITORY, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/release.mjs', ...args], {
    cwd: folder,
    env:
      repository === undefined
        ? env
        : { ...env, GITHUB_SERVER_URL: 'https://example.com', GITHUB_REPOSITORY: repository },
    encoding: 'utf8',
  });
  return { status, stdout, stderr: stderr.replaceAll(folder, 'FOLDER') };
}

it('refuses all that is not ready, and writes nothing', () => {
  const folder = checkout('repository.invalid', 'v0.0.1', (change) => {
    change('package.json', /"scripts": \{/g, '"scripts": {\n    "prepare": "true",');
    change('package.json', /"dist",/g, '"dist",\n    "src/flags.ts",');
    change('package-lock.json', ownVersion, '"0.0.9"');
    change('README.md', /docs\/scripting.md/g, 'docs/script.md');
    change('docs/security.md', /^# Security$/gm, '# Security\n\n[how](../src/main.ts)');
  });
  writeFileSync(join(folder, 'new.txt'), '');
  writeFileSync(join(folder, 'docs/here.txt'), `${folder}/bin`);
  const { status, stdout, stderr } = release(folder, ['out']);
  expect([status, stdout, readdirSync(folder).includes('out')]).toEqual([1, '', false]);
  const placeholder = (name: string, address: string) =>
    `error: package.json: ${name} is the placeholder ${address}. Write the public address.`;
  expect(new Set(stderr.trimEnd().split('\n'))).toEqual(
    new Set([
      placeholder('homepage', 'https://repository.invalid/merchant-orders#readme'),
      placeholder('repository', 'git+https://repository.invalid/merchant-orders.git'),
      placeholder('bugs', 'https://repository.invalid/merchant-orders/issues'),
      `error: package-lock.json has version 0.0.9, package.json ${version}. Run: npm install --package-lock-only`,
      `error: CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD" with changes.`,
      'error: The checkout has changes that are not committed:',
      '?? docs/here.txt',
      '?? new.txt',
      `error: This commit has the tag v0.0.1, not v${version}.`,
      'error: package.json: the script prepare would run on the machine of a user. Remove it.',
      'error: The package has src/flags.ts. Leave it out of "files" in package.json.',
      'error: The package has the path FOLDER/ of this machine in docs/here.txt.',
      'error: README.md links to docs/script.md, which is not in the package.',
      'error: docs/security.md links to ../src/main.ts, which is not in the package.',
      'Nothing was written.',
    ]),
  );
});

it('writes the package, its bill of materials and the checksums of all files, and prints the notes', () => {
  const folder = checkout('example.com/shop', `v${version}`, (change) => {
    change('package-lock.json', ownVersion, `"${version}"`);
    change('CHANGELOG.md', /^## \[Unreleased\]$/gm, `## [Unreleased]\n\n## [${version}] - 2030-01-15`);
  });
  expect(release(folder, [], 'shop/other')).toEqual({
    status: 1,
    stdout: '',
    stderr: `error: package.json: repository is git+https://example.com/shop/merchant-orders.git, but this workflow runs for git+https://example.com/shop/other.git.
Nothing was written.
`,
  });
  const repository = 'shop/merchant-orders';
  const ready = `merchant-orders ${version} is ready to be released.\n`;
  expect(release(folder, [], repository)).toEqual({ status: 0, stdout: '', stderr: ready });

  mkdirSync(join(folder, 'release'));
  writeFileSync(join(folder, 'release/merchant-orders-linux-x64'), 'a program\n');
  const { status, stdout, stderr } = release(folder, ['release'], repository);
  expect([status, stderr]).toEqual([0, '']);
  const [, notes = ''] = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8').split(/^## \[[\d.]+\].*\n/m);
  expect(stdout.trim()).toBe(notes.trim());
  const written = readdirSync(join(folder, 'release')).sort();
  const packed = [`merchant-orders-${version}.cdx.json`, `merchant-orders-${version}.tgz`];
  expect(written).toEqual(['SHA256SUMS', ...packed, 'merchant-orders-linux-x64']);
  const check = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
    cwd: join(folder, 'release'),
    encoding: 'utf8',
  });
  expect(check.stdout).toBe(
    written
      .slice(1)
      .map((name) => `${name}: OK\n`)
      .join(''),
  );

  const { components } = JSON.parse(readFileSync(join(folder, 'release', packed[0] ?? ''), 'utf8')) as {
    components: { name: string; version: string }[];
  };
  const listed = components.map(({ name, version }) => `${name} ${version}`);
  const licences = readFileSync(join(folder, 'dist/LICENSES.txt'), 'utf8');
  const bundled = [...licences.matchAll(/^(\S+ \d\S*) \(\S+\)$/gm)].map(([, name]) => name);
  expect(bundled.length).toBeGreaterThan(10);
  expect(bundled.filter((name) => !listed.includes(name ?? ''))).toEqual([]);
  expect(listed).toContain('libsql 0.5.29');
});
