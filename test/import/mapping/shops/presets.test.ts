import { describe, expect, it } from 'vitest';
import { bind } from '../../../../src/import/mapping/bind.ts';
import { listOf } from '../../../../src/import/mapping/conditions.ts';
import type { Preset } from '../../../../src/import/mapping/language.ts';
import { checkPreset } from '../../../../src/import/mapping/mapping-file.ts';
import { presets } from '../../../../src/import/mapping/shops/presets.ts';
import { headerOf, plan, tableOf } from '../../tables.ts';

describe('the data of the shops', () => {
  it.each(Object.entries(presets))('%s follows the schema', (_, preset) => {
    expect(checkPreset(preset)).toEqual([]);
  });

  it('is refused with a key that the schema does not have', () => {
    expect(checkPreset({ ...presets.shopify, unpaid: {} })).toEqual(['the file: Unrecognized key: "unpaid"']);
  });
});

type MappedFields = NonNullable<Preset['columns']>;

/** The headers that fill fields of the order, and those that fill fields of its lines. */
function namesOfFields(columns: MappedFields) {
  const named = Object.entries(columns).flatMap(([path, column]) => {
    const { from, minus } = typeof column === 'string' ? { from: column, minus: undefined } : column;
    const isSent = typeof minus === 'object' && 'fulfilled' in minus;
    return [...listOf(from), ...listOf(isSent ? minus.fulfilled : minus)].map((name) => ({ path, name }));
  });
  const isLine = ({ path }: (typeof named)[number]) => path.startsWith('items[]');
  const names = (found: typeof named) => found.map(({ name }) => name);
  return { order: names(named.filter((one) => !isLine(one))), lines: names(named.filter(isLine)) };
}

function namesOfRules(preset: Preset): string[] {
  const { leave_out: leaveOut = {}, leave_out_lines: leaveOutLines = {}, payment_method: method } = preset;
  const rules = [
    ...Object.values(leaveOut),
    ...Object.values(leaveOutLines),
    preset.summary_row_when,
    preset.to_deliver,
    preset.partly_fulfilled,
    preset.quantities_not_final,
    preset.pickup,
    preset.paid,
    preset.partly_paid,
    preset.open,
    preset.on_delivery,
    preset.amount_unclear,
  ];
  return [
    ...rules.flatMap((rule) => listOf(rule)).flatMap((conditions) => Object.keys(conditions)),
    ...listOf(typeof method === 'object' ? method.from : method),
    ...listOf(preset.amount_due),
    ...listOf(preset.amount_paid),
    ...listOf(preset.currency),
    ...listOf(preset.shipping_method),
    ...Object.values(preset.sums ?? {}).filter((name) => name !== undefined),
  ];
}

/** Each way of the preset to read lines, as the headers that it needs. */
function namesOfLines({ columns = {}, lines }: Preset): string[][] {
  const ways = listOf(lines).map((way) => ('wide' in way ? Object.keys(way.wide) : [way.from]));
  return [namesOfFields(columns).lines, ...ways].filter((names) => names.length > 0);
}

function namesRead(preset: Preset): string[] {
  const addresses = (preset.address ?? []).flatMap((set) => namesOfFields(set).order);
  return [...namesOfFields(preset.columns ?? {}).order, ...addresses, ...namesOfRules(preset)];
}

describe.each(Object.entries(presets).filter(([, { explains }]) => explains === undefined))(
  'the columns that %s knows',
  (_, preset) => {
    const ways = namesOfLines(preset);
    const numbered = (names: readonly string[]) => names.map((name) => name.replace('{n}', '1'));

    it.each(ways.map((way) => [way[0], way] as const))('are all decided, with lines in %s', (_first, way) => {
      const otherLines = numbered(ways.filter((other) => other !== way).flat());
      const signature = listOf(preset.signature).flatMap(({ all, any = [] }) => [...all, ...any]);
      const names = numbered([...signature, ...way, ...namesRead(preset), ...(preset.ignore ?? [])]);
      const cells = [...new Set(names)].filter(
        (name) => numbered(way).includes(name) || !otherLines.includes(name),
      );
      const { rest, problems } = bind(headerOf(...cells), {}, preset);
      expect(rest.filter(({ use }) => use === 'open').map(({ header }) => header)).toEqual([]);
      expect(problems).toEqual([]);
    });
  },
);

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
    expect(all[0]?.problems).toMatchObject([{ code: 'partly_fulfilled', header }]);
  });
});

describe('a Wix order that is paid at the door', () => {
  const columns =
    'Order number|Recipient phone|Delivery address|Item|Qty|Quantity refunded|Total|Payment status|Payment method|Refunded amount';

  it.each([
    ['0.00', 'COLLECT'],
    ['1000.00', 'amount_due_missing'],
  ])('and of which %s is refunded: %s', async (refunded, expected) => {
    const cells = `10001|99112233|Бага тойруу 44|Tea|1|0|8900.00|Unpaid|Cash on Delivery|${refunded}`;
    const { all } = await plan(tableOf(columns, cells), { preset: 'wix' });
    expect(all.map(({ order, problems }) => problems[0]?.code ?? order.collectionMode)).toEqual([expected]);
  });
});

describe('an Amazon order with a name of the shipping service', () => {
  const columns =
    'order-id|order-item-id|payments-date|sku|quantity-purchased|recipient-name|ship-phone-number|ship-address-1|ship-service-level|ship-service-name';

  it.each([
    ['Standard', undefined],
    ['Салбараас авах', 'pickup'],
  ])('%j is left out for %j', async (service, reason) => {
    const cells = `250-1|41|2026-11-18|TEA-001|1|Болд|99112233|Бага тойруу 44|Standard|${service}`;
    const { all } = await plan(tableOf(columns, cells), { preset: 'amazon' });
    expect(all.map(({ leftOut }) => leftOut)).toEqual([reason]);
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
