import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createJsonNumber, type JsonObject, parseJson } from '../../src/orders/json.ts';
import type { Order } from '../../src/orders/order.ts';
import { defaultPlaces } from '../../src/orders/unnamed-fields.ts';
import { formatOrder, formatOrdersToCancel, orderList } from '../../src/output/order-view.ts';
import { createStyle } from '../../src/output/print.ts';
import { shown } from './shown.ts';

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

  it('keeps one line per field whatever the service sends', () => {
    const hostile = 'a\nb\u001b[2J\u202e';
    expect(formatOrder({ orderNumber: hostile, status: hostile }, 'cancel')).toBe('number  a b\nstatus  a b');
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

describe('the orders to cancel', () => {
  const order = (number: number) => ({
    orderNumber: `ORD-2026-${number}`,
    total: '1500.50',
    collectionMode: number % 2 === 0 ? 'COLLECT' : 'NONE',
    collectionAmount: '100',
    status: number === 1 ? 'DELIVERED' : 'CONFIRMED',
  });

  it('shows one order without sums', () => {
    expect(formatOrdersToCancel([order(2)], { now })).toBe(`number      ORD-2026-2
total       1,500.50 ₮
to collect  100 ₮
status      CONFIRMED
`);
  });

  it('shows the first 200 of many in a line each, and the sums of all', () => {
    const text = formatOrdersToCancel(
      Array.from({ length: 1000 }, (_, index) => order(index + 1)),
      { now },
    );
    const lines = text.split('\n');
    expect(lines[0]).toBe('ORD-2026-1  prepaid  DELIVERED');
    expect(lines.slice(199, 207)).toEqual([
      'ORD-2026-200  collect 100 ₮  CONFIRMED',
      '... and 800 more',
      '',
      'orders      1000',
      'total       1,500,500 ₮',
      'to collect  50,000 ₮',
      'by status   DELIVERED 1, CONFIRMED 999',
      '',
    ]);
  });

  it('counts amounts in any spelling', () => {
    const amounts = ['26700.0', '300', '0.5000', createJsonNumber('1000.0') ?? null];
    const text = formatOrdersToCancel(
      amounts.map((total) => ({ total, collectionMode: 'NONE' })),
      { now },
    );
    expect(text).toMatch(/^total {6}28,000\.50 ₮$/m);
  });

  it('counts at most 8 statuses', () => {
    const orders = Array.from({ length: 10 }, (_, index) => ({ ...order(1), status: `S${index}` }));
    expect(formatOrdersToCancel(orders, { now })).toMatch(
      /^by status {2}S0 1, S1 1, S2 1, S3 1, S4 1, S5 1, S6 1, S7 1, \.\.\.$/m,
    );
  });
});

const show = (text: string, places = {}) =>
  formatOrder(parseJson(text) as Order, 'create', { places: { ...defaultPlaces, ...places } }).split('\n');

it('an order to create is shown by the same parts, and every other field by its path', () => {
  const order = `{"externalOrderId":"A-1","tags":[],"customer":{"phone":"99112233","vip":true},
    "items":[{"sku":"TEA-1","quantity":1.10,"gift":{"wrap":"red"}},{"name":"Бэлэг"}],
    "collectionMode":"COLLECT","collectionAmount":"25000.50","total":"1000000",
    "requestedDeliveryDate":"2026-12-25","deliveryAddress":{"city":"Дархан","gate":"2"}}`;
  expect(show(order)).toEqual([
    'own id        A-1',
    'customer      99112233',
    'items         1.10 × TEA-1, gift.wrap: red',
    '              Бэлэг',
    'total         1,000,000 ₮',
    'to collect    25,000.50 ₮',
    'deliver on    Friday 25 December 2026',
    'address       Дархан',
    'tags          []',
    'customer.vip  true',
    'deliveryAddress.gate  2',
  ]);
});

it('fields are known where the profile sends them', () => {
  const order = '{"items":[{"sku":"TEA-1","qty":2}],"to":{"town":"Дархан"}}';
  const places = { quantity: 'items[].qty', 'address.city': 'to.town' };
  expect(show(order, places)).toEqual(['items    2 × TEA-1', 'address  Дархан']);
});

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

it('an order of a file is shown on short lines, without fields that no part has', () => {
  const item = { sku: 'TEA-1', quantity: 2, unitPrice: '5000' };
  const order = {
    externalOrderId: 'A-1',
    customer: { externalCustomerId: 'C-1', vip: true },
    items: [item, item, item, item, item],
    collectionMode: 'NONE',
    deliveryAddress: { street: 'Төв гудамж', city: 'Дархан', gate: '2', note: 'x'.repeat(40) },
  };
  expect(formatOrder(order, 'import', { maxLength: 32 }).split('\n')).toEqual([
    'own id      A-1',
    'customer    C-1',
    'items       2 × TEA-1',
    '            2 × TEA-1',
    '            2 × TEA-1',
    '            2 × TEA-1',
    '            and 1 more',
    'to collect  nothing (prepaid)',
    'address     Дархан, Төв гудамж, 2',
    `note        ${'x'.repeat(32)}…`,
  ]);
});

it('a text that would fill the screen is clipped', () => {
  const text = 'x'.repeat(3_000_000);
  expect(formatOrder({ note: text, items: [{ sku: text }], [text]: text }, 'create')).toMatch(
    /^items {2}x{400}…\nnote {3}x{400}…\nx{60}… {2}x{400}…$/,
  );
});

it('each field has one line, whatever the order contains', () => {
  const hostile = 'a\nb\u001b[2J\u202e';
  expect(formatOrder({ [hostile]: hostile }, 'create')).toBe('a b  a b');
});

function cellOf(head: string, order: JsonObject, width = 120): string | undefined {
  const [columns, [cells = []]] = orderList([order], { width, now }) as [{ name: string }[], string[][]];
  return cells[columns.findIndex(({ name }) => name === head)];
}

describe('the list of orders at a terminal', () => {
  it.each([
    [new Date(2026, 10, 22, 9, 5), 'today 09:05', '09:05'],
    [new Date(2026, 10, 21, 23, 59), '21 Nov 23:59', '21 Nov'],
    [new Date(2026, 0, 2, 0, 0), '2 Jan 00:00', '2 Jan'],
    [new Date(2025, 10, 22, 9, 5), '22 Nov 2025', '22 Nov 2025'],
  ])('shows in local time when %s was', (moment, wide, narrow) => {
    const order = { createdAt: moment.toISOString() };
    expect([cellOf('created', order), cellOf('made', order, 80)]).toEqual([wide, narrow]);
  });

  it.each(['2026-11-22T09:05:00', '2026-11-22', 'yesterday', '2026-13-45T09:05:00Z'])(
    'shows %s as it is: it has no time zone, or is no time',
    (createdAt) => expect(cellOf('created', { createdAt })).toBe(createdAt),
  );

  it.each([
    ['2026-12-01', '2026-12-01', '1 Dec'],
    ['2027-12-01', '2027-12-01', '1 Dec 27'],
    ['soon', 'soon', 'soon'],
  ])('shows the delivery date %s', (requestedDeliveryDate, wide, narrow) => {
    const order = { requestedDeliveryDate };
    expect([cellOf('deliver on', order), cellOf('deliver on', order, 80)]).toEqual([wide, narrow]);
  });

  it.each([
    ['+97691652165', '91652165'],
    ['(976) 9165 2165', '91652165'],
    ['0097694736152', '94736152'],
    ['9418 5349', '94185349'],
    ['9418 534', '9418 534'],
    ['976123', '976123'],
    ['+79161234567', '+79161234567'],
  ])('shows the phone %s without the country code where there is little room', (phone, narrow) => {
    const order = { customer: { phone } };
    expect([cellOf('phone', order), cellOf('phone', order, 80)]).toEqual([phone, narrow]);
  });

  it.each<[order: JsonObject, text: string]>([
    [{ collectionMode: 'COLLECT', collectionAmount: '1250000.50' }, '1,250,000.50'],
    [{ collectionMode: 'NONE', collectionAmount: '0' }, ''],
    [{ collectionMode: 'NONE' }, ''],
    [{}, ''],
  ])('shows what the courier collects for %j', (order, text) => {
    expect(cellOf('to collect', order)).toBe(text);
  });

  it('shows the ID of an order without a number, and the state of the delivery', () => {
    const order = { id: '0b0e', delivery: { status: 'PENDING' }, customer: { phone: '99112233' } };
    expect(['number', 'delivery', 'phone'].map((head) => cellOf(head, order))).toEqual([
      '0b0e',
      'PENDING',
      '99112233',
    ]);
  });

  it('cuts nothing on 80 columns', () => {
    const order = {
      orderNumber: 'ORD-2026-000260',
      externalOrderId: 'UB-10258',
      status: 'CONFIRMED',
      customer: { phone: '+976 8962 8131' },
      collectionMode: 'COLLECT',
      collectionAmount: '1198950.50',
      requestedDeliveryDate: '2026-11-26',
      delivery: { status: 'DELIVERED' },
      createdAt: new Date(now).toISOString(),
    };
    const lines = shown((report) => report.orders(now).page([order]), { isTerminal: true, width: 80 });
    expect(lines.split('\n')).toEqual([
      'made  number          own id   phone      to collect deliver status    delivery',
      '                                                     on',
      '14:30 ORD-2026-000260 UB-10258 89628131 1,198,950.50 26 Nov  CONFIRMED DELIVERED',
      '',
    ]);
  });
});
