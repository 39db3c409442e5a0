import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';

const atTerminal = { answers: [] };
const english = 'error: The order has 4 problems. Nothing was sent.';
const mongolian = 'алдаа: Захиалгад 4 алдаа байна. Юу ч илгээгээгүй.';

/** The first line of an error that is shown to a person or written into a pipe. */
async function firstLine(options: Parameters<typeof runCli>[1]): Promise<string> {
  const env = { NO_COLOR: '1', ...options?.env };
  const { stderr } = await runCli(['create', '--dry-run'], { ...options, env });
  return stderr.split('\n')[0] ?? '';
}

describe('at a terminal, the language is', () => {
  it.each<[string, Record<string, string>, string]>([
    ['English without a setting', {}, english],
    ['that of MERCHANT_ORDERS_LANG', { MERCHANT_ORDERS_LANG: 'mn' }, mongolian],
    [
      'not that of the locale, if the variable names one',
      { MERCHANT_ORDERS_LANG: 'en', LANG: 'mn_MN' },
      english,
    ],
    ['that of the locale', { LANG: 'mn_MN.UTF-8' }, mongolian],
    [
      'that of LC_ALL before LC_MESSAGES and LANG',
      { LC_ALL: 'mn', LC_MESSAGES: 'en_US', LANG: 'C' },
      mongolian,
    ],
    ['that of LC_MESSAGES before LANG', { LC_MESSAGES: 'C', LANG: 'mn_MN' }, english],
    ['English in any other locale', { LANG: 'mnw_MM' }, english],
    ['English if the variable is blank', { MERCHANT_ORDERS_LANG: '' }, english],
  ])('%s', async (_, env, expected) => {
    expect(await firstLine({ ...atTerminal, env })).toBe(expected);
  });

  it.each([
    ['the stored one before that of the locale', 'mn', { LANG: 'en_US' }, mongolian],
    ['the stored one after the variable', 'mn', { MERCHANT_ORDERS_LANG: 'en' }, english],
    ['English, when it is stored', 'en', { LANG: 'mn_MN' }, english],
  ])('%s', async (_, language, env, expected) => {
    const configDirectory = temporaryDirectory();
    writeFileSync(join(configDirectory, 'config.json'), JSON.stringify({ language, profiles: {} }), {
      mode: 0o600,
    });
    expect(await firstLine({ ...atTerminal, configDirectory, env })).toBe(expected);
  });
});

it('is English in a pipe and in JSON', async () => {
  const env = { MERCHANT_ORDERS_LANG: 'mn' };
  expect(await firstLine({ env })).toBe(english);
  const { stderr } = await runCli(['create', '--dry-run', '--json'], { ...atTerminal, env });
  expect(JSON.parse(stderr).error.message).toBe('The order has 4 problems. Nothing was sent.');
});

it.each([[{}], [atTerminal]])('refuses an unknown language, naming the two', async (options) => {
  expect(
    await runCli(['list'], { ...options, env: { NO_COLOR: '1', MERCHANT_ORDERS_LANG: 'de' } }),
  ).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: `error: MERCHANT_ORDERS_LANG is "de", which is no language of merchant-orders.
Set it to mn (Mongolian) or en (English).
`,
  });
});
