import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliOptions, createInterruption, runCli, temporaryDirectory } from '../../support/cli.ts';

/** Runs `sandbox start` and stops it as soon as it has started. */
async function startAndStop(flags: string[] = [], options: CliOptions = {}) {
  const interruption = createInterruption();
  interruption.send('SIGINT');
  const result = await runCli(['sandbox', 'start', '--port', '0', ...flags], { interruption, ...options });
  return { ...result, facts: result.stdout.startsWith('{') ? JSON.parse(result.stdout) : undefined };
}

const variables = {
  MERCHANT_ORDERS_SANDBOX_API_KEY: 'sandbox_from.env',
  MERCHANT_ORDERS_SANDBOX_READ_ONLY_KEY: ' sandbox_reads \n',
  MERCHANT_ORDERS_SANDBOX_ADMIN_TOKEN: 'sandbox_admin',
};

describe('sandbox start', () => {
  it('says how to try it, and at the end where the orders are', async () => {
    const configDirectory = temporaryDirectory();
    const { stdout, stderr, exitCode, facts } = await startAndStop(['--json'], { configDirectory });
    const { baseUrl, apiKey, adminToken } = facts;
    const database = join(configDirectory, 'sandbox.db');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(facts).toEqual({
      service: 'SANDBOX',
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      apiKey: expect.stringMatching(/^sandbox_/),
      readOnlyApiKey: expect.stringMatching(/^sandbox_/),
      adminToken: expect.stringMatching(/^sandbox_/),
      behaviour: 'default',
      database,
      page: `${baseUrl}/#token=${adminToken}`,
    });
    expect(stderr).toBe(`
Try it from another terminal:
  printf %s ${apiKey} | merchant-orders login --profile sandbox --base-url ${baseUrl} --with-key
  merchant-orders create --profile sandbox --external-order-id TRY-1 --phone 99112233 --item TEA-001 --prepaid

Press Ctrl-C to stop it.
The sandbox has stopped. Its orders are in ${database}.
`);
  });
});

describe('credentials', () => {
  it.each(['--api-key', '--read-only-key', '--admin-token'])(
    'of the live service are refused, and not shown: %s',
    async (flag) => {
      const { stdout, stderr, exitCode } = await runCli(['sandbox', 'start', flag, 'live_secret']);
      expect([stdout, exitCode]).toEqual(['', 2]);
      expect(stderr).toMatch(/^error: The .* is not valid\.\n/);
      expect(stderr).not.toContain('live_secret');
    },
  );

  it('of the environment do not change the sandbox inside the program', async () => {
    const configDirectory = temporaryDirectory();
    const env = { ...variables, MERCHANT_ORDERS_SANDBOX_READ_ONLY_KEY: 'wrong' };
    const list = await runCli(['list', '--sandbox'], { configDirectory, env });
    expect(list.exitCode).toBe(0);
    const { stdout } = await runCli(['sandbox', 'info', '--json'], { configDirectory, env });
    expect(JSON.parse(stdout).apiKey).not.toBe('sandbox_from.env');
  });
});

describe('--host', () => {
  it('warns, even when quiet, that other machines can reach the sandbox', async () => {
    const { stderr, facts } = await startAndStop(['--json', '--quiet', '--host', '0.0.0.0']);
    expect(stderr).toBe(
      'warning: The sandbox can be reached from other machines (--host 0.0.0.0). ' +
        'Anyone who has a key or the admin token can read and change its orders.\n',
    );
    expect(facts.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it.each(['::1', '[::1]', '127.0.0.1'])('does not warn of %s', async (host) => {
    const { stderr, exitCode } = await startAndStop(['--quiet', '--host', host]);
    expect([stderr, exitCode]).toEqual(['', 0]);
  });

  it('says which other host names are accepted', async () => {
    const flags = ['--allow-host', 'sandbox', '--allow-host', 'shop.test'];
    const { stderr } = await startAndStop(['--quiet', ...flags]);
    expect(stderr).toBe('warning: It accepts requests to sandbox, shop.test too.\n');
  });

  it.each([
    ['--host', 'localhost', '"localhost" is not an IP address of this machine.'],
    ['--allow-host', 'http://a', '"http://a" is not the name of a host.'],
  ])('%s %s is refused', async (flag, value, sentence) => {
    const { stdout, stderr, exitCode } = await runCli(['sandbox', 'start', flag, value]);
    expect([stdout, exitCode, stderr.split('\n')[0]]).toEqual(['', 2, `error: ${sentence}`]);
  });
});
