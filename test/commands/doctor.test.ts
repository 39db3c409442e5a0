import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listen } from '../api/listen.ts';
import { selfSigned } from '../api/self-signed.ts';
import { startStubService } from '../api/stub-service.ts';
import { type CliOptions, createInterruption, runCli, temporaryDirectory } from '../support/cli.ts';
import { startService } from '../support/service.ts';

interface Found {
  name: string;
  status: string;
  message: string;
  hint?: string;
}

/** The checks that did not pass, and the exit code; stderr says the same. */
async function examine(options: CliOptions, ...flags: string[]) {
  const { stdout, exitCode } = await runCli(['doctor', '--json', ...flags], options);
  const { checks } = JSON.parse(stdout) as { checks: Found[] };
  return { checks, found: checks.filter(({ status }) => status !== 'pass'), exitCode };
}

function configurationWith(profile: Record<string, string>): string {
  const configDirectory = temporaryDirectory();
  const configuration = { currentProfile: 'shop', profiles: { shop: profile } };
  writeFileSync(join(configDirectory, 'config.json'), JSON.stringify(configuration), { mode: 0o600 });
  return configDirectory;
}

async function respondingWith(status: number, headers: Record<string, string>, body: string) {
  const port = await listen(
    createServer((_, response) => {
      response.writeHead(status, headers).end(body);
    }),
  );
  return `http://127.0.0.1:${port}`;
}

describe('doctor', () => {
  it('finds an address with another path, whatever its service says of that', async () => {
    const { sandbox, env } = await startService();
    const { found } = await examine({
      env: { ...env, MERCHANT_ORDERS_BASE_URL: `${sandbox.baseUrl}/elsewhere` },
    });
    expect(found).toMatchObject([
      { name: 'service', status: 'fail', hint: 'Check the base URL; run: merchant-orders login' },
    ]);
  });

  it('speaks Mongolian at a terminal; its names in JSON stay', async () => {
    const options = { env: { NO_COLOR: '1', MERCHANT_ORDERS_LANG: 'mn' }, answers: [], width: 80 };
    const { stdout, stderr } = await runCli(['doctor', '--base-url', 'http://127.0.0.1:1'], options);
    expect(stdout).toMatch(/^төлөв {3}нэр {10}тайлбар\nхэвийн {2}Node\.js {6}хувилбар \d/);
    expect(stdout).toContain('\nхэвийн  тохиргоо     default профайл, http://127.0.0.1:1, түлхүүр алга\n');
    expect(stderr).toBe(`
алдаа: API түлхүүр. http://127.0.0.1:1 системийн API түлхүүр алга.
      Нэвтэрнэ үү: merchant-orders login, эхлээд туршиж үзэх бол: --sandbox
алдаа: 1 шалгалтад алдаа гарлаа.
Дээр бичсэнийг засаад энэ командыг дахин ажиллуулна уу.
  merchant-orders doctor --base-url http://127.0.0.1:1
`);
    const asJson = await examine(options, '--base-url', 'http://127.0.0.1:1');
    expect(asJson.found.map(({ name, status }) => ({ name, status }))).toEqual([
      { name: 'API key', status: 'fail' },
    ]);
  });

  it('passes every check of a service that works, and changes nothing', async () => {
    const { sandbox, env } = await startService();
    const { checks, found, exitCode } = await examine({ env });
    expect(checks.map(({ name }) => name)).toEqual([
      'Node.js',
      'directory',
      'ledger',
      'configuration',
      'proxy',
      'service',
      'API key',
      'clock',
    ]);
    expect([found, exitCode]).toEqual([[], 0]);
    expect(JSON.stringify(checks)).not.toContain(sandbox.apiKey);
    expect(checks.find(({ name }) => name === 'API key')?.message).toBe(
      'it may read orders; only an order shows whether it may also create and cancel',
    );
  });

  it.each<[what: string, machine: NonNullable<CliOptions['machine']>, name: string, exitCode: number]>([
    ['an old Node.js', { nodeVersion: '20.18.3' }, 'Node.js', 7],
    ['a network drive', { isOnNetwork: true }, 'directory', 0],
    ['a directory that cannot be written', { isWritable: false }, 'directory', 7],
  ])('finds %s', async (_, machine, name, exitCode) => {
    const { env } = await startService();
    const examined = await examine({ env, machine });
    const status = exitCode === 0 ? 'warn' : 'fail';
    expect(examined.found).toMatchObject([{ name, status, hint: expect.stringMatching(/\S/) }]);
    expect(examined.exitCode).toBe(exitCode);
  });

  it('finds a directory in which others can write', async () => {
    const { env } = await startService();
    const configDirectory = join(temporaryDirectory(), 'configuration');
    mkdirSync(configDirectory);
    chmodSync(configDirectory, 0o777);
    const { found, exitCode } = await examine({ env, configDirectory });
    expect(found).toMatchObject([
      { name: 'directory', status: 'warn', hint: `Run: chmod 700 ${configDirectory}` },
    ]);
    expect(exitCode).toBe(0);
  });

  it('finds a ledger that cannot be read', async () => {
    const { env } = await startService();
    const configDirectory = temporaryDirectory();
    writeFileSync(join(configDirectory, 'ledger.db'), 'this is no database, and never was one'.repeat(100), {
      mode: 0o600,
    });
    const { found, exitCode } = await examine({ env, configDirectory });
    expect(found).toMatchObject([{ name: 'ledger', status: 'fail' }]);
    expect(exitCode).toBe(7);
  });

  it('finds a key that the service does not accept', async () => {
    const { env } = await startService();
    const { found, exitCode } = await examine({ env: { ...env, MERCHANT_ORDERS_API_KEY: 'sandbox_wrong' } });
    expect(found).toMatchObject([{ name: 'API key', status: 'fail' }]);
    expect(exitCode).toBe(4);
  });

  it('finds a key that may not read orders', async () => {
    const body = JSON.stringify({ code: 'FORBIDDEN', message: 'orders:read is missing' });
    const url = await respondingWith(403, { 'content-type': 'application/json' }, body);
    const env = { MERCHANT_ORDERS_BASE_URL: url, MERCHANT_ORDERS_API_KEY: 'sandbox_of-another' };
    const { found, exitCode } = await examine({ env });
    expect(found).toMatchObject([{ name: 'API key', status: 'warn' }]);
    expect(exitCode).toBe(0);
  });

  it('finds a certificate that is not accepted', async () => {
    const port = await listen(createHttpsServer(selfSigned));
    const env = { MERCHANT_ORDERS_BASE_URL: `https://127.0.0.1:${port}`, MERCHANT_ORDERS_API_KEY: 'key' };
    const { found, exitCode } = await examine({ env });
    expect(found).toMatchObject([{ name: 'service', status: 'fail' }]);
    expect(found[0]?.message).toContain('not secure');
    expect(exitCode).toBe(7);
  });

  it('finds a proxy variable without an address, and shows no password of one that has it', async () => {
    const env = { MERCHANT_ORDERS_BASE_URL: 'https://delivery.example', MERCHANT_ORDERS_API_KEY: 'key' };
    const { found, exitCode } = await examine({ env: { ...env, HTTPS_PROXY: 'ftp://proxy' } });
    expect(found).toMatchObject([{ name: 'proxy', status: 'fail' }]);
    expect(exitCode).toBe(7);
    const port = await listen(createServer());
    const proxied = { ...env, HTTPS_PROXY: `http://me:secret@127.0.0.1:${port}` };
    const { stdout, stderr } = await runCli(['doctor', '--json', '--timeout', '1'], { env: proxied });
    expect(stdout).toContain(`through 127.0.0.1:${port}`);
    expect(stdout + stderr).not.toContain('secret');
  });

  it.each([
    [20, 'ahead of'],
    [-20, 'behind'],
  ])('finds a clock that is %d minutes off', async (minutes, words) => {
    const { env } = await startService();
    const { found, exitCode } = await examine({ env, clock: { ahead: minutes * 60_000 } });
    expect(found).toMatchObject([{ name: 'clock', status: 'warn' }]);
    expect(found[0]?.message).toBe(`this computer is 20 minutes ${words} the service`);
    expect(exitCode).toBe(0);
  });

  it('finds an environment that contradicts the profile', async () => {
    const { env } = await startService();
    const configDirectory = configurationWith({ baseUrl: 'https://delivery.example', apiKey: 'key-1' });
    const { found, exitCode } = await examine({ env, configDirectory }, '--profile', 'shop');
    expect(found).toMatchObject([{ name: 'configuration', status: 'fail' }]);
    expect(exitCode).toBe(7);
  });
});

describe('whoami --check', () => {
  it('fails when it does not, and still shows the identity', async () => {
    const { env } = await startService();
    const wrong = { ...env, MERCHANT_ORDERS_API_KEY: 'sandbox_wrong' };
    const { stdout, stderr, exitCode } = await runCli(['whoami', '--check'], { env: wrong });
    expect(stdout).toContain('SANDBOX');
    expect(stderr).toContain('does not accept the API key');
    expect(exitCode).toBe(4);
  });
});

it('does not say that the service fails when it is left with Ctrl-C', async () => {
  const interruption = createInterruption();
  const { baseUrl } = await startStubService(() => () => interruption.send('SIGINT'));
  const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: 'sandbox_key' };
  const { stdout, stderr, exitCode } = await runCli(['doctor'], { env, interruption });
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 130 });
  expect(stderr).toContain('Stopped before the service responded.');
});
