import { describe, expect, it } from 'vitest';
import { parseMappingFile } from '../../../src/import/map/mapping-file.ts';
import { plan, tableOf } from '../tables.ts';

const mapping = {
  columns: { externalOrderId: 'Id', 'customer.phone': 'Phone', 'items[].name': 'Item', total: 'Total' },
  paid: { Status: 'Paid' },
  partly_paid: { Status: 'Partly' },
  open: { Status: 'Unpaid' },
  payment_method: 'Method',
};

/** What is collected of an order of 900 on delivery, or why it cannot be said. */
async function collected(rules: object, header: string, cells: string) {
  const map = parseMappingFile(JSON.stringify({ ...mapping, ...rules }), 'map.json');
  const table = tableOf(`Id|Phone|Item|Total|Method|${header}`, `1|99112233|Tea|900|COD|${cells}`);
  const { all } = await plan(table, { map });
  return all[0]?.problems.map(({ code }) => code).at(0) ?? all[0]?.order.collectionAmount;
}

const gift = { amount_unclear: { Gift: { above_zero: true } } };
const deposit = { amount_paid: ['Deposit'] };

describe('the amount to collect', () => {
  it.each([
    ['the total', {}, 'Status', 'Unpaid', '900'],
    ['not the total of an order that is partly paid', {}, 'Status', 'Partly', 'amount_due_missing'],
    ['the total less the deposit', deposit, 'Status|Deposit', 'Partly|300', '600'],
    ['not the total without the deposit', deposit, 'Status|Deposit', 'Partly|', 'amount_due_missing'],
    ['not a total that may include a gift card', gift, 'Status|Gift', 'Unpaid|100', 'amount_due_missing'],
    ['the total when no gift card was used', gift, 'Status|Gift', 'Unpaid|0.00', '900'],
    [
      'the amount due, whatever was paid',
      { ...gift, amount_due: 'Due' },
      'Status|Gift|Due',
      'Unpaid|100|800',
      '800',
    ],
  ])('is %s', async (_, rules, header, cells, expected) => {
    expect(await collected(rules, header, cells)).toBe(expected);
  });
});
