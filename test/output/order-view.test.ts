import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/orders/json.ts';
import type { Order } from '../../src/orders/order.ts';
import { defaultPaths } from '../../src/orders/unnamed-fields.ts';
import { formatOrder } from '../../src/output/order-view.ts';
import { createStyle } from '../../src/output/print.ts';

/** The local time at which it is shown. */
const now = new Date(2026, 10, 22, 14, 30).getTime();

describe('an order of the service', () => {
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
    expect(formatOrder(order, 'cancel', { now })).toBe(
      [
        'number      ORD-2026-000001',
        'own id      A-1',
        'created     21 Nov 09:05',
        'customer    99112233, Бат',
        'items       2 × TEA-1, Цай',
        '            MUG-1',
        'total       25,000.50 ₮',
        'to collect  1,000 ₮',
        'deliver on  Wednesday 25 November 2026',
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
    ['an order without a number', { id: 'id-1' }, 'number  id-1'],
    ['nothing', {}, ''],
    [
      'values of other kinds',
      parseJson('{"status":3,"total":25000.50}') as Order,
      'total   25,000.50 ₮\nstatus  3',
    ],
    ['nulls', { status: null, total: null, collectionAmount: null }, ''],
  ])('%s', (_, order, text) => {
    expect(formatOrder(order, 'cancel', { now })).toBe(text);
  });
});

it('at a terminal long texts are wrapped beside the names, and IDs come last and dimmed', () => {
  const order = {
    id: 'S-1',
    orderNumber: 'ORD-2026-000001',
    courier: { name: 'Дорж', shiftIdentifier: 'morning-shift of the east, from 9 to 12' },
    items: ['TEA-1', { sku: 'MUG-1' }],
    deliveryAddress: {
      city: 'Улаанбаатар',
      district: 'Баянзүрх',
      street: 'Энхтайвны өргөн чөлөө 12, 45 тоот',
    },
    delivery: { status: 'PENDING', id: '01a20150-aa1f-7b16-8df1-df2de4572356' },
    zone: 'east',
  };
  const dim = (text: string) => `\u001b[2m${text}\u001b[22m`;
  const card = formatOrder(order, 'whole', { now, width: 50, style: createStyle(true) });
  expect(stripVTControlCharacters(card).split('\n')).toEqual([
    'number        ORD-2026-000001',
    'items         TEA-1',
    '              MUG-1',
    'address       Улаанбаатар, Баянзүрх, Энхтайвны',
    '              өргөн чөлөө 12, 45 тоот',
    'delivery      PENDING',
    'courier.name  Дорж',
    'courier.shiftIdentifier  morning-shift of the',
    '              east, from 9 to 12',
    'zone          east',
    'id            S-1',
    'delivery.id   01a20150-aa1f-7b16-8df1-df2de4572356',
  ]);
  expect(card.split('\n').slice(-2)).toEqual([
    dim('id            S-1'),
    dim('delivery.id   01a20150-aa1f-7b16-8df1-df2de4572356'),
  ]);
});

const show = (text: string, fieldPaths = {}) =>
  formatOrder(parseJson(text) as Order, 'create', { fieldPaths: { ...defaultPaths, ...fieldPaths } }).split(
    '\n',
  );

it.each([
  ['{"collectionMode":"NONE"}', ['to collect  nothing (prepaid)']],
  ['{"collectionMode":"COLLECT"}', ['collectionMode  COLLECT']],
  ['{"collectionMode":"NONE","collectionAmount":"5"}', ['collectionMode  NONE', 'collectionAmount  5']],
  ['{"requestedDeliveryDate":"soon"}', ['deliver on  soon']],
  ['{"note.x":"1","note":{"x":"2"}}', ['note.x  1', 'note.x  2']],
  ['{"items":[],"total":""}', ['items  []', 'total']],
  ['{"items":["TEA-1"]}', ['items  TEA-1']],
  ['{"items":{"sku":"TEA-1"}}', ['items.sku  TEA-1']],
])('what is not as usual is shown as it is: %s', (order, lines) => {
  expect(show(order)).toEqual(lines);
});
