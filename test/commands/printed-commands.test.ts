import { describe, expect, it } from 'vitest';
import { startStubService } from '../api/stub-service.ts';
import { type CliOptions, runCli } from '../support/cli.ts';
import { startService } from '../support/service.ts';

/** A service whose key is not that of a sandbox, so that a confirmation is required. */
async function startLive() {
  const { baseUrl } = await startStubService(() => ({ json: { data: [] } }));
  const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: 'key-of-a-shop' };
  return (args: string[], options: CliOptions = {}) => runCli(args, { ...options, env });
}

const commandsIn = (text: string) => text.split('\n').filter((line) => line.includes('merchant-orders '));
const order = ['--external-order-id', 'UB-1', '--phone', '99112233', '--item', 'TEA-1', '--prepaid'];

describe('a printed command', () => {
  it.each([
    ['same as Q-2 really', '"same as Q-2 really"'],
    ["it's A&B|C<D>E^F, (odd)", `"it's A&B|C<D>E^F, (odd)"`],
    ['-o.csv', '"-o.csv"'],
    ['C:\\orders\\1.csv', 'C:\\orders\\1.csv'],
    ['дутуу', '"дутуу"'],
  ])('has double quotes on Windows: %s', async (reason, quoted) => {
    const cli = await startLive();
    const { stderr } = await cli(['cancel', 'Q-1', '--reason', reason], { isWindows: true });
    expect(commandsIn(stderr)).toEqual([`  merchant-orders cancel Q-1 --reason ${quoted} --yes`]);
  });

  it.each(['say "hi"', '50%', 'now!', '$HOME', '`x`', 'two\nlines', '“said”', 'C:\\my orders\\'])(
    'leaves out a value that no quotes of Windows hold together: %j',
    async (note) => {
      const cli = await startLive();
      const args = ['create', ...order, `--set=note=${note}`, '--set', `note=${note}`];
      const { stderr } = await cli(args, { isWindows: true });
      expect(commandsIn(stderr)).toEqual([`  merchant-orders create ${order.join(' ')} --set= --set= --yes`]);
    },
  );

  it('asks for a value that was left out, or sends nothing', async () => {
    const { cli, sandbox } = await startService();
    const { exitCode } = await cli(['create', ...order, '--set=', '--yes']);
    expect({ exitCode, requests: sandbox.requestCount() }).toEqual({ exitCode: 2, requests: 0 });
    await cli(['create', ...order, '--yes']);
    const cancelled = await cli(['cancel', 'UB-1', '--reason=', '--yes'], { answers: ['out of stock'] });
    expect(cancelled).toMatchObject({ exitCode: 0, asked: ['Reason'] });
  });

  it('stands on a line of its own, which is not wrapped', async () => {
    const cli = await startLive();
    const reason = 'the customer has changed her mind about all of it, and then once more about some of it';
    const args = ['cancel', 'UB-1', '--reason', reason, '--no-input'];
    const { stderr } = await cli(args, { answers: [], width: 40 });
    expect(commandsIn(stderr)).toEqual([
      `  merchant-orders cancel UB-1 --reason '${reason}' --no-input --yes`,
    ]);
  });

  it.each<[boolean, string]>([
    [false, 'merchant-orders --base-url https://delivery.example login --with-key < key.txt'],
    [true, 'type key.txt | merchant-orders --base-url https://delivery.example login --with-key'],
  ])('gives a key file as the shell can (on Windows: %s)', async (isWindows, command) => {
    const args = ['login', '--base-url', 'https://delivery.example', '--with-key'];
    expect(await runCli(args, { isWindows })).toEqual(
      expect.objectContaining({
        stderr: `error: There was no key on standard input.\nRun: ${command}\n`,
        exitCode: 2,
      }),
    );
  });
});

describe('a word that begins or ends with a single quote', () => {
  const args = ['cancel', 'Q-1', '--reason', "'same", 'as', 'Q-2', "really'", '--yes'];

  it('is refused on Windows, where it comes from the quotes of another shell', async () => {
    const { cli, sandbox } = await startService();
    const { stdout, stderr, exitCode } = await cli(args, { isWindows: true });
    expect({ stdout, exitCode, requests: sandbox.requestCount() }).toEqual({
      stdout: '',
      exitCode: 2,
      requests: 0,
    });
    expect(stderr).toBe(
      'error: A word of the command begins or ends with a single quote (\'), which this shell does not read as a quote. Nothing was sent.\nWrite double quotes: --reason "out of stock"\n',
    );
  });
});
