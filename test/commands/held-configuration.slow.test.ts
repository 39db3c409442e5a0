import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { isRoot } from '../system/private-mode.ts';

const nobody = 65_534;
const stored = { profiles: { night: { apiKey: 'mk_live_9876' }, shop: {} } };

/** A configuration file of root, which in a directory like /tmp nobody else can replace. */
function newConfiguration() {
  const configDirectory = temporaryDirectory();
  chmodSync(configDirectory, 0o1777);
  const path = join(configDirectory, 'config.json');
  writeFileSync(path, JSON.stringify(stored));
  chmodSync(path, 0o644);
  return { configDirectory, path, uid: nobody };
}

const useShop = ['profiles', 'use', 'shop'];

describe.runIf(isRoot)('a configuration file that cannot be replaced', () => {
  it('is reported after two seconds, and no second copy of the key is left behind', async () => {
    const { path, ...options } = newConfiguration();
    const { stdout, stderr, exitCode } = await runProgram(useShop, options);
    expect(stderr.split('\n').slice(1)).toEqual([
      `error: The configuration file ${path} could not be written: another program has it open, or it is protected from changes.`,
      'The stored profiles are unchanged. Close it in other programs, such as an editor or a virus scanner, then try again.',
      '',
    ]);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(readdirSync(options.configDirectory)).toEqual(['config.json']);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(stored);
  });

  it('is replaced when the other program lets go of it', async () => {
    const { path, ...options } = newConfiguration();
    const { child, ended } = startProgram(useShop, options);
    const isWriting = () =>
      readdirSync(options.configDirectory).some((name) => name.endsWith('.json') && name !== 'config.json');
    while (!isWriting() && child.exitCode === null) await delay(5);
    chmodSync(options.configDirectory, 0o777);
    expect(await ended).toMatchObject({ exitCode: 0 });
    expect(readdirSync(options.configDirectory)).toEqual(['config.json']);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ...stored, currentProfile: 'shop' });
  });
});
