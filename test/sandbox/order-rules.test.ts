import { describe, expect, it } from 'vitest';
import { anOrder, orders, start } from './start.ts';

describe('collection rules (section 2.3)', () => {
  it.each([
    [{ collectionMode: 'NONE' }],
    [{ collectionMode: 'NONE', collectionAmount: '0' }],
    [{ collectionMode: 'NONE', collectionAmount: '0.00' }],
    [{ collectionMode: 'COLLECT', collectionAmount: '1' }],
    [{ collectionMode: 'COLLECT', collectionAmount: '0.01', total: '0' }],
    [{ collectionMode: 'NONE', total: '99999999999999999999.99' }],
  ])('accepts %o and returns it as sent', async (fields) => {
    const { create } = await start();
    const { status, json } = await create(anOrder(fields));
    expect(status).toBe(201);
    expect(json).toMatchObject(fields);
    expect('collectionAmount' in json).toBe('collectionAmount' in fields);
  });

  it.each([
    [{ collectionMode: 'NONE', collectionAmount: '1' }, 'collectionAmount'],
    [{ collectionMode: 'NONE', collectionAmount: '0.01' }, 'collectionAmount'],
    [{ collectionMode: 'COLLECT' }, 'collectionAmount'],
    [{ collectionMode: 'COLLECT', collectionAmount: '0' }, 'collectionAmount'],
    [{ collectionMode: 'COLLECT', collectionAmount: '0.00', total: '5' }, 'collectionAmount'],
    [{ collectionMode: 'collect', collectionAmount: '1' }, 'collectionMode'],
    [{ collectionMode: undefined }, 'collectionMode'],
  ])('rejects %o', async (fields, field) => {
    const { create } = await start();
    const { status, json } = await create(anOrder(fields));
    expect([status, json.error.code]).toEqual([422, 'MERCHANT_API_INVALID_ORDER']);
    expect(json.error.message).toContain(`${field}:`);
  });
});

describe('fields of an order (section 2.2)', () => {
  it.each([
    ['total', { total: 25000 }],
    ['total', { total: '25,000' }],
    ['total', { total: '25000.5' }],
    ['total', { total: '-1' }],
    ['total', { total: null }],
    ['collectionAmount', { collectionMode: 'COLLECT', collectionAmount: 5 }],
    ['requestedDeliveryDate', { requestedDeliveryDate: '2026-02-29' }],
    ['requestedDeliveryDate', { requestedDeliveryDate: '2026-11-25T00:00:00Z' }],
    ['requestedDeliveryDate', { requestedDeliveryDate: 20261125 }],
    ['externalOrderId', { externalOrderId: 7 }],
    ['externalOrderId', { externalOrderId: ' ' }],
    ['customer', { customer: undefined }],
    ['customer', { customer: '99112233' }],
    ['customer.phone', { customer: {} }],
    ['customer.phone', { customer: { phone: 99112233 } }],
    ['customer.phone', { customer: { phone: ' ' } }],
    ['customer.externalCustomerId', { customer: { phone: '99112233', externalCustomerId: 7 } }],
    ['items', { items: undefined }],
    ['items', { items: [] }],
    ['items', { items: { sku: 'TEA' } }],
    ['items[1]', { items: [{ sku: 'TEA' }, 'TEA'] }],
    ['items[0].sku', { items: [{ sku: 7 }] }],
  ])('rejects an invalid %s and names it: %o', async (field, fields) => {
    const { create, store } = await start();
    const { status, json } = await create(anOrder(fields));
    expect([status, json.error.code]).toEqual([422, 'MERCHANT_API_INVALID_ORDER']);
    expect(json.error.message.startsWith(`${field}: `)).toBe(true);
    expect(store.orders.count()).toBe(0);
  });

  it('returns the requested delivery date as sent, also a past one and a leap day', async () => {
    const { create, get } = await start();
    for (const requestedDeliveryDate of ['2020-01-01', '2028-02-29']) {
      const { json } = await create(anOrder({ requestedDeliveryDate }));
      const read = await get(`${orders}/${json.id}`);
      expect([json, read.json].map((order) => order.requestedDeliveryDate)).toEqual([
        requestedDeliveryDate,
        requestedDeliveryDate,
      ]);
    }
  });
});

describe('SKU rules (section 4.1)', () => {
  it.each([
    [[{ sku: 'NEW' }], 'PRODUCT_SKU_NOT_FOUND', 'items[0].sku'],
    [[{ sku: 'tea' }], 'PRODUCT_SKU_NOT_FOUND', 'items[0].sku'],
    [[{ sku: '' }], 'PRODUCT_SKU_NOT_FOUND', 'items[0].sku'],
    [[{ sku: 'TEA' }, { sku: 'OLD' }], 'PRODUCT_SKU_INACTIVE', 'items[1].sku'],
  ])('rejects %o with %s', async (items, code, field) => {
    const { create, store } = await start();
    const { status, json } = await create(anOrder({ items }));
    expect([status, json.error.code]).toEqual([422, code]);
    expect(json.error.message).toContain(field);
    expect(store.products.count()).toBe(2);
  });

  it('does not look up a line without a SKU', async () => {
    const { create } = await start({ catalogue: [] });
    expect((await create(anOrder({ items: [{ name: 'Gift wrapping' }] }))).status).toBe(201);
  });

  it('accepts only products of the merchant', async () => {
    const { create, addKey, store } = await start();
    const merchantId = store.accounts.addMerchant();
    const key = addKey(merchantId);
    store.products.replace(merchantId, [{ sku: 'OLD', active: true }]);
    expect((await create(anOrder(), { key })).json.error.code).toBe('PRODUCT_SKU_NOT_FOUND');
    expect((await create(anOrder({ items: [{ sku: 'OLD' }] }), { key })).status).toBe(201);
  });

  it('accepts every SKU with anySku, and creates no product', async () => {
    const { create, store } = await start({ anySku: true });
    expect((await create(anOrder({ items: [{ sku: 'NEW' }, { sku: 'OLD' }] }))).status).toBe(201);
    expect(store.products.count()).toBe(2);
  });
});

it.each([
  [{ externalOrderId: 'A\0B' }, 'externalOrderId'],
  [{ externalOrderId: 'A\ud800' }, 'externalOrderId'],
  [{ customer: { phone: '99112233\0' } }, 'customer.phone'],
  [{ customer: { phone: '99112233', externalCustomerId: '\udc00' } }, 'customer.externalCustomerId'],
])('refuses text that the database would alter: %j', async (fields, field) => {
  const { create, store } = await start();
  const { status, json } = await create(anOrder(fields));
  expect([status, json.error.code]).toEqual([422, 'MERCHANT_API_INVALID_ORDER']);
  expect(json.error.message).toContain(`${field}: has a null character`);
  expect(store.orders.count()).toBe(0);
});

it('keeps text beyond the basic plane', async () => {
  const { create } = await start();
  expect((await create(anOrder({ externalOrderId: 'A-\u{1f600}' }))).status).toBe(201);
});
