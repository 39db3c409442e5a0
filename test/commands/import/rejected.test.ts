import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { noOrders, rowsOf, start } from './setup.ts';

describe('an order that the service rejects', () => {
  it('is reported with its code and written to the rejects file', async () => {
    const shop = await start('import/rejected-by-service.csv');
    const { stdout, exitCode } = await shop.import(['--yes']);
    expect({ stdout, exitCode }).toEqual({
      stdout: 'outcome\torders\ncreated\t1\nrejected\t3\ntotal\t4\n',
      exitCode: 6,
    });
    const outcomes = rowsOf(shop.results).map(({ row, outcome, code }) => [row, outcome, code]);
    expect(outcomes).toEqual([
      ['2', 'created', ''],
      ['3', 'rejected', 'PRODUCT_SKU_NOT_FOUND'],
      ['5', 'rejected', 'PRODUCT_SKU_INACTIVE'],
      ['6', 'rejected', 'CUSTOMER_PHONE_AMBIGUOUS'],
    ]);
    const rejects = rowsOf(shop.rejects);
    expect(rejects.map(({ _row, _code }) => [_row, _code])).toEqual([
      ['3', 'PRODUCT_SKU_NOT_FOUND'],
      ['4', ''],
      ['5', 'PRODUCT_SKU_INACTIVE'],
      ['6', 'CUSTOMER_PHONE_AMBIGUOUS'],
    ]);
    expect(rejects[0]?._error).toBe(
      'The service rejected the order: items[1].sku: no product has the SKU "NO-SUCH".',
    );
    expect(rejects.filter(({ _code, _fix }) => _code !== '' && _fix === '')).toEqual([]);
    expect(await shop.listed()).toHaveLength(1);
  });

  it('is created after it is fixed; the others are not created again', async () => {
    const shop = await start('import/rejected-by-service.csv');
    await shop.import(['--yes']);
    shop.edit('NO-SUCH', 'TEA-004');
    shop.edit('SEA-001', 'TEA-005');
    shop.edit('+97699000000', '99112299');
    const { stdout, exitCode } = await shop.import(['--yes', '--json']);
    expect(JSON.parse(stdout).orders).toEqual({ ...noOrders, total: 4, created: 3, already_exists: 1 });
    expect([exitCode, (await shop.listed()).length]).toEqual([0, 4]);
  });
});

describe('the reasons of rejections', () => {
  it('are on the screen with their cure, above the counts', async () => {
    const shop = await start('import/rejected-by-service.csv');
    const { stderr } = await shop.import(['--yes']);
    expect(
      stderr
        .replace(/^\d\/\d orders.*\n/gm, '')
        .split('\n')
        .slice(0, 4),
    ).toEqual([
      'row 3  order sku-unknown  PRODUCT_SKU_NOT_FOUND',
      '  problem  The service rejected the order: items[1].sku: no product has the SKU "NO-SUCH".',
      '  fix      Check the SKU. If it is right, ask the platform to add the product, or leave the SKU out for an item that is not in the catalogue.',
      '',
    ]);
    expect(stderr).toMatch(/\n\nResults: .*\nTo fix: .*\nerror: 3 of 4 orders failed\.\n/);
  });

  it('are folded when they are the same', async () => {
    const shop = await start('orders.csv');
    const limited = ['--limit', '30', '--yes'];
    await shop.import(limited);
    await shop.run(['cancel', '--from', shop.results, '--reason', 'by mistake', '--yes']);
    const { stderr, exitCode } = await shop.import(limited);
    const [first] = rowsOf(shop.results);
    const rows = rowsOf(shop.results)
      .slice(1, 7)
      .map(({ row }) => row);
    expect(exitCode).toBe(6);
    expect(stderr.slice(stderr.indexOf('row 2'), stderr.indexOf('\nResults'))).toBe(
      [
        'row 2  order UB-10001  order_cancelled',
        `  problem  it was created before and is cancelled (${first?.order_number})`,
        '  fix      import it under a new ID, or again with --recreate-cancelled; or remove its rows',
        `           same in 29 more rows: ${rows.join(', ')}, ...`,
        '',
        '30 orders are already there with other content, or cancelled. They were not created again.',
      ].join('\n'),
    );
  });
});

const sumWarning =
  '; warning: total: the lines do not add up to the total; check whether a line or a quantity is missing';

describe('an order whose row was edited after it was created', () => {
  it('is a conflict, and the others already exist', async () => {
    const shop = await start('orders.csv');
    await shop.import(['--limit', '3', '--yes']);
    const [created] = rowsOf(shop.results);
    shop.edit('302251.50,302251.50', '302251.50,302251.00');
    const { stdout, exitCode } = await shop.import(['--limit', '3', '--yes']);
    expect({ stdout, exitCode }).toEqual({
      stdout: 'outcome\torders\nalready_exists\t2\nconflict\t1\ntotal\t3\n',
      exitCode: 6,
    });
    expect(rowsOf(shop.results)[0]).toEqual({
      ...created,
      outcome: 'conflict',
      code: 'content_changed',
      attempts: '0',
      delivery: '',
      message: `it was created before with other content (${created?.order_number}; different: total)${sumWarning}`,
    });
    expect(rowsOf(shop.rejects).map(({ _row, _code }) => [_row, _code])).toEqual([
      ['2', 'content_changed'],
      ...['3', '4', '5', '6'].map((row) => [row, '']),
    ]);
    // The list, three creates, and one read of the order that differs.
    expect(shop.sandbox.requestCount()).toBe(5);
  });

  it('is a conflict without the ledger as well, and the differing field is named', async () => {
    const shop = await start('orders.csv');
    await shop.import(['--limit', '1', '--yes']);
    rmSync(shop.configDirectory, { recursive: true });
    shop.edit('302251.50,302251.50', '302251.50,302251.00');
    const { exitCode } = await shop.import(['--limit', '1', '--yes']);
    const [result] = rowsOf(shop.results);
    expect([exitCode, result?.outcome, result?.message]).toEqual([
      ...[6, 'conflict'],
      `Order UB-10001 already exists with other content (${result?.order_number}; different: total)${sumWarning}`,
    ]);
    expect(await shop.listed()).toHaveLength(1);
  });
});
