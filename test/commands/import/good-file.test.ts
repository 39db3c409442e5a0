import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesOf } from '../../../src/commands/import/result-files.ts';
import { type Cells, countBy, rowsOf, start } from './setup.ts';

describe('a good file', () => {
  it('creates every order and writes the results beside the file', async () => {
    const shop = await start('orders.csv');
    const { stdout, stderr, exitCode } = await shop.import(['--yes']);
    // A slow machine prints a line of progress every ten seconds.
    expect({ stdout, stderr: stderr.replace(/^\d+\/264 orders .*\n/gm, ''), exitCode }).toEqual({
      stdout: 'outcome\torders\ncreated\t264\ntotal\t264\n',
      stderr: `Results: ${shop.results}\n`,
      exitCode: 0,
    });
    // The list is read once before the first create.
    expect(shop.sandbox.requestCount()).toBe(265);
    expect(shop.files()).toEqual(['orders.csv', 'orders.results.csv']);
    const results = rowsOf(shop.results);
    expect(countBy(results, 'outcome')).toEqual({ created: 264 });
    const [{ created_by_run: run } = {}] = results;
    expect(run).toMatch(/^[0-9a-f]{8}$/);
    const listed = new Map((await shop.listed()).map((order) => [order.externalOrderId, order]));
    expect(listed.size).toBe(264);
    const actual = results.map((row) => ({
      ...row,
      row: Number(row.row),
      idempotency_key: row.idempotency_key?.length,
      delivery: JSON.parse(row.delivery ?? ''),
    }));
    expect(actual).toEqual(
      results.map(({ row, external_order_id }) => {
        const { id, orderNumber, delivery }: Cells = listed.get(external_order_id ?? '') ?? {};
        return {
          row: Number(row),
          external_order_id,
          outcome: 'created',
          order_id: id,
          delivery,
          order_number: orderNumber,
          code: '',
          message: '',
          attempts: '1',
          idempotency_key: 36,
          created_by_run: run,
        };
      }),
    );
    expect(actual.map(({ row }) => row)).toEqual(actual.map(({ row }) => row).sort((a, b) => a - b));
  });

  it('creates none of them again and names the run that created them', async () => {
    const shop = await start('orders.csv');
    await shop.import(['--yes']);
    const first = rowsOf(shop.results);
    const { stdout, stderr, exitCode } = await shop.import();
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: 'outcome\torders\nalready_exists\t264\ntotal\t264\n',
      stderr: `All 264 orders exist already. Nothing was sent.\nResults: ${shop.results}\n`,
      exitCode: 0,
    });
    expect(shop.sandbox.requestCount()).toBe(265);
    const when = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ';
    expect(rowsOf(shop.results)).toEqual(
      first.map((row) => ({
        ...row,
        outcome: 'already_exists',
        attempts: '0',
        delivery: '',
        message: expect.stringMatching(new RegExp(`^created ${when} by run ${row.created_by_run}$`)),
      })),
    );
  });

  it('creates none of them again when the ledger is gone', async () => {
    const shop = await start('orders.csv');
    await shop.import(['--yes']);
    const first = rowsOf(shop.results);
    expect(existsSync(join(shop.configDirectory, 'ledger.db'))).toBe(true);
    rmSync(shop.configDirectory, { recursive: true });
    const { stdout, exitCode } = await shop.import(['--yes']);
    expect({ stdout, exitCode }).toEqual({
      stdout: 'outcome\torders\nalready_exists\t264\ntotal\t264\n',
      exitCode: 0,
    });
    expect(rowsOf(shop.results)).toEqual(
      first.map((row) => ({ ...row, outcome: 'already_exists', created_by_run: '' })),
    );
    const listed = await shop.listed();
    expect([listed.length, new Set(listed.map(({ externalOrderId }) => externalOrderId)).size]).toEqual([
      264, 264,
    ]);
  });

  it('can be read from standard input', async () => {
    const shop = await start('orders.csv');
    const files = ['--results', shop.path('out.csv'), '--rejects', shop.path('rejects.csv')];
    const { stdout, exitCode } = await shop.run(
      ['import', '-', '--yes', '--limit', '3', '--json', ...files],
      {
        stdin: readFileSync(shop.csv),
      },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      file: '-',
      orders: { created: 3 },
      results: shop.path('out.csv'),
    });
    expect(exitCode).toBe(0);
    expect(countBy(rowsOf(shop.path('out.csv')), 'outcome')).toEqual({ created: 3, not_sent: 261 });
    expect(filesOf('-', {})).toEqual({ results: 'stdin.results.csv', rejects: 'stdin.rejects.csv' });
  });

  it.each<[string, string[], string[]]>([
    ['the first orders', ['--limit', '2'], ['2', '7']],
    ['whole orders of some rows', ['--rows', '3,6-7'], ['2', '7']],
    ['the first orders of some rows', ['--rows', '3-9', '--limit', '1'], ['2']],
  ])('can be imported in part: %s', async (_, flags, rows) => {
    const shop = await start('orders.csv');
    const { stdout } = await shop.import([...flags, '--yes', '--json']);
    const { orders, rows: all } = JSON.parse(stdout);
    expect([orders.total, orders.created, all]).toEqual([rows.length, rows.length, 535]);
    const results = rowsOf(shop.results);
    expect(results).toHaveLength(264);
    const meant = results.filter(({ code }) => code !== 'not_selected');
    expect(meant.map(({ row, outcome }) => [row, outcome])).toEqual(rows.map((row) => [row, 'created']));
  });

  it('is imported beside what is not a lock in runs/, which is named and left there', async () => {
    const shop = await start('orders.csv');
    const junk = join(shop.configDirectory, 'runs', 'notes.db');
    mkdirSync(join(shop.configDirectory, 'runs'), { recursive: true, mode: 0o700 });
    writeFileSync(junk, 'my notes');
    const { stderr, exitCode } = await shop.import(['--limit', '1', '--yes']);
    expect([stderr.split('\n')[0], exitCode, readFileSync(junk, 'utf8')]).toEqual([
      `warning: ${junk} is not the lock of an import. It was left as it is.`,
      0,
      'my notes',
    ]);
  });
});
