import { describe, expect, it, test } from 'vitest';
import { createJsonNumber } from '../../src/orders/json.ts';
import type { Order } from '../../src/orders/order.ts';
import { parseJson } from '../../src/orders/parse-json.ts';
import { formatAmount, formatOrdersToCancel, formatOrderToCancel } from '../../src/output/order-preview.ts';

/** The local time at which it is shown. */
const now = new Date(2026, 10, 22, 14, 30).getTime();

describe('formatOrderToCancel', () => {
  it('shows the customer, the items, the amounts and the statuses', () => {
    const order = {
      id: 'id-1',
      orderNumber: 'ORD-2026-000001',
      externalOrderId: 'A-1',
      note: 'not shown',
      customer: { phone: '99112233', name: 'Бат' },
      status: 'CONFIRMED',
      total: '25000.50',
      collectionMode: 'COLLECT',
      collectionAmount: '1000',
      items: [{ sku: 'TEA-1', name: 'Цай', quantity: 2 }, { sku: 'MUG-1' }],
      requestedDeliveryDate: '2026-11-25',
      createdAt: new Date(2026, 10, 21, 9, 5).toISOString(),
      delivery: { status: 'PENDING', id: 'd' },
    };
    expect(formatOrderToCancel(order, now)).toBe(
      [
        'order       ORD-2026-000001',
        'own id      A-1',
        'created     21 Nov 09:05',
        'customer    99112233, Бат',
        'items       2 × TEA-1, Цай; MUG-1',
        'total       25,000.50 ₮',
        'to collect  1,000 ₮',
        'deliver on  2026-11-25',
        'status      CONFIRMED',
        'delivery    PENDING',
      ].join('\n'),
    );
  });

  it.each<[string, Order, string]>([
    ['a prepaid order', { collectionMode: 'NONE', collectionAmount: '0' }, 'to collect  nothing (prepaid)'],
    ['no delivery', { delivery: null }, 'delivery  none yet'],
    ['a delivery without a status', { delivery: { id: 'd' } }, 'delivery  {"id":"d"}'],
    ['a delivery that is text', { delivery: 'SOON' }, 'delivery  SOON'],
    ['an order without a number', { id: 'id-1' }, 'order  id-1'],
    ['nothing', {}, ''],
    [
      'values of other kinds',
      parseJson('{"status":3,"total":25000.50}') as Order,
      'total   25,000.50 ₮\nstatus  3',
    ],
    ['nulls', { status: null, total: null, collectionAmount: null }, ''],
  ])('%s', (_, order, text) => {
    expect(formatOrderToCancel(order, now)).toBe(text);
  });

  it('keeps one line per field whatever the service sends', () => {
    const hostile = 'a\nb\u001b[2J\u202e';
    expect(formatOrderToCancel({ orderNumber: hostile, status: hostile }, now)).toBe(
      'order   a b\nstatus  a b',
    );
  });
});

describe('formatOrdersToCancel', () => {
  const order = (number: number) => ({
    orderNumber: `ORD-2026-${number}`,
    total: '1500.50',
    collectionMode: number % 2 === 0 ? 'COLLECT' : 'NONE',
    collectionAmount: '100',
    status: number === 1 ? 'DELIVERED' : 'CONFIRMED',
  });

  it('shows one order without sums', () => {
    expect(formatOrdersToCancel([order(2)], now)).toBe(`order       ORD-2026-2
total       1,500.50 ₮
to collect  100 ₮
status      CONFIRMED
`);
  });

  it('shows the first 20 of many, and the sums of all', () => {
    const text = formatOrdersToCancel(
      Array.from({ length: 1000 }, (_, index) => order(index + 1)),
      now,
    );
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

  it('counts amounts in any spelling', () => {
    const amounts = ['26700.0', '300', '0.5000', createJsonNumber('1000.0') ?? null];
    const text = formatOrdersToCancel(
      amounts.map((total) => ({ total, collectionMode: 'NONE' })),
      now,
    );
    expect(text).toMatch(/^total {6}28,000\.50 ₮$/m);
  });

  it('counts at most 8 statuses', () => {
    const orders = Array.from({ length: 10 }, (_, index) => ({ ...order(1), status: `S${index}` }));
    expect(formatOrdersToCancel(orders, now)).toMatch(
      /^by status {2}S0 1, S1 1, S2 1, S3 1, S4 1, S5 1, S6 1, S7 1, \.\.\.$/m,
    );
  });
});

describe('formatAmount', () => {
  test.each([
    ['0', '0 ₮'],
    ['999', '999 ₮'],
    ['1000', '1,000 ₮'],
    ['25000.50', '25,000.50 ₮'],
    ['123456.00', '123,456.00 ₮'],
    ['26700.0', '26,700 ₮'],
    ['26700.0000', '26,700 ₮'],
    ['26700.5', '26,700.50 ₮'],
    ['26700.2500', '26,700.25 ₮'],
    ['0.125', '0.125 ₮'],
    ['26700.', '26700.'],
    [`5.${'0'.repeat(100_000)}1`, `5.${'0'.repeat(100_000)}1 ₮`],
    ['12345678901234567890123.45', '12,345,678,901,234,567,890,123.45 ₮'],
    ['', ''],
    ['1,000', '1,000'],
    ['-5', '-5'],
    ['1e5', '1e5'],
  ])('formats %j as %j', (decimal, text) => {
    expect(formatAmount(decimal)).toBe(text);
  });
});
