import { execFile } from 'node:child_process';
import { chownSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { program } from '../support/program.ts';
import { startService } from '../support/service.ts';
import { isRoot } from '../system/private-mode.ts';

/** Of nobody, as in a container that runs with any user ID. */
const uid = 54_321;

/** Runs the program as a user without a home directory, with nothing in the environment but this. */
function run(
  args: string[],
  env: Record<string, string>,
  { stdin = '', user = { uid } as { uid?: number } } = {},
) {
  const cwd = temporaryDirectory();
  if (user.uid !== undefined) chownSync(cwd, user.uid, user.uid);
  return new Promise<{ stdout: string; stderr: string; exitCode: number | null }>((resolve) => {
    const options = { ...user, cwd, env, timeout: 30_000 };
    const child = execFile(process.execPath, [program, ...args], options, (_error, stdout, stderr) =>
      resolve({ stdout, stderr, exitCode: child.exitCode }),
    );
    child.stdin?.end(stdin);
  });
}

const shop = { MERCHANT_ORDERS_API_KEY: 'mk_live_shop', MERCHANT_ORDERS_BASE_URL: 'http://127.0.0.1:9' };
const order = ['create', '--external-order-id', 'A-1', '--phone', '99112233', '--item', 'TEA-1', '--prepaid'];
const missing = `error: There is no directory for the configuration: this user has no home directory.
Set HOME, or set MERCHANT_ORDERS_CONFIG_DIR to a directory that you can write to.
`;

describe.runIf(isRoot)('a user without a home directory', () => {
  it('runs every command with MERCHANT_ORDERS_CONFIG_DIR', async () => {
    const { sandbox } = await startService({ anySku: true });
    const configDirectory = temporaryDirectory();
    chownSync(configDirectory, uid, uid);
    const env = { MERCHANT_ORDERS_CONFIG_DIR: configDirectory };
    const login = ['login', '--base-url', sandbox.baseUrl, '--with-key'];
    expect(await run(login, env, { stdin: sandbox.apiKey })).toMatchObject({ exitCode: 0 });
    for (const args of [['whoami'], order, ['imports']])
      expect(await run(args, env)).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['whoami'],
    ['profiles'],
    ['imports'],
    [...order, '--dry-run'],
    ['sandbox', 'behaviours'],
    ['completion', 'bash'],
  ])('runs %s without a directory', async (...args) => {
    expect(await run(args, shop)).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['sandbox', 'info'],
    ['list', '--sandbox'],
    [...order, '--yes', '--sandbox'],
    ['profiles', 'fields', 'default', 'note=remark'],
  ])('learns from %s %s what to set', async (...args) => {
    expect(await run(args, shop)).toEqual({ stdout: '', stderr: missing, exitCode: 2 });
  });
});

describe.runIf(process.platform === 'linux')('a home directory', () => {
  it.each([{ HOME: '' }, { HOME: 'home' }, { XDG_CONFIG_HOME: 'config', HOME: '' }])(
    '%o does not depend on the working directory',
    async (env) => {
      const { stdout } = await run(['doctor', '--json'], { ...shop, ...env });
      const { message } = JSON.parse(stdout).checks.find(({ name = '' }) => name === 'directory');
      expect(message).not.toMatch(/^(?:home|config|\.config)/);
    },
  );
});
