import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { packageRoot, temporaryDirectory } from '../../support/cli.ts';
import { installDebianPackages } from '../../support/debian.ts';
import { program, runProgram } from '../../support/program.ts';

const driver = fileURLToPath(new URL('drive-shell.zsh', import.meta.url));

/** What is typed, and the line after Tab. */
const completed: Record<string, string> = {
  'merchant-orders canc': 'merchant-orders cancel ',
  'merchant-orders sandbox st': 'merchant-orders sandbox start ',
  'merchant-orders --profile import sandbox st': 'merchant-orders --profile import sandbox start ',
  'merchant-orders list --custom': 'merchant-orders list --customer-phone ',
  'merchant-orders list --format nd': 'merchant-orders list --format ndjson ',
  'merchant-orders list --format=js': 'merchant-orders list --format=json ',
  'merchant-orders import --preset shop': 'merchant-orders import --preset shopify ',
  'merchant-orders import --include vo': 'merchant-orders import --include voided ',
  'merchant-orders import fixtures/behaviours/forg':
    'merchant-orders import fixtures/behaviours/forgetful.json ',
  'merchant-orders create --file fixtures/behaviours/forg':
    'merchant-orders create --file fixtures/behaviours/forgetful.json ',
  'merchant-orders import --map=fixtures/behaviours/forg':
    'merchant-orders import --map=fixtures/behaviours/forgetful.json ',
  'merchant-orders help compl': 'merchant-orders help completion ',
  'merchant-orders completion fi': 'merchant-orders completion fish ',
  // The value of such a flag is anybody's guess.
  'merchant-orders list --customer-phone fixtures/behaviours/forg':
    'merchant-orders list --customer-phone fixtures/behaviours/forg',
};

beforeAll(() => installDebianPackages(['zsh', 'fish']), 300_000);

it.each(['bash', 'zsh', 'zsh-fpath', 'fish'])(
  'completes commands, flags and their values in %s',
  async (shell) => {
    const directory = temporaryDirectory();
    const path = join(directory, 'bin');
    mkdirSync(path);
    symlinkSync(program, join(path, 'merchant-orders'));
    const configDirectory = join(directory, 'configuration');
    mkdirSync(configDirectory, { mode: 0o700 });
    const { stdout } = await runProgram(['completion', shell.replace('-fpath', '')], { configDirectory });
    const script = join(directory, '_merchant-orders');
    writeFileSync(script, stdout);
    const env = {
      PATH: `${path}:${process.env.PATH}`,
      HOME: directory,
      TERM: 'xterm',
      LANG: 'C.UTF-8',
      MERCHANT_ORDERS_CONFIG_DIR: configDirectory,
    };
    const driven = spawnSync('zsh', ['-f', driver, shell, script, ...Object.keys(completed)], {
      cwd: packageRoot,
      env,
      encoding: 'utf8',
      timeout: 240_000,
    });
    expect(
      driven.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.trimEnd()),
    ).toEqual(Object.values(completed).map((line) => line.trimEnd()));
  },
);
