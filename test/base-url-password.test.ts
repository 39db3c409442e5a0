import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from './support/cli.ts';

const password = 'hunter2pw';
const urls = [
  `https://user:${password}@shop.example`,
  `http://user:${password}@shop.example/path`,
  `https://${password}@shop.example`,
  `https://user:${password}@shop example`,
  `https://user:${password}@`,
  `user:${password}@shop.example`,
  `https:/user:${password}@shop.example`,
  `https://user:p%40${password}@@shop.example`,
  `https://shop.example/?key=${password}`,
  `http://shop.example/#${password}`,
];
const order = ['--phone', '99112233', '--item', 'TEA', '--prepaid', '--external-order-id', 'UB-1'];
const commands = [
  ['whoami'],
  ['list'],
  ['create', ...order, '--dry-run'],
  ['create', ...order, '--yes'],
  ['login', '--with-key'],
  ['profiles'],
];

describe.each(urls)('the base URL %s', (url) => {
  const all = (extra: string[]) =>
    commands.flatMap((command) => [
      [...extra, ...command, '--verbose'],
      [...extra, ...command, '--json'],
    ]);

  it.each(all(['--base-url', url]).map((args) => [args.join(' '), args]))(
    'is refused: %s',
    async (_, args) => {
      const env = { MERCHANT_ORDERS_API_KEY: 'mk_live_0123456789' };
      const { stdout, stderr, exitCode } = await runCli(args as string[], { env });
      expect([stdout + stderr, exitCode]).toEqual([expect.not.stringContaining(password), 2]);
      expect(stderr).toContain('--base-url has a user, password, ? or #.');
    },
  );

  it.each(all([]).map((args) => [args.join(' '), args]))(
    'is refused in the environment: %s',
    async (_, args) => {
      const env = { MERCHANT_ORDERS_API_KEY: 'mk_live_0123456789', MERCHANT_ORDERS_BASE_URL: url };
      const { stdout, stderr, exitCode } = await runCli(args as string[], { env });
      const isUsed = !args.includes('profiles');
      expect([stdout + stderr, exitCode]).toEqual([expect.not.stringContaining(password), isUsed ? 2 : 0]);
      if (isUsed) expect(stderr).toContain('MERCHANT_ORDERS_BASE_URL has a user, password, ? or #.');
    },
  );

  it('stops no command that does not use it', async () => {
    const env = { MERCHANT_ORDERS_BASE_URL: url };
    const unused = [
      ['--sandbox', 'whoami'],
      ['imports'],
      ['import', '--template'],
      ['profiles'],
      ['sandbox', 'info'],
    ];
    for (const args of unused) {
      const { stdout, stderr, exitCode } = await runCli(args, { env });
      expect([args, stdout + stderr, exitCode]).toEqual([args, expect.not.stringContaining(password), 0]);
    }
  });

  it.each(all([]).map((args) => [args.join(' '), args]))(
    'is not shown from a profile: %s',
    async (_, args) => {
      const configDirectory = temporaryDirectory();
      const profiles = { default: { baseUrl: url, apiKey: 'mk_live_0123456789' } };
      writeFileSync(join(configDirectory, 'config.json'), JSON.stringify({ profiles }));
      const { stdout, stderr, exitCode } = await runCli(args as string[], {
        configDirectory,
        stdin: 'mk_live_0123456789',
      });
      expect([stdout + stderr, exitCode]).toEqual([expect.not.stringContaining(password), 2]);
    },
  );
});
