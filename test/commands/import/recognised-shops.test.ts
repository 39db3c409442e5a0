import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rowsOf, start } from './setup.ts';

const header =
  'Name,Financial Status,Fulfillment Status,Currency,Total,Outstanding Balance,Payment Method,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Lineitem requires shipping,Shipping Method,Shipping Name,Shipping Street,Shipping City,Shipping Phone,Cancelled at';
const order = (
  name: string,
  status: string,
  fulfilment: string,
  due: string,
  method: string,
  cancelled = '',
) =>
  `${name},${status},${fulfilment},MNT,8900.00,${due},${method},1,Сүүтэй цай,8900.00,TEA-001,true,Хүргэлт,Б.Болд,Сөүлийн гудамж 12,Улаанбаатар,99112233,${cancelled}`;
const rows = [
  order('#1', 'paid', 'unfulfilled', '0.00', 'QPay'),
  order('#2', 'pending', 'unfulfilled', '8900.00', 'Cash on Delivery (COD)'),
  order('#3', 'paid', 'fulfilled', '0.00', 'QPay'),
  order('#4', 'pending', 'unfulfilled', '8900.00', 'Cash on Delivery (COD)', '2026-11-02 10:00:00 +0800'),
];

async function shopWith(...lines: string[]) {
  const shop = await start('orders.csv');
  writeFileSync(shop.csv, [header, ...lines].join('\n'));
  return shop;
}

describe('an export of a shop that is recognised', () => {
  it('is never read by the usual names of fields, nor as the shop without a confirmation', async () => {
    const shop = await shopWith(...rows);
    for (const flags of [['--yes'], [], ['--no-input'], ['--set', 'collectionMode=NONE', '--yes']]) {
      const { stdout, stderr, exitCode } = await shop.import(flags);
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
      expect(stderr).toContain(`${shop.csv} looks like a Shopify orders export. Nothing was sent.\n`);
      expect(stderr).toContain(
        `--preset shopify\nTo read it by its header alone, run:\n  merchant-orders import `,
      );
    }
    expect(shop.sandbox.requestCount()).toBe(0);
  });

  it('is read as the shop in a dry run, and with its preset', async () => {
    const shop = await shopWith(...rows);
    const tried = await shop.import(['--dry-run']);
    expect({ stdout: tried.stdout, exitCode: tried.exitCode }).toEqual({
      stdout: expect.stringContaining('not_sent\t2\n'),
      exitCode: 0,
    });
    expect(tried.stderr).toContain('Shopify orders export');
    const sent = await shop.import(['--preset', 'shopify', '--yes', '--json']);
    expect(sent.exitCode).toBe(0);
    expect(
      (await shop.listed()).map((found) => [
        found.externalOrderId,
        found.collectionMode,
        found.collectionAmount,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['#1', 'NONE', undefined],
        ['#2', 'COLLECT', '8900.00'],
      ]),
    );
    expect(JSON.parse(sent.stdout)).toMatchObject({ orders: { total: 2, created: 2 } });
  });

  it('names the orders that were created before and now need fixing, so that they can be cancelled', async () => {
    const shop = await shopWith(...rows);
    const flags = ['--preset', 'shopify', '--yes', '--on-invalid', 'skip'];
    await shop.import(flags);
    const [, before] = rowsOf(shop.results);
    shop.edit('#2,pending,', '#2,partially_refunded,');
    const tried = await shop.import(['--preset', 'shopify', '--dry-run', '--format', 'ndjson']);
    const { stdout } = await shop.import([...flags, '--json']);
    const [, after] = rowsOf(shop.results);
    expect(JSON.parse(stdout).orders).toMatchObject({ total: 2, already_exists: 1, invalid: 1 });
    const code = 'partly_fulfilled due_contradicts_status';
    const message = expect.stringMatching(`; it was created before \\(${before?.order_number}\\)$`);
    expect(after).toEqual({ ...before, outcome: 'invalid', delivery: '', attempts: '0', code, message });
    expect(JSON.parse(tried.stdout.split('\n')[1] ?? '')).toMatchObject({
      outcome: 'invalid',
      orderId: before?.order_id,
      orderNumber: before?.order_number,
      createdByRun: before?.created_by_run,
      code,
      message,
      fix: `if it must not be delivered, cancel it: merchant-orders cancel ${before?.order_number} --reason 'changed in the shop'`,
    });
    expect(rowsOf(shop.rejects)).toMatchObject([{ Name: '#2', _row: '3' }]);
    await shop.run(['cancel', '--from', shop.results, '--reason', 'by mistake', '--yes']);
    expect((await shop.listed()).map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED']);
    await shop.import(flags);
    expect(rowsOf(shop.results)[1]).toMatchObject({
      outcome: 'invalid',
      code,
      order_id: '',
      created_by_run: '',
    });
  });
});
