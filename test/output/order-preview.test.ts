import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/orders/json.ts';
import type { Order } from '../../src/orders/order.ts';
import { formatOrderToCancel, formatOrderToCreate } from '../../src/output/order-preview.ts';

describe('formatOrderToCancel', () => {
  it('tells whose it is, what it is worth and where it stands', () => {
    const order = {
      ...{ id: 'id-1', orderNumber: 'ORD-2026-000001', externalOrderId: 'A-1', note: 'not shown' },
      ...{ customer: { phone: '99112233', name: 'Бат' }, status: 'CONFIRMED', total: '25000.50' },
      ...{ collectionMode: 'COLLECT', collectionAmount: '1000', delivery: { status: 'PENDING', id: 'd' } },
    };
    expect(formatOrderToCancel(order)).toBe(
      [
        'order       ORD-2026-000001',
        'own id      A-1',
        'customer    99112233',
        'total       25,000.50 ₮',
        'to collect  1,000 ₮',
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
    expect(formatOrderToCancel(order)).toBe(text);
  });

  it('stays on its lines whatever the service sends', () => {
    const nasty = 'a\nb\u001b[2J\u202e';
    expect(formatOrderToCancel({ orderNumber: nasty, status: nasty })).toBe('order   a b\nstatus  a b');
  });
});

describe('formatOrderToCreate', () => {
  it('tells every field', () => {
    const order = parseJson(
      '{"externalOrderId":"A-1","customer":{"phone":"99112233"},"items":[{"sku":"TEA-1","quantity":1.10},{"name":"Бэлэг"}],"tags":[]}',
    ) as Order;
    expect(formatOrderToCreate(order)).toBe(
      [
        'externalOrderId    A-1',
        'customer.phone     99112233',
        'items[0].sku       TEA-1',
        'items[0].quantity  1.10',
        'items[1].name      Бэлэг',
        'tags               []',
      ].join('\n'),
    );
  });

  it('stays on its lines whatever is in it', () => {
    const nasty = 'a\nb\u001b[2J\u202e';
    expect(formatOrderToCreate({ [nasty]: nasty })).toBe('a b  a b');
  });
});
