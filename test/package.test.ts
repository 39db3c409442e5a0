import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageRoot } from './support/cli.ts';

interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}

const read = (path: string) => readFileSync(new URL(path, packageRoot), 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
const permissive = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/** The packages whose code is in the bundle, as esbuild marks it. */
function bundledPackages(): string[] {
  const files = readdirSync(new URL('dist', packageRoot)).filter((name) => name.endsWith('.cjs'));
  const paths = files.flatMap((name) =>
    [...read(`dist/${name}`).matchAll(/^\/\/ (node_modules\/\S+) \d+$/gm)].map(([, path = '']) => path),
  );
  const folders = paths.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
  return [...new Set(folders)].sort();
}

describe('the package', () => {
  const bundled = bundledPackages();

  it('ships the licence of every package in its bundle, as it is locked', () => {
    const entries = read('dist/LICENSES.txt').split(`\n${'-'.repeat(79)}\n\n`);
    const heads = entries.map((entry) => entry.split('\n')[0]);
    const locked = Object.entries(packages).map(
      ([path, { version, license }]) => `${path.split('node_modules/').at(-1)} ${version} (${license})`,
    );
    const named = heads.map((head) => head?.split(' ')[0]);
    expect(bundled.length).toBeGreaterThan(10);
    expect(bundled.filter((path) => !named.includes(path.split('node_modules/').at(-1)))).toEqual([]);
    expect(heads.filter((head) => head === undefined || !locked.includes(head))).toEqual([]);
    expect(entries.filter((entry) => !/copyright/i.test(entry))).toEqual([]);
  });

  it('has code of permissive licences only', () => {
    const shipped = [
      ...bundled.map((path): [string, LockedPackage] => [path, packages[path] ?? {}]),
      ...installed,
    ];
    const others = shipped.filter(([, { license }]) => !permissive.includes(license ?? ''));
    expect(others).toEqual([]);
  });

  it('brings SQLite alone, and runs nothing when it is installed', () => {
    const names = installed.map(([path]) => path.replace('node_modules/', ''));
    expect(names.filter((name) => !name.startsWith('@libsql/'))).toEqual([
      '@neon-rs/load',
      'detect-libc',
      'libsql',
    ]);
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([]);
  });
});
