import { describe, expect, it } from 'vitest';
import { checkPreset } from '../../../../src/import/mapping/mapping-file.ts';
import { presets } from '../../../../src/import/mapping/shops/presets.ts';
import { plan, tableOf } from '../../tables.ts';

describe('the data of the shops', () => {
  it.each(Object.entries(presets))('%s follows the schema', (_, preset) => {
    expect(checkPreset(preset)).toEqual([]);
  });

  it('is refused with a key that the schema does not have', () => {
    expect(checkPreset({ ...presets.shopify, unpaid: {} })).toEqual(['the file: Unrecognized key: "unpaid"']);
  });
});

describe('the address of a Shopify order', () => {
  const columns = 'Name|Shipping Phone|Lineitem name|Lineitem quantity|Financial Status|Shipping City';
  const cells = '#1|99112233|Tea|1|paid|Улаанбаатар';

  it.each([
    ['Shipping Street|Shipping Address1|Shipping Address2', 'Бага тойруу 44, 7|Бага тойруу 44|7'],
    ['Shipping Address1|Shipping Address2', 'Бага тойруу 44|7'],
    ['Shipping Street', 'Бага тойруу 44, 7'],
  ])('is whole with the columns %s', async (more, texts) => {
    const { all } = await plan(tableOf(`${columns}|${more}`, `${cells}|${texts}`), { preset: 'shopify' });
    const address = { street: 'Бага тойруу 44, 7', city: 'Улаанбаатар' };
    expect(all).toMatchObject([{ order: { deliveryAddress: address }, problems: [] }]);
  });
});

describe('a Shopify order that was sent in part', () => {
  const columns =
    'Name|Shipping Phone|Shipping Street|Lineitem name|Lineitem quantity|Financial Status|Fulfillment Status';
  const [first, second] = ['#1|99112233|Бага тойруу 44|Tea|1|paid|partial', '#1|||Mug|1||'];

  it('is read when each line has a state', async () => {
    const table = tableOf(
      `${columns}|Lineitem fulfillment status`,
      `${first}|fulfilled`,
      `${second}|pending`,
    );
    const { all } = await plan(table, { preset: 'shopify' });
    expect(all).toMatchObject([{ order: { items: [{ name: 'Mug' }] }, problems: [] }]);
  });

  it('is an error when no column says which lines were sent', async () => {
    const { all } = await plan(tableOf(columns, first, second), { preset: 'shopify' });
    expect(all[0]?.problems).toMatchObject([{ code: 'partly_fulfilled', header: 'Fulfillment Status' }]);
  });
});

describe('a refunded Shopify order', () => {
  it.each([
    ['paid', '1000.00', 'Refunded Amount'],
    ['partially_refunded', '', 'Financial Status'],
  ])('with the state %s and %j refunded names the column %s', async (state, amount, header) => {
    const columns =
      'Name|Shipping Phone|Shipping Street|Lineitem name|Lineitem quantity|Financial Status|Refunded Amount';
    const { all } = await plan(tableOf(columns, `#1|99112233|Бага тойруу 44|Tea|1|${state}|${amount}`), {
      preset: 'shopify',
    });
    expect(all[0]?.problems).toMatchObject([{ code: 'quantities_not_final', header }]);
  });
});

describe('a Shopify order that is fetched at a branch', () => {
  const columns =
    'Name|Shipping Phone|Shipping Street|Lineitem name|Lineitem quantity|Financial Status|Shipping Method';
  const table = tableOf(columns, '#1|99112233|Бага тойруу 44|Tea|1|paid|Салбараас авах');

  it('is left out', async () => {
    expect((await plan(table, { preset: 'shopify' })).all).toMatchObject([{ leftOut: 'pickup' }]);
  });

  it('is taken with --include pickup', async () => {
    const { all } = await plan(table, { preset: 'shopify', include: ['pickup'] });
    expect(all).toMatchObject([{ order: { externalOrderId: '#1' }, problems: [] }]);
  });
});

describe('the date of payment of a WooCommerce order', () => {
  const columns =
    'Order Number|Phone (Billing)|Address 1&2 (Billing)|SKU|Quantity|Order Total Amount|Paid Date';
  const cells = '5001|99112233|Бага тойруу 44|TEA-001|1|8900|2026-11-18';

  it.each([
    ['Payment Method Title', 'QPay', 'NONE'],
    ['Payment Method Title|Payment Method', 'Cash on delivery|cod', 'NONE'],
    ['Payment Method Title|Payment Method', 'Cash on delivery|cod_plugin', 'amount_due_missing'],
    ['Payment Method Title', 'Cash on delivery', 'amount_due_missing'],
    ['Payment Method', 'stripe', 'NONE'],
    ['Payment Method', 'cod', 'NONE'],
    ['Payment Method', 'cod_plugin', 'payment_open'],
  ])('with %s: %s', async (more, texts, expected) => {
    const table = tableOf(`${columns}|${more}`, `${cells}|${texts}`);
    const { all } = await plan(table, { preset: 'woocommerce' });
    const found = all.map(({ order, problems }) => problems[0]?.code ?? order.collectionMode);
    expect(found).toEqual([expected]);
  });
});
