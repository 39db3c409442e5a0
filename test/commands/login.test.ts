import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lost, orders, type Reply, startStubService } from '../api/stub-service.ts';
import {
  type Answering,
  createInterruption,
  packageRoot,
  runCli,
  temporaryDirectory,
} from '../support/cli.ts';
import { startService } from '../support/service.ts';

async function startLogin() {
  const { sandbox } = await startService();
  const configDirectory = temporaryDirectory();
  const login = (stdin: string | Buffer, ...flags: string[]) =>
    runCli(['login', '--base-url', sandbox.baseUrl, '--with-key', ...flags], { stdin, configDirectory });
  return { sandbox, configDirectory, login };
}

describe('login', () => {
  it.each<[string, (key: string) => Buffer]>([
    ['UTF-16 with line breaks of Windows', (key) => Buffer.from(`\uFEFF${key}\r\n`, 'utf16le')],
    ['UTF-16BE', (key) => Buffer.from(`\uFEFF${key}`, 'utf16le').swap16()],
    ['UTF-8 with a BOM', (key) => Buffer.from(`\uFEFF${key}\r\n`)],
  ])('reads a key file in %s', async (_, encode) => {
    const { sandbox, configDirectory, login } = await startLogin();
    expect(await login(encode(sandbox.apiKey))).toMatchObject({ stdout: '', exitCode: 0 });
    const { profiles } = JSON.parse(readFileSync(join(configDirectory, 'config.json'), 'utf8'));
    expect(profiles.default.apiKey).toBe(sandbox.apiKey);
  });

  it('checks the key, stores it in a private file, and never shows it', async () => {
    const { sandbox, configDirectory, login } = await startLogin();
    const { stdout, stderr, exitCode } = await login(`  ${sandbox.apiKey}\n`);
    const last = sandbox.apiKey.slice(-4);
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: '',
      stderr: `Stored the key …${last} for ${sandbox.baseUrl} (SANDBOX) in profile default.\n`,
      exitCode: 0,
    });
    expect(sandbox.requestCount()).toBe(1);
    expect(statSync(join(configDirectory, 'config.json')).mode & 0o777).toBe(0o600);
    const listed = await runCli(['list', '--json'], { configDirectory });
    expect(JSON.parse(listed.stdout).orders).toEqual([]);
  });

  it('asks at a terminal for another key, and only for that, when one is not accepted', async () => {
    const { sandbox } = await startService();
    const { asked, stderr, exitCode } = await runCli(['login'], {
      answers: [sandbox.baseUrl, 'sandbox_wrong', 'two words', sandbox.apiKey],
    });
    expect(asked).toEqual(['Base URL of the service', 'API key', 'API key', 'API key']);
    expect(stderr).toMatch(/^The service does not accept the API key.*\nPaste the key again/m);
    expect(stderr.match(/operator/g)).toHaveLength(1);
    expect(stderr).toContain('This is not an API key');
    expect(exitCode).toBe(0);
    const elsewhere = await runCli(['login'], { answers: ['http://127.0.0.1:1', 'sandbox_key'] });
    expect([elsewhere.asked.length, elsewhere.exitCode]).toEqual([2, 7]);
  });

  it('stores nothing when the service rejects the key', async () => {
    const { configDirectory, login } = await startLogin();
    const { stderr, exitCode } = await login('sandbox_wrong_key_000000');
    expect(stderr).toContain('error: The service does not accept the API key');
    expect(exitCode).toBe(4);
    expect((await runCli(['whoami'], { configDirectory })).exitCode).toBe(4);
  });

  const page = (status: number): Reply => ({
    status,
    headers: { 'content-type': 'text/html' },
    text: '<html><title>Sign in</title><body>Please sign in</body></html>',
  });

  async function loginAt(reply: Reply) {
    const { baseUrl, requests } = await startStubService(() => reply);
    const configDirectory = temporaryDirectory();
    const args = ['login', '--base-url', baseUrl, '--with-key'];
    const { stdout, stderr, exitCode } = await runCli(args, { stdin: 'mk_live_123456', configDirectory });
    expect([stdout, requests('GET', orders).length > 0]).toEqual(['', true]);
    const whoami = await runCli(['whoami'], { configDirectory });
    const lines = stderr.replace(baseUrl, 'URL').trimEnd().split('\n');
    return { lines, exitCode, isStored: whoami.exitCode === 0 };
  }

  const unchecked = (response: string) =>
    `The key was stored, but it could not be checked: the service responded with ${response}.`;

  it.each<[string, Reply, string[]]>([
    ['a list', { json: [] }, []],
    ['204', { status: 204 }, [unchecked('status 204, but without a list of orders')]],
    [
      'a list that may not be read',
      { status: 403, json: { message: 'no' } },
      ['This key has no permission to read orders; get, list and cancel will be rejected.'],
    ],
    ['other JSON', { json: { message: 'Hello' } }, [unchecked('status 200: Hello')]],
    ['text', { text: 'OK' }, [unchecked('status 200, but without a list of orders')]],
    [
      'an error in a 200',
      { json: { success: false, error: { message: 'Try later.' } } },
      [unchecked('status 200: Try later')],
    ],
    [
      '400',
      { status: 400, json: { message: 'createdFrom is required' } },
      [unchecked('status 400: createdFrom is required')],
    ],
    [
      '404',
      { status: 404, json: { message: 'Cannot GET\n\u001b[1m/orders' } },
      [unchecked('status 404: Cannot GET /orders')],
    ],
    ['422', { status: 422, json: {} }, [unchecked('status 422')]],
    ['429', { status: 429, json: {} }, [unchecked('status 429')]],
    [
      '429 for long',
      { status: 429, headers: { 'retry-after': '9999' }, json: {} },
      [unchecked('status 429')],
    ],
    [
      '500',
      { status: 500, json: { message: 'Database is down.' } },
      [unchecked('status 500: Database is down')],
    ],
    ['503', { status: 503, text: '' }, [unchecked('status 503')]],
    [
      'more than can be read',
      { status: 200, text: `[${' '.repeat(11_000_000)}]` },
      [unchecked('too large a response')],
    ],
  ])('stores the key after %s, and says what was not checked', async (_what, reply, warnings) => {
    expect(await loginAt(reply)).toEqual({
      lines: ['Stored the key …3456 for URL (LIVE) in profile default.', ...warnings],
      exitCode: 0,
      isStored: true,
    });
  });

  it.each<[string, Reply, number]>([
    ['401', { status: 401, json: {} }, 4],
    ['a web page', page(200), 7],
    ['a web page with 403', page(403), 4],
    [
      'a web page with 403 of a firewall',
      {
        status: 403,
        text: '<html><body><h1>Access denied</h1><p>Blocked by the web application firewall.</p></body></html>',
        headers: { 'content-type': 'text/html' },
      },
      7,
    ],
    ['a web page with 404', page(404), 7],
    ['the web page of a gateway', page(502), 7],
    ['a redirect', { status: 302, headers: { location: 'https://login.example/' } }, 7],
    ['no response', lost, 7],
  ])('stores nothing after %s', async (_what, reply, expected) => {
    const { lines, exitCode, isStored } = await loginAt(reply);
    expect([exitCode, isStored, lines[0]]).toEqual([expected, false, expect.stringMatching(/^error: /)]);
  });

  it('stores nothing when it is interrupted between two attempts', async () => {
    const interruption = createInterruption();
    const { baseUrl } = await startStubService(() => ({ status: 500, json: {} }));
    const configDirectory = temporaryDirectory();
    const { exitCode } = await runCli(['login', '--base-url', baseUrl, '--with-key'], {
      stdin: 'mk_live_123456',
      configDirectory,
      interruption,
      onSleep: () => interruption.send('SIGINT'),
    });
    expect([exitCode, (await runCli(['whoami'], { configDirectory })).exitCode]).toEqual([130, 4]);
  });

  it.each([
    [['login'], '', 'The base URL is missing.'],
    [
      ['login', '--base-url', 'https://delivery.example'],
      '',
      'The API key is missing, and the program cannot ask questions here.',
    ],
    [
      ['login', '--base-url', 'https://delivery.example', '--with-key'],
      ' \n',
      'There was no key on standard input.',
    ],
    [['login', '--base-url', 'delivery.example', '--with-key'], 'key', 'This is not a base URL.'],
    [['login', '--base-url', 'http://delivery.example', '--with-key'], 'key', 'The base URL is not https.'],
    [
      ['login', '--base-url', 'https://delivery.example', '--with-key'],
      'sandbox_key_1',
      'A sandbox key is not sent to delivery.example.',
    ],
    [
      ['login', '--base-url', 'https://delivery.example', '--with-key'],
      'two words',
      'This is not an API key: it contains characters that no key has, such as spaces.',
    ],
    [
      ['login', '--base-url', 'https://delivery.example', '--with-key'],
      'k'.repeat(4097),
      'Standard input is larger than 4 KiB.',
    ],
    [
      ['login', '-p', '__proto__', '--base-url', 'https://delivery.example', '--with-key'],
      'key',
      'This cannot be the name of a profile.',
    ],
  ])('rejects %j with input %j', async (args, stdin, sentence) => {
    const { stderr, exitCode } = await runCli(args, { stdin });
    expect([stderr.split('\n')[0], exitCode]).toEqual([`error: ${sentence}`, 2]);
  });

  it('reports a configuration that cannot be written', async () => {
    const { sandbox } = await startService();
    const parent = temporaryDirectory();
    writeFileSync(join(parent, 'file'), '');
    const configDirectory = join(parent, 'file', 'config');
    const args = ['login', '--base-url', sandbox.baseUrl, '--with-key'];
    const { stdout, stderr, exitCode } = await runCli(args, { stdin: sandbox.apiKey, configDirectory });
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toMatch(/^error: .* cannot be written: a file has the name of its folder\.\n.*\n$/);
    expect((await runCli(['whoami'], { configDirectory })).exitCode).toBe(4);
  });

  it('reports a damaged configuration and does not change it', async () => {
    const configDirectory = temporaryDirectory();
    const path = join(configDirectory, 'config.json');
    writeFileSync(path, '{"profiles":');
    const { stderr, exitCode } = await runCli(['login', '--base-url', 'https://a.example', '--with-key'], {
      stdin: 'key',
      configDirectory,
    });
    expect(stderr).toContain(`The configuration file ${path} cannot be read: it is not JSON.`);
    expect({ exitCode, text: readFileSync(path, 'utf8') }).toEqual({ exitCode: 2, text: '{"profiles":' });
  });
});

describe('--profile', () => {
  const order = ['--external-order-id', 'UB-1', '--phone', '99112233', '--item', 'TEA-001', '--prepaid'];
  const file = fileURLToPath(new URL('fixtures/orders.csv', packageRoot));
  const contradiction = (variable: string) =>
    `--profile shop names another service or key than ${variable}.\nUnset ${variable} to use the profile, or remove --profile to use the environment.\n`;

  async function startShop() {
    const { sandbox, configDirectory, login } = await startLogin();
    await login(sandbox.apiKey, '-p', 'shop');
    const env = (variable: string) => ({
      [variable]: variable.endsWith('KEY')
        ? sandbox.readOnlyApiKey
        : variable.endsWith('URL')
          ? 'https://a.example'
          : '1',
    });
    const run = (args: string[], variable: string, stdin = '') =>
      runCli([...args, '-p', 'shop'], { configDirectory, env: env(variable), stdin });
    return { sandbox, run };
  }

  it.each(['MERCHANT_ORDERS_API_KEY', 'MERCHANT_ORDERS_BASE_URL', 'MERCHANT_ORDERS_SANDBOX'])(
    'is not mixed with %s: nothing is sent',
    async (variable) => {
      const { run } = await startShop();
      for (const args of [
        ['list'],
        ['get', 'UB-1'],
        ['cancel', 'UB-1', '--reason', 'a', '--yes'],
        ['create', ...order, '--yes'],
        ['create', ...order, '--dry-run'],
        ['import', file, '--yes'],
        ['import', file, '--dry-run'],
      ]) {
        const { stdout, stderr, exitCode } = await run(args, variable);
        const expected = { stdout: '', stderr: `error: ${contradiction(variable)}`, exitCode: 2 };
        expect([args, { stdout, stderr, exitCode }]).toEqual([args, expected]);
      }
    },
  );

  it('is not compared with the environment by the commands that only concern profiles', async () => {
    const { sandbox, run } = await startShop();
    const whoami = await run(['whoami'], 'MERCHANT_ORDERS_API_KEY');
    expect([whoami.stdout, whoami.exitCode]).toEqual([expect.stringContaining('\tenvironment\n'), 0]);
    expect(whoami.stderr).toBe(`warning: ${contradiction('MERCHANT_ORDERS_API_KEY').replace('\n', ' ')}`);
    for (const args of [
      ['profiles'],
      ['profiles', 'use', 'shop'],
      ['profiles', 'fields', 'note=remark'],
      ['login', '--base-url', sandbox.baseUrl, '--with-key'],
      ['logout'],
    ]) {
      for (const variable of ['MERCHANT_ORDERS_API_KEY', 'MERCHANT_ORDERS_SANDBOX']) {
        const { exitCode } = await run(args, variable, sandbox.apiKey);
        expect([args, exitCode]).toEqual([args, 0]);
      }
    }
  });
});

describe('logout', () => {
  it('removes the key of one profile, or of all', async () => {
    const { sandbox, configDirectory, login } = await startLogin();
    await login(sandbox.apiKey);
    await login(sandbox.apiKey, '-p', 'second');
    const run = (...args: string[]) => runCli(args, { configDirectory });
    expect((await run('logout')).stderr).toBe('Removed the key of default.\n');
    expect((await run('whoami')).exitCode).toBe(4);
    expect((await run('whoami', '-p', 'second')).exitCode).toBe(0);
    expect((await run('logout', '--all')).stderr).toBe('Removed the key of second.\n');
    expect((await run('logout', '--all')).stderr).toBe('No key is stored.\n');
    expect(readFileSync(join(configDirectory, 'config.json'), 'utf8')).not.toContain(sandbox.apiKey);
  });
});

describe('login where nothing names the language', () => {
  const inMongolia = { machine: { timeZone: 'Asia/Ulaanbaatar' } };
  const mongolian = { env: { LANG: 'mn_MN.UTF-8', NO_COLOR: '1' } };
  const question = 'Хэл / Language (merchant-orders profiles language mn|en)';

  it.each([
    ['in the time zone of Mongolia', inMongolia, 'Base URL of the service'],
    ['with a Mongolian locale', mongolian, 'Системийн хаяг (https://…)'],
  ])('asks for it once, %s, and speaks it from then on', async (_, machine, inOther) => {
    const { sandbox } = await startService();
    const configDirectory = temporaryDirectory();
    const login = (...answers: Answering[]) => runCli(['login'], { ...machine, configDirectory, answers });
    const inMongolian = await login({ pick: 'Монгол' }, sandbox.baseUrl, 'two words', sandbox.apiKey);
    expect(inMongolian).toMatchObject({
      asked: [question, 'Системийн хаяг (https://…)', 'API түлхүүр', 'API түлхүүр'],
      exitCode: 0,
    });
    expect(
      inMongolian.stderr,
    ).toBe(`API түлхүүрийг системийн админ өгдөг. Түлхүүр байхгүй бол админаас авна уу; захиалга үүсгэхэд orders:write эрх хэрэгтэй.
API түлхүүр биш байна: хоосон зай зэрэг түлхүүрт байдаггүй тэмдэгт орсон байна.
Түлхүүрээ дахин хуулж тавина уу. Зогсоох бол Ctrl-C дарна уу.
…${sandbox.apiKey.slice(-4)} түлхүүрийг default профайлд хадгаллаа: ${sandbox.baseUrl} (ТУРШИЛТ).
`);
    expect((await login('', sandbox.apiKey)).asked).toEqual(['Системийн хаяг (https://…)', 'API түлхүүр']);
    const other = temporaryDirectory();
    const left = await runCli(['login'], { ...machine, configDirectory: other, answers: [{ leave: true }] });
    expect(left).toMatchObject({ asked: [question], exitCode: 130 });
    const inEnglish = await runCli(['login'], {
      ...machine,
      configDirectory: other,
      answers: [{ pick: 'English' }, { leave: true }],
    });
    expect(inEnglish.asked).toEqual([question, 'Base URL of the service']);
    // Nothing was stored, so it is asked again, and Enter takes the language of the locale.
    const again = await runCli(['login'], {
      ...machine,
      configDirectory: other,
      answers: [({ preset }) => preset ?? '', { leave: true }],
    });
    expect(again.asked).toEqual([question, inOther]);
    const variable = { MERCHANT_ORDERS_LANG: inOther.startsWith('Base') ? 'en' : 'mn' };
    const named = await runCli(['login'], { ...machine, env: variable, answers: [{ leave: true }] });
    expect(named.asked).toEqual([inOther]);
  });

  it('keeps the one that another window stored meanwhile', async () => {
    const { sandbox } = await startService();
    const configDirectory = temporaryDirectory();
    const baseUrl = async () => {
      await runCli(['profiles', 'language', 'en'], { configDirectory });
      return sandbox.baseUrl;
    };
    const answers = [{ pick: 'Монгол' }, baseUrl, sandbox.apiKey];
    expect((await runCli(['login'], { ...inMongolia, configDirectory, answers })).exitCode).toBe(0);
    const stored = JSON.parse(readFileSync(join(configDirectory, 'config.json'), 'utf8'));
    expect(stored.language).toBe('en');
  });
});
