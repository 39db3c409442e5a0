import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textField } from '../../../src/orders/order.ts';
import { plan, tableOf } from '../tables.ts';

const header =
  'Name|Financial Status|Fulfillment Status|Payment Method|Outstanding Balance|Total|Subtotal|Cancelled at|Currency|Shipping Method|Shipping City|Shipping Phone|Lineitem quantity|Lineitem name|Lineitem sku|Lineitem price|Lineitem requires shipping|Lineitem fulfillment status';
/** The first of them in most rows, so that many orders can be sent. */
const oneOf = (usual: string, ...others: string[]) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(usual, ...others) },
  );
const cells = fc.tuple(
  fc.constantFrom('#1', '#2', '#3', '#4', '#5', '#6', '#7', '', 'Total'),
  fc.constantFrom(
    'paid',
    'pending',
    'authorized',
    'partially_paid',
    'refunded',
    'partially_refunded',
    '',
    'odd',
  ),
  oneOf('unfulfilled', 'fulfilled', 'partial', '', 'odd'),
  oneOf('Cash on Delivery (COD)', 'QPay', 'Cash on Delivery (COD) + manual', 'Бэлэн', '', 'odd'),
  oneOf('', '0.00', '0.01', '8900.00', 'odd'),
  oneOf('8900.00', '17800.00', '', '8.900'),
  oneOf('8900.00', '17800.00', ''),
  oneOf('', '', '', '2026-11-02 10:00:00 +0800'),
  oneOf('MNT', 'MNT', 'MNT', '', 'USD'),
  oneOf('Хүргэлт', 'Өөрөө очиж авах', ''),
  oneOf('Улаанбаатар', 'Дархан', ''),
  oneOf('99112233', '88114455', '', '9,91E+07', '99112233.0'),
  oneOf('1', '2', '0', '1.5', ''),
  oneOf('Сүүтэй цай', ''),
  oneOf('TEA-001', 'TEA-002', ''),
  oneOf('8900.00', ''),
  oneOf('true', 'true', 'false', ''),
  oneOf('pending', 'fulfilled', ''),
);

test('every order is left out, to be fixed or sent, and who pays never contradicts its columns', async () => {
  const seen = { leftOut: 0, invalid: 0, sent: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(cells, { minLength: 1, maxLength: 7 }), async (rows) => {
      const table = tableOf(header, ...rows.map((row) => row.join('|')));
      const planned = await plan(table, { preset: 'shopify', unpaid: 'leave-out' });
      const { counts, all } = planned;
      const leftOut = all.filter((order) => order.leftOut !== undefined);
      const invalid = all.filter((order) => {
        return order.leftOut === undefined && order.problems.some(({ severity }) => severity === 'error');
      });
      const sent = all.filter((order) => !leftOut.includes(order) && !invalid.includes(order));
      expect(Object.values(counts.leftOut).reduce((sum, count) => sum + count, 0)).toBe(leftOut.length);
      expect(counts.invalid).toBe(invalid.length);
      for (const { order, rows: own } of sent) {
        const texts = (index: number) =>
          own.map(({ cells: row }) => row[index] ?? '').filter((text) => text !== '');
        const isNothingDue = texts(1).length === 0 && /^0\.0[01]$/.test(texts(4)[0] ?? '');
        const isPaid = isNothingDue || texts(1).some((text) => text === 'paid');
        expect(textField(order, 'collectionMode')).toBe(isPaid ? 'NONE' : 'COLLECT');
        expect(texts(7)).toEqual([]);
        expect(texts(8)).not.toContain('USD');
        if (!isPaid) expect(texts(3).some((text) => text.includes('COD'))).toBe(true);
      }
      seen.leftOut += leftOut.length;
      seen.invalid += invalid.length;
      seen.sent += sent.length;
    }),
    { numRuns: 150 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});
