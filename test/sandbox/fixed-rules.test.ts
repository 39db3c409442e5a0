import { describe, expect, it } from 'vitest';
import { anOrder, start } from './start.ts';

const underKey = { headers: { 'idempotency-key': 'K' } };

describe('an idempotency key', () => {
  it('of a request without a response yet is rejected', async () => {
    const { create, store } = await start({ behaviour: { faults: { latencyMs: 300 } } });
    const order = anOrder();
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => create(order, underKey)));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(store.orders.count()).toBe(1);
    expect((await create(order, underKey)).status).toBe(201);
  });

  it('has the same body when it is equal as JSON, with numbers as written', async () => {
    const { create } = await start();
    const { items, ...others } = anOrder({ total: '1' });
    await create({ items, ...others }, underKey);
    const again = await create({ ...others, items }, underKey);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect((await create({ ...others, items, total: '1.00' }, underKey)).status).toBe(422);
  });
});

it('the rejection of an order names each of its problems', async () => {
  const { create } = await start();
  const { status, json } = await create({
    externalOrderId: 'A',
    customer: { phone: 1 },
    items: [{ sku: 7 }],
    collectionMode: 'COLLECT',
    total: 'x',
    requestedDeliveryDate: '2030-02-30',
  });
  const fields = ['customer.phone', 'items[0].sku', 'collectionAmount', 'total', 'requestedDeliveryDate'];
  expect([status, json.error.code]).toEqual([422, 'MERCHANT_API_INVALID_ORDER']);
  expect(json.error.details.map(({ field }: { field: string }) => field).sort()).toEqual(fields.sort());
  expect(json.error.message.split('; ')).toHaveLength(fields.length);
});
