import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCompileCache } from '../../src/system/compile-cache.ts';
import { modeOf, newDirectory } from './private-mode.ts';

/** A configuration directory, and what is found for it. */
function newConfiguration(env: Record<string, string> = {}) {
  const directory = newDirectory();
  const cache = join(directory, 'compile-cache');
  const find = () => findCompileCache({ MERCHANT_ORDERS_CONFIG_DIR: directory, ...env });
  return { directory, cache, find };
}

describe('the compile cache', () => {
  it('is a folder of its own in the configuration directory, which is created', () => {
    const directory = join(newDirectory(), 'config');
    const cache = join(directory, 'compile-cache');
    const find = () => findCompileCache({ MERCHANT_ORDERS_CONFIG_DIR: directory });
    expect([find(), find()]).toEqual([cache, cache]);
    expect([modeOf(directory), modeOf(cache)]).toEqual(['700', '700']);
  });

  it.each<[string, (paths: { directory: string; cache: string }) => void]>([
    ['its folder is a file', ({ cache }) => writeFileSync(cache, '')],
    ['its folder is a link', ({ cache }) => symlinkSync(newDirectory(), cache)],
    ['others can write to its folder', ({ cache }) => mkdirSync(cache) ?? chmodSync(cache, 0o770)],
    ['others can write to the configuration directory', ({ directory }) => chmodSync(directory, 0o1777)],
  ])('is not used when %s', (_what, prepare) => {
    const { find, ...paths } = newConfiguration();
    prepare(paths);
    expect(find()).toBeUndefined();
  });
});
