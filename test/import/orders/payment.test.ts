import { describe, expect, it } from 'vitest';
import { parseMappingFile } from '../../../src/import/map/mapping-file.ts';
import type { PlanOptions } from '../../../src/import/orders/plan-import.ts';
import { parseAssignment } from '../../../src/orders/assignment.ts';
import { textField } from '../../../src/orders/order.ts';
import { plan, tableOf } from '../tables.ts';

const mapping = parseMappingFile(
  JSON.stringify({
    columns: { externalOrderId: 'No', 'customer.phone': 'Phone', 'items[].sku': 'Code', total: 'Total' },
    paid: { Status: 'paid' },
    partly_paid: { Status: 'part' },
    open: [{ Status: 'pending' }, { Method: 'Till' }],
    on_delivery: { Method: { words: 'cash_on_delivery' } },
    payment_method: { from: 'Method', split: '+' },
    amount_due: 'Due',
    amount_paid: ['Deposit', 'Voucher'],
  }),
  'shop.json',
);
const header = 'No|Phone|Code|Total|Status|Method|Due|Deposit|Voucher';

it('counts the orders that are paid already although they say cash on delivery', async () => {
  const rows = ['900|paid|COD|||', '900|paid|COD|||', '900|paid|QPay|||', '900|pending|COD|||'];
  const numbered = rows.map((cells, index) => `${index}|9911223${index}|TEA-001|${cells}`);
  const { counts } = await plan(tableOf(header, ...numbered), { map: mapping });
  expect(counts.paidOnDelivery).toBe(2);
});

/** `COLLECT 500`, `NONE`, `left out: unpaid`, or the codes of the errors. */
async function payment(cells: string, more: Partial<PlanOptions> = {}): Promise<string | undefined> {
  const { all } = await plan(tableOf(header, `1|99112233|TEA-001|${cells}`), { map: mapping, ...more });
  return all.map(({ order, problems, leftOut }) => {
    if (leftOut !== undefined) return `left out: ${leftOut}`;
    if (problems.length > 0) return problems.map(({ code }) => code).join(' ');
    const amount = textField(order, 'collectionAmount');
    return [textField(order, 'collectionMode'), ...(amount === undefined ? [] : [amount])].join(' ');
  })[0];
}

describe('who pays at the door', () => {
  it.each([
    ['a paid order', '900|paid|QPay|||', 'NONE'],
    ['a paid order whose method was cash on delivery', '900|paid|COD|0.00||', 'NONE'],
    ['the smallest coin that is due', '900|paid|QPay|0.01||', 'NONE'],
    ['more that is due on a paid order', '900|paid|QPay|0.02||', 'due_contradicts_status'],
    ['cash on delivery', '900|pending|COD|||', 'COLLECT 900'],
    ['a stated amount before the total', '900|pending|COD|500||', 'COLLECT 500'],
    ['the total less what is paid', '900.50|pending|COD||100|200.25', 'COLLECT 600.25'],
    ['nothing paid of the total', '900.00|pending|COD||0.00|', 'COLLECT 900.00'],
    ['more paid than the total', '100|pending|COD||200|', 'amount_due_missing'],
    ['no amount at all', '|pending|COD|||', 'amount_due_missing'],
    ['nothing due, and not paid', '900|pending|COD|0||', 'due_contradicts_status'],
    ['joined methods', '900|pending|Cash on Delivery (COD) + manual|||', 'COLLECT 900'],
    ['an unknown method among others', '900|pending|manual + Zorg|||', 'payment_unknown'],
    ['a partly paid order', '900|part|COD|400||', 'COLLECT 400'],
    ['a partly paid order without cash on delivery', '900|part|QPay|400||', 'payment_open'],
    ['another method that is open', '900|pending|Bank transfer|||', 'payment_open'],
    ['a method that the mapping names', '900|pending|Till|||', 'payment_open'],
    ['a wallet whose name holds cash', '900|pending|GCash|||', 'payment_open'],
    ['the buyer pays the freight', '900|pending|着払い|||', 'payment_unknown'],
    ['cash somewhere', '900|pending|Бэлэн|||', 'payment_unknown'],
    ['an unknown method', '900|pending|Zorg|||', 'payment_unknown'],
    ['an unknown method of a paid order', '900|paid|Zorg|||', 'NONE'],
    ['a status in another language', '900|төлөгдсөн|QPay|||', 'NONE'],
    ['an unknown status', '900|on the moon|COD|||', 'payment_unknown'],
    ['no status, and nothing due', '900|||0||', 'NONE'],
    ['no status and no method', '900|||||', 'payment_open'],
    ['an amount that is none', '900|pending|COD|many||', 'decimal_invalid'],
  ])('%s', async (_, cells, expected) => {
    expect(await payment(cells)).toBe(expected);
  });

  it.each([
    ['collect', 'COLLECT 900'],
    ['prepaid', 'NONE'],
    ['leave-out', 'left out: unpaid'],
  ] as const)('--unpaid %s decides for open payments only', async (unpaid, expected) => {
    expect(await payment('900|pending|Bank transfer|||', { unpaid })).toBe(expected);
    expect(await payment('900|pending|COD|||', { unpaid })).toBe('COLLECT 900');
    expect(await payment('900|paid|COD|||', { unpaid })).toBe('NONE');
    expect(await payment('900|pending|Zorg|||', { unpaid })).toBe('payment_unknown');
  });

  it('contradicts a constant that says otherwise', async () => {
    const constant = (mode: string) => ({ constants: [parseAssignment(`collectionMode=${mode}`)] });
    expect(await payment('900|pending|COD|||', constant('NONE'))).toBe('collection_contradicts_payment');
    expect(await payment('900|paid|QPay|||', constant('COLLECT'))).toContain(
      'collection_contradicts_payment',
    );
    expect(await payment('900|paid|QPay|||', constant('NONE'))).toBe('NONE');
    expect(await payment('900|pending|COD|||', constant('COLLECT'))).toBe('COLLECT 900');
    expect(await payment('900|pending|Bank transfer|||', constant('NONE'))).toBe('payment_open');
  });

  it('names the column of the method that contradicts a constant', async () => {
    const constants = [parseAssignment('collectionMode=NONE')];
    const table = tableOf(header, '1|99112233|TEA-001|900|pending|COD|||');
    const { all } = await plan(table, { map: mapping, constants });
    expect(all[0]?.problems).toMatchObject([{ code: 'collection_contradicts_payment', header: 'Method' }]);
  });

  it('follows from the rules of a mapping, and not from a column with the name of the field', async () => {
    const named = header.replace('Due', 'Amount to collect').replace('Deposit', 'collectionMode');
    const rules = { ...mapping, amount_due: 'Amount to collect', amount_paid: undefined };
    const { all } = await plan(tableOf(named, '1|99112233|TEA-001|900|paid|COD|0.00|COLLECT|'), {
      map: rules,
    });
    expect(all.map(({ order }) => [order.collectionMode, order.collectionAmount])).toEqual([
      ['NONE', undefined],
    ]);
  });

  it('is located at the cell that says so', async () => {
    const { problems } = await plan(
      tableOf(header, '1|99112233|TEA-001|900|pending|Zorg|||', '2|99112234|TEA-001|900|pending|Zorg|||'),
      {
        map: mapping,
      },
    );
    expect(problems).toMatchObject([
      {
        first: {
          code: 'payment_unknown',
          row: 2,
          column: 'F',
          header: 'Method',
          value: 'Zorg',
          fix: 'write what it means in a mapping file (--map): "on_delivery": {"Method":"Zorg"}, or "open" instead of "on_delivery"',
        },
        others: 1,
        otherRows: [3],
      },
    ]);
  });
});

describe("a user's mapping beside a preset", () => {
  const more = (rules: object): Partial<PlanOptions> => ({
    preset: 'shopify',
    map: parseMappingFile(JSON.stringify(rules), 'own.json'),
  });
  const shopify =
    'Name|Financial Status|Fulfillment Status|Payment Method|Total|Lineitem quantity|Lineitem name|Lineitem sku|Shipping City|Shipping Phone';
  const read = async (cells: string, rules: object) => {
    const { all } = await plan(tableOf(shopify, `#1|${cells}|900|1|Tea|TEA-001|UB|99112233`), more(rules));
    return all.map(({ order, problems, leftOut }) => {
      const found = problems.map(({ code }) => code).join(' ');
      return leftOut ?? (found === '' ? order.collectionMode : found);
    })[0];
  };

  it('adds to its rules', async () => {
    expect(await read('pending|unfulfilled|Zorg', {})).toBe('payment_unknown');
    expect(await read('pending|unfulfilled|Zorg', { on_delivery: { 'Payment Method': 'zorg' } })).toBe(
      'COLLECT',
    );
    expect(await read('paid|unfulfilled|Zorg', { on_delivery: { 'Payment Method': 'zorg' } })).toBe('NONE');
    expect(await read('paid|fulfilled|', { on_delivery: { 'Payment Method': 'zorg' } })).toBe('fulfilled');
    expect(await read('paid|unfulfilled|', { leave_out: { test: { 'Shipping City': 'UB' } } })).toBe('test');
  });

  it('decides alone about the values that it lists', async () => {
    expect(await read('pending|unfulfilled|Bank', { paid: { 'Financial Status': 'pending' } })).toBe('NONE');
    expect(await read('paid|unfulfilled|COD', { open: { 'Financial Status': 'paid' } })).toBe('COLLECT');
    expect(await read('paid|fulfilled|', { to_deliver: { 'Fulfillment Status': 'Fulfilled' } })).toBe('NONE');
    expect(await read('paid|fulfilled|', { to_deliver: { 'Fulfillment Status': 'restocked' } })).toBe(
      'fulfilled',
    );
  });

  it('is added to that of a recognised shop unless it maps the order ID', async () => {
    const header = `${shopify}|Lineitem price`;
    const table = () => tableOf(header, '#1|pending|unfulfilled|Zorg|900|1|Tea|TEA-001|UB|99112233|900');
    const added = await plan(table(), {
      map: parseMappingFile('{"paid":{"Payment Method":"Zorg"}}', 'own.json'),
    });
    expect(added.shop).toMatchObject({ name: 'shopify', isRecognised: true });
    const whole = await plan(table(), {
      map: parseMappingFile('{"columns":{"externalOrderId":"Name"}}', 'own.json'),
    });
    expect(whole.shop).toBeUndefined();
  });
});
