import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/orders/json.ts';
import { orderList } from '../../src/output/order-list.ts';
import { shown } from './shown.ts';

/** The local time at which it is shown. */
const now = new Date(2026, 10, 22, 14, 30).getTime();

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
    expect([cellOf('deliver on', order), cellOf('day', order, 80)]).toEqual([wide, narrow]);
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
      'made  number          own id   phone            cash day    status    courier',
      '14:30 ORD-2026-000260 UB-10258 89628131 1,198,950.50 26 Nov CONFIRMED DELIVERED',
      '',
    ]);
  });
});
