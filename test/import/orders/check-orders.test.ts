import { expect, test } from 'vitest';
import { createTotals } from '../../../src/import/orders/check-orders.ts';
import type { Order } from '../../../src/orders/order.ts';

function totalsOf(...orders: Order[]) {
  const totals = createTotals();
  for (const order of orders) totals.add(order);
  return totals.value();
}

test('adds up lines, amounts and dates', () => {
  const first = { items: [{ sku: 'X' }, { sku: 'Y' }], total: '9007199254740993.01', collectionAmount: '0' };
  expect(
    totalsOf(
      { ...first, requestedDeliveryDate: '2030-03-02' },
      { items: [{ sku: 'Z' }], total: '0.99', collectionAmount: '5', requestedDeliveryDate: '2030-01-31' },
      { items: [{ sku: 'Z' }], total: 'no amount' },
    ),
  ).toEqual({
    orders: 3,
    lines: 4,
    total: '9007199254740994',
    collecting: 0,
    toCollect: '5',
    firstDate: '2030-01-31',
    lastDate: '2030-03-02',
    firstOrder: { ...first, requestedDeliveryDate: '2030-03-02' },
  });
});

test('has no sums and dates without orders', () => {
  expect(totalsOf()).toEqual({
    orders: 0,
    lines: 0,
    total: undefined,
    collecting: 0,
    toCollect: undefined,
    firstDate: undefined,
    lastDate: undefined,
    firstOrder: {},
  });
});
