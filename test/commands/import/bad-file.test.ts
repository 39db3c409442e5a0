import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { start } from './setup.ts';

describe('a file that cannot be imported', () => {
  it.each<[string, string[], string]>([
    ['import/windows-1251.csv', [], 'is not UTF-8 text'],
    ['import/quote-never-closed.csv', [], 'has a quote that opens on line 4 and never closes'],
    [
      'import/most-rows-too-wide.csv',
      [],
      'has 3 cells in row 2 (line 2), but the header has 2; other widths too in 1 more row: 4',
    ],
    ['import/empty.csv', [], 'is empty'],
  ])('%s', async (name, flags, problem) => {
    const shop = await start(name);
    const { stdout, stderr, exitCode } = await shop.import([...flags, '--yes']);
    expect({ stdout, error: stderr.split('\n')[0], exitCode }).toEqual({
      stdout: '',
      error: `error: ${shop.csv} ${problem}.`,
      exitCode: 2,
    });
    expect([shop.sandbox.requestCount(), shop.files().length]).toEqual([0, 1]);
  });

  it.each([
    ['of 600 names', Array(600).fill('a').join('.')],
    ['of 3000 names', Array(3000).fill('a').join('.')],
    ['of 400 numbers', `a${'[999]'.repeat(400)}`],
    ['of 128 KiB', 'a.'.repeat(64 * 1024 - 1)],
  ])('is refused for a column with a path %s', async (_, path) => {
    const shop = await start('orders.csv');
    shop.edit('deliveryAddress.note', path);
    const { stdout, stderr, exitCode } = await shop.import(['--yes']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(/^header {2}column P a.* {2}header_invalid$/m);
    expect(stderr).toContain('has more than 16 steps\n');
    expect(shop.sandbox.requestCount()).toBe(0);
  });

  it('rejects every order whose columns leave far more lines empty than they fill', async () => {
    const shop = await start('orders.csv');
    const lists = Array.from({ length: 400 }, (_, list) => `list${list}[999]`);
    const rows = readFileSync(shop.csv, 'utf8').trim().split('\n').slice(0, 2);
    writeFileSync(shop.csv, `${rows[0]},${lists}\n${rows[1]}${',x'.repeat(400)}\n`);
    const { stderr, exitCode } = await shop.import(['--yes']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"list10[999]" leaves more than 10000 lines of the order empty');
    expect(stderr).toContain('number the lines from 0, without gaps');
    expect(shop.sandbox.requestCount()).toBe(0);
  });

  it.each([
    ['--limit', '0'],
    ['--rows', 'a'],
    ['--concurrency', '65'],
    ['--delimiter', '""'],
    ['--on-invalid', 'maybe'],
    ['--set', 'total'],
    ['--set', '__proto__.x=1'],
    ['--set', 'externalOrderId=A'],
  ])('is not opened when a flag is invalid: %s %s', async (flag, value) => {
    const shop = await start('orders.csv');
    const { stdout, stderr, exitCode } = await shop.run([
      'import',
      shop.path('none.csv'),
      '--yes',
      flag,
      value,
    ]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(flag);
    expect(stderr).not.toContain('cannot be read');
  });
});

it.each([
  [[], 'it is a list of orders that exist already, and lacks items, collectionMode'],
  [
    ['--for', 'courier'],
    'it is a list of orders that exist already, and lacks externalOrderId, items, collectionMode',
  ],
])('a list of orders that %j wrote is told in one sentence, also at a terminal', async (flags, sentence) => {
  const shop = await start('orders.csv');
  await shop.import(['--yes', '--limit', '2']);
  const list = shop.path('list.csv');
  await shop.run(['list', '--all', ...flags, '-o', list]);
  const { exitCode, stderr } = await shop.run(['import', list, '--yes']);
  expect([exitCode, stderr.match(/ {2}problem .*/g)]).toEqual([2, [`  problem  ${sentence}`]]);
  expect(await shop.run(['import', list], { answers: [] })).toMatchObject({ exitCode: 2, asked: [] });
});
