import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packageRoot, temporaryDirectory } from './support/cli.ts';
import { otherNode } from './support/other-node.ts';
import { isRoot } from './system/private-mode.ts';

/** The newest Node.js that CI has: it keeps compiled code, which Node.js 20 does not. */
const node = () => otherNode('26');

const nobody = 65_534;
const planted = "console.error('planted code ran');process.exit();";

/**
 * The program in a folder of its own, and a folder for temporary files in which another user was first: the compile
 * cache there has other code in place of the program.
 */
function plant(execPath: string) {
  const folder = temporaryDirectory();
  chmodSync(folder, 0o755);
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(fileURLToPath(new URL(name, packageRoot)), join(folder, name), { recursive: true });
  const main = join(folder, 'dist/main.cjs');
  const program = join(folder, 'bin/merchant-orders.js');
  const original = readFileSync(main);
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
  const cache = join(temporary, 'node-compile-cache');
  // V8 compares the lengths of the sources, Node.js the checksum that is in the fourth field of a file of the cache.
  const comment = / \/\/ [^\n]{60,}/.exec(String(original))?.[0] ?? '';
  const shorter = comment.slice(0, -planted.length);
  const tampered = String(original).replace(comment, shorter).replace("'use strict';\n", `$&${planted}`);
  writeFileSync(main, tampered);
  execFileSync(execPath, [program, '--version'], { env: { NODE_COMPILE_CACHE: cache }, stdio: 'ignore' });
  writeFileSync(main, original);
  for (const name of readdirSync(cache, { recursive: true, encoding: 'utf8' })) {
    const path = join(cache, name);
    const entry = name.includes('/') ? readFileSync(path) : undefined;
    if (entry?.readUInt32LE(12) === crc32(tampered)) {
      entry.writeUInt32LE(crc32(original), 12);
      writeFileSync(path, entry);
    }
    chmodSync(path, 0o755);
    chownSync(path, nobody, nobody);
  }
  chownSync(cache, nobody, nobody);
  const run = (env: Record<string, string> = {}) => {
    const { stdout, stderr } = spawnSync(execPath, [program, '--version'], {
      env: { TMPDIR: temporary, MERCHANT_ORDERS_CONFIG_DIR: join(folder, 'config'), ...env },
      encoding: 'utf8',
    });
    return { stdout, stderr };
  };
  return { folder, cache, run };
}

describe.runIf(isRoot && process.platform === 'linux')('code that another user planted', () => {
  it('in the compile cache of the folder for temporary files does not run', () => {
    const { folder, cache, run } = plant(node());
    const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8'));
    // It would run where Node.js looks for it.
    expect(run({ NODE_COMPILE_CACHE: cache }).stderr).toBe('planted code ran\n');
    expect([run(), run()]).toEqual(Array(2).fill({ stdout: `${version}\n`, stderr: '' }));
    expect(readdirSync(join(folder, 'config'))).toEqual(['compile-cache']);
    expect(readdirSync(join(folder, 'config/compile-cache'))).toHaveLength(1);
  });
});
