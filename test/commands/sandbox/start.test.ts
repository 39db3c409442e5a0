import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demoPhones } from '../../../src/sandbox/faults/fault-control.ts';
import { sharedPhone } from '../../../src/sandbox/store/seed.ts';
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
  it('has commands to try that work with the catalogue', async () => {
    const catalogue = join(temporaryDirectory(), 'products.csv');
    writeFileSync(catalogue, 'sku,active\nA,false\nCUP,true\n');
    const { stderr } = await startAndStop(['--catalogue', catalogue, '--db', ':memory:']);
    expect(stderr).toContain('--item CUP --prepaid');
  });

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

  it('writes nothing but the facts with --quiet', async () => {
    const { stderr, exitCode } = await startAndStop(['--quiet', '--db', ':memory:']);
    expect([stderr, exitCode]).toEqual(['', 0]);
  });

  it('names the demonstration phones in its help, as they are', async () => {
    const { stdout } = await runCli(['sandbox', 'start', '--help']);
    for (const { phone, description } of demoPhones) expect(stdout).toContain(`  ${phone}  ${description}\n`);
    expect(stdout).toContain(`  ${sharedPhone.replace('+976', '')}  belongs to two customers`);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});

describe('credentials', () => {
  it('come from the environment', async () => {
    const { facts } = await startAndStop(['--json'], { env: variables });
    expect(facts).toMatchObject({
      apiKey: 'sandbox_from.env',
      readOnlyApiKey: 'sandbox_reads',
      adminToken: 'sandbox_admin',
    });
  });

  it('come from flags first', async () => {
    const flags = ['--api-key', 'sandbox_a', '--read-only-key', 'sandbox_b', '--admin-token', 'sandbox_c'];
    const { facts } = await startAndStop(['--json', ...flags], { env: variables });
    expect(facts).toMatchObject({
      apiKey: 'sandbox_a',
      readOnlyApiKey: 'sandbox_b',
      adminToken: 'sandbox_c',
    });
  });

  it('are not given by an empty variable', async () => {
    const { facts } = await startAndStop(['--json'], { env: { MERCHANT_ORDERS_SANDBOX_API_KEY: ' ' } });
    expect(facts.apiKey).toMatch(/^sandbox_[0-9a-f]{32}$/);
  });

  it('last in the database', async () => {
    const configDirectory = temporaryDirectory();
    await startAndStop([], { configDirectory, env: variables });
    const { stdout } = await runCli(['sandbox', 'info', '--json'], { configDirectory });
    expect(JSON.parse(stdout)).toMatchObject({ apiKey: 'sandbox_from.env', readOnlyApiKey: 'sandbox_reads' });
  });

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
