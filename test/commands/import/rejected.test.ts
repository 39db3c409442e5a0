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

const sumWarning =
  '; warning: total: the lines do not add up to the total; check whether a line or a quantity is missing';

describe('an order whose row was edited after it was created', () => {
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
