import { describe, expect, it } from 'vitest';
import { createOrders } from '../stress/import/order-file.ts';
import type { Result } from '../stress/import/results.ts';
import { upstreamVersion } from '../support/debian.ts';
import { compareWithStore } from './compare.ts';
import type { StoredOrder } from './services.ts';

const orders = createOrders('I', 6);

const stored: StoredOrder[] = orders.map(({ externalOrderId, phone, sku, lines, amount }, index) => ({
  id: `id-${index}`,
  externalOrderId,
  status: 'CONFIRMED',
  body: {
    customer: { phone },
    items: lines === 2 ? [{ sku }, { sku: 'MUG-001' }] : [{ sku }],
    collectionMode: 'COLLECT',
    collectionAmount: amount,
    requestedDeliveryDate: '2030-01-15',
  },
}));

const results: Result[] = orders.map(({ externalOrderId, row }, index) => ({
  row: String(row),
  external_order_id: externalOrderId,
  outcome: 'created',
  order_id: `id-${index}`,
  order_number: '',
  code: '',
  message: '',
  created_by_run: 'run-1',
}));

const first = stored[0] as StoredOrder;
const change = <T>(list: readonly T[], changes: Partial<T>): T[] =>
  list.map((value, index) => (index === 0 ? { ...value, ...changes } : value));

describe('the comparison with the store of a service', () => {
  it('finds nothing where file, results and store agree', () => {
    const nothing = { lost: [], duplicated: [], misreported: [] };
    expect(compareWithStore(orders, results, stored)).toEqual(nothing);
  });

  it.each<[what: string, results: Result[], stored: StoredOrder[], counts: [number, number, number]]>([
    ['an order said to be created is not there', results, stored.slice(1), [1, 0, 1]],
    ['an order is there twice', results, [...stored, { ...first, id: 'id-7' }], [0, 1, 0]],
    ['an order is in no file', results, [...stored, { ...first, externalOrderId: 'X' }], [0, 1, 0]],
    ['an order has no result', results.slice(1), stored, [0, 0, 1]],
    ['an order has two results', [...results, ...results.slice(0, 1)], stored, [0, 0, 1]],
    ['an order is still unknown', change(results, { outcome: 'unknown' }), stored, [0, 0, 1]],
    ['another order is named', change(results, { order_id: 'id-1' }), stored, [0, 0, 1]],
    ['our order is said to be older', change(results, { created_by_run: '' }), stored, [0, 0, 1]],
    [
      'the amount differs',
      results,
      change(stored, { body: { ...first.body, collectionAmount: '1' } }),
      [0, 0, 1],
    ],
    ['a line is missing', results, change(stored, { body: { ...first.body, items: [] } }), [0, 0, 1]],
  ])('finds that %s', (_what, results, stored, counts) => {
    const { lost, duplicated, misreported } = compareWithStore(orders, results, stored);
    expect([lost.length, duplicated.length, misreported.length]).toEqual(counts);
  });
});

it('takes the version of a framework from that of its Debian package', () => {
  expect(['2:1.19~1', '2.6.12-1+deb12u4', '0.92.0-1'].map(upstreamVersion)).toEqual([
    '1.19',
    '2.6.12',
    '0.92.0',
  ]);
});
