import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { packageRoot, temporaryDirectory } from './support/cli.ts';
import { runProgram } from './support/program.ts';

describe('the program', () => {
  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8'));
    expect(await runProgram(['--version'])).toEqual({ stdout: `${version}\n`, stderr: '', exitCode: 0 });
  });

  it('stores its configuration', async () => {
    const configDirectory = temporaryDirectory();
    const path = join(configDirectory, 'config.json');
    writeFileSync(path, JSON.stringify({ profiles: { shop: {} } }), { mode: 0o600 });
    const { stderr, exitCode } = await runProgram(['profiles', 'use', 'shop'], { configDirectory });
    expect([stderr, exitCode]).toEqual(['Profile shop is used from now on (no key).\n', 0]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      currentProfile: 'shop',
      profiles: { shop: {} },
    });
  });

  it('prints help on stdout', async () => {
    for (const args of [[], ['--help'], ['help']]) {
      const { stdout, stderr, exitCode } = await runProgram(args);
      expect(stdout).toMatch(/^Usage: merchant-orders \[options\] \[command\]\n/);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    }
  });

  it.each([
    [['lst'], "error: Unknown command 'lst' (Did you mean list?)\n"],
    [['list', '--al'], "error: Unknown option '--al' (Did you mean --all?)\n"],
    [['completion'], "error: Missing required argument 'shell'\n"],
    [
      ['list', '--page-size', '0'],
      `error: The value of --page-size is not valid. Expected a whole number from 1.\n`,
    ],
    [
      ['list', '--format', 'xml'],
      `error: The value of --format is not valid. Choose one of: table, json, ndjson, csv, tsv, text.\n`,
    ],
    [
      ['list', '-L', "a\n'b' is invalid. c"],
      `error: The value of --limit is not valid. Expected a whole number from 1.\n`,
    ],
    [['completion', 'tcsh'], `error: The shell is not valid. Choose one of: bash, zsh, fish, powershell.\n`],
    [['get', ' '], 'error: Please name the order.\n'],
    [
      ['import', '--set', 'customer.phonee=1', 'orders.csv'],
      'error: The value of --set is not valid. customer.phonee is not a field of an order; did you mean customer.phone?\n',
    ],
  ])('exits with 2 and a hint for %j', async (args, message) => {
    const { stdout, stderr, exitCode } = await runProgram(args);
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: '',
      stderr: `${message}Run: merchant-orders ${args[0] === 'lst' ? '' : `${args[0]} `}--help\n`,
      exitCode: 2,
    });
  });

  it('prints an error as one line of JSON', async () => {
    const { stderr, exitCode } = await runProgram(['whoami', '--json']);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'no_key',
        message: 'There is no API key in profile default.',
        hint: 'Run: merchant-orders login',
        exitCode: 4,
      },
    });
    expect({ lines: stderr.split('\n').length, exitCode }).toEqual({ lines: 2, exitCode: 4 });
  });

  it('exits silently when stdout is closed', async () => {
    const program = spawn(process.execPath, [
      fileURLToPath(new URL('bin/merchant-orders.js', packageRoot)),
      '--help',
    ]);
    program.stdout.destroy();
    const stderr: string[] = [];
    program.stderr.on('data', (chunk) => stderr.push(String(chunk)));
    await new Promise((resolve) => program.on('close', resolve));
    expect(stderr.join('')).toBe('');
  });

  it('reports output that cannot be written', async () => {
    const program = fileURLToPath(new URL('bin/merchant-orders.js', packageRoot));
    const full = openSync('/dev/full', 'w');
    const { stderr, status } = spawnSync(process.execPath, [program, 'profiles', '--json'], {
      env: { ...process.env, MERCHANT_ORDERS_CONFIG_DIR: temporaryDirectory() },
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(stderr).toMatch(/Standard output could not be written: .*ENOSPC/);
    expect(status).toBe(1);
  });
});
