import { describe, expect, it } from 'vitest';
import { rowsOf, start } from './setup.ts';

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
});
