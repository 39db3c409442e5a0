import { describe, expect, it } from 'vitest';
import { orderFlags } from '../../../src/orders/assignment.ts';
import { type JsonObject, parseJson } from '../../../src/orders/json.ts';
import { runCli } from '../../support/cli.ts';

const plain = {
  externalOrderId: 'n1-001-r2',
  customer: { phone: '99112233' },
  items: [{ sku: 'TEA-001' }],
  collectionMode: 'NONE',
};

const orders: Record<string, JsonObject> = {
  'a prepaid order': plain,
  'lines with names, numbers and quotes': {
    ...plain,
    items: [
      { name: 'Сүүтэй цай, "Хаан" x 2', quantity: 2, price: '1500' },
      { sku: 'A B', quantity: 1 },
      { sku: 'TEA x 2', note: 'a=b \\ {c}' },
      { sku: 'S', options: { size: 'XL', tags: ['x', 1] } },
    ],
  },
  'a line with a name that no path has': { ...plain, items: [{ sku: 'A', 'size (cm)': '5' }] },
  'an amount, a total and a date': {
    ...plain,
    collectionMode: 'COLLECT',
    collectionAmount: '25000.50',
    total: '30000',
    requestedDeliveryDate: '2026-12-01',
  },
  'nothing to collect, as an amount': { ...plain, collectionAmount: '0' },
  'a customer with more than a phone': {
    ...plain,
    customer: { externalCustomerId: 'C-7', name: 'Б. Өлзий-Орших', vip: true, phone: '+976 9911 2233' },
  },
  'other fields, deep ones too': {
    ...plain,
    deliveryAddress: { street: "5-р хороо, 'Өнө' 12=3", city: 'УБ', geo: { lat: 47.9, lng: 106.9 } },
    note: 'Залгаад\nирээрэй',
    gift: false,
    tags: [],
    extra: {},
    nothing: null,
  },
};

describe('the flags of create for an order', () => {
  it.each(Object.entries(orders))('make exactly it: %s', async (_name, order) => {
    const flags = orderFlags(parseJson(JSON.stringify(order)) as JsonObject);
    const { stdout, stderr, exitCode } = await runCli([
      'create',
      ...flags,
      '--dry-run',
      '--sandbox',
      '--json',
    ]);
    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(stdout).body).toEqual(order);
  });
});
