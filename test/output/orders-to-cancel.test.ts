import { expect, it } from 'vitest';
import { formatOrdersToCancel } from '../../src/output/order-preview.ts';

const order = (number: number) => ({
  orderNumber: `ORD-2026-${number}`,
  total: '1500.50',
  collectionMode: number % 2 === 0 ? 'COLLECT' : 'NONE',
  collectionAmount: '100',
  status: number === 1 ? 'DELIVERED' : 'CONFIRMED',
});

it('shows one order as it is', () => {
  expect(formatOrdersToCancel([order(2)])).toBe(`order       ORD-2026-2
total       1,500.50 ₮
to collect  100 ₮
status      CONFIRMED
`);
});

it('shows the first twenty of many, and what all of them come to', () => {
  const text = formatOrdersToCancel(Array.from({ length: 1000 }, (_, index) => order(index + 1)));
  expect(text.match(/^order .*$/gm)).toEqual(
    Array.from({ length: 20 }, (_, index) => `order       ORD-2026-${index + 1}`),
  );
  expect(text.slice(text.indexOf('...'))).toBe(`... and 980 more

orders      1000
total       1,500,500 ₮
to collect  50,000 ₮
by status   DELIVERED 1, CONFIRMED 999
`);
});

it('tells the first of many statuses', () => {
  const orders = Array.from({ length: 10 }, (_, index) => ({ ...order(1), status: `S${index}` }));
  expect(formatOrdersToCancel(orders)).toMatch(
    /^by status {2}S0 1, S1 1, S2 1, S3 1, S4 1, S5 1, S6 1, S7 1, \.\.\.$/m,
  );
});
