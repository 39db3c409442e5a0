import { describe, expect, it } from 'vitest';
import { errorIn } from '../../support/cli.ts';
import { noOrders, start } from './setup.ts';

describe('the output for programs', () => {
  it('is one summary whose counts add up', async () => {
    const shop = await start('orders.csv');
    const { stdout, exitCode } = await shop.import(['--yes', '--json']);
    const summary = JSON.parse(stdout);
    expect(summary).toEqual({
      file: shop.csv,
      run: expect.stringMatching(/^[0-9a-f]{8}$/),
      profile: 'default',
      sandbox: true,
      orders: { ...noOrders, total: 264, created: 264 },
      twice: 0,
      leftOut: { total: 0, byReason: {} },
      warnings: [],
      rows: 535,
      results: shop.results,
      rejects: null,
      durationMs: expect.any(Number),
      exitCode: 0,
    });
    expect(Object.keys(summary.orders)).toEqual(Object.keys(noOrders));
    expect(exitCode).toBe(0);
  });

  it('is one line for each order as it is sent, then the summary', async () => {
    const shop = await start('import/rejected-by-service.csv');
    const { stdout, exitCode } = await shop.import(['--yes', '--format', 'ndjson', '--concurrency', '1']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ externalOrderId, outcome, code }) => [externalOrderId, outcome, code])).toEqual([
      ['good', 'created', undefined],
      ['sku-unknown', 'rejected', 'PRODUCT_SKU_NOT_FOUND'],
      ['sku-inactive', 'rejected', 'PRODUCT_SKU_INACTIVE'],
      ['phone-ambiguous', 'rejected', 'CUSTOMER_PHONE_AMBIGUOUS'],
      [undefined, undefined, undefined],
    ]);
    expect(lines.at(-1)).toMatchObject({ orders: { ...noOrders, total: 4, created: 1, rejected: 3 } });
    expect(exitCode).toBe(6);
  });

  it('includes the error on one line of stderr', async () => {
    const shop = await start('orders-invalid.csv');
    const { stdout, stderr, exitCode } = await shop.import(['--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      orders: { ...noOrders, total: 26, invalid: 18, not_sent: 8 },
      results: null,
      rejects: shop.rejects,
      exitCode: 2,
    });
    const error = errorIn(stderr);
    expect(error).toMatchObject({ code: 'order_invalid', outcome: 'not_sent', exitCode: 2 });
    expect(error.issues).toHaveLength(12);
    expect(error.issues[1]).toEqual({
      path: 'customer.phone',
      code: 'phone_invalid',
      message: 'row 4: is not a phone number; write the number in digits: 99112233 or +976 9911 2233',
      value: 'утасгүй',
      rows: [4],
      count: 1,
    });
    const folded: { path: string; rows: number[]; count: number }[] = error.issues;
    expect(folded.filter(({ count }) => count > 1).map(({ path, rows }) => [path, ...rows])).toEqual([
      ['collectionMode', 9, 26],
      ['collectionAmount', 13, 14, 25],
      ['total', 16, 17, 19],
      ['requestedDeliveryDate', 21, 22, 25],
    ]);
    expect(stderr.split('\n').filter((line) => line.startsWith('row '))).toHaveLength(12);
    expect(exitCode).toBe(2);
  });
});
