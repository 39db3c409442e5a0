import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.ts';
import { folderWith, noOrders, start } from './setup.ts';

describe('a dry run', () => {
  it.each([
    ['items[].quantity:number', '2', 2],
    ['items[].unitPrice', '900', 2],
    ['items[].name', 'Tea', 0],
    ['items[].sku', 'TEA-1', 0],
  ])('needs a column that says what is delivered, which %s does or does not', async (header, cell, exit) => {
    const { stderr, exitCode } = await runCli(['import', '-', '--dry-run'], {
      stdin: `externalOrderId,customer.phone,${header},collectionMode\n1,99112233,${cell},NONE\n`,
    });
    expect([exitCode, stderr.includes('items_missing')]).toEqual([exit, exit === 2]);
  });

  it.each([['table'], ['json'], ['ndjson']])(
    'counts the same in %s, with a key and without',
    async (format) => {
      const shop = await start('orders-invalid.csv');
      await shop.import(['--rows', '2', '--yes']);
      const flags = ['--dry-run', '--on-invalid', 'skip', '--format', format];
      const withKey = await shop.import(flags);
      const withoutKey = await runCli(['import', shop.csv, ...flags]);
      const counts = ({ stdout }: { stdout: string }) =>
        format === 'table'
          ? stdout.split('\n').slice(1, -1)
          : JSON.parse(format === 'json' ? stdout : (stdout.trimEnd().split('\n').at(-1) ?? '')).orders;
      const expectedWithKey = { already_exists: 1, invalid: 18, not_sent: 7, total: 26 };
      const table = ['already_exists\t1', 'invalid\t18', 'not_sent\t7', 'total\t26'];
      expect(counts(withKey)).toEqual(format === 'table' ? table : { ...noOrders, ...expectedWithKey });
      const expectedWithoutKey = { invalid: 18, not_sent: 8, total: 26 };
      expect(counts(withoutKey)).toEqual(
        format === 'table'
          ? ['invalid\t18', 'not_sent\t8', 'total\t26']
          : { ...noOrders, ...expectedWithoutKey },
      );
    },
  );

  it('names the rows that are no orders', async () => {
    const { csv } = folderWith('import/rows-that-are-no-orders.csv');
    const flags = ['--set', 'collectionMode=NONE', '--dry-run', '--json'];
    const { stdout, stderr, exitCode } = await runCli(['import', csv, ...flags]);
    const note =
      '5 rows are not orders and were left out: row 6 (a total), row 7 (a footer), row 11 (a total), row 12 (a total), row 13 (a footer).';
    expect(JSON.parse(stdout).plan.notes).toEqual([note]);
    expect(stderr.replace(/\n +/g, ' ')).toContain(`note           ${note}\n`);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 12, orders: { total: 6, not_sent: 6 } });
  });
});
