import { describe, expect, it } from 'vitest';
import { anOrder, orders, start } from './start.ts';

const underKey = { headers: { 'idempotency-key': 'K' } };

describe('a customer', () => {
  it('is found by any spelling of its phone, also in a list', async () => {
    const { create, get, countCustomers } = await start();
    const before = countCustomers();
    for (const phone of ['99112233', '+976 9911 2233', '9911-2233', '+97699112233']) {
      expect((await create(anOrder({ customer: { phone } }))).status).toBe(201);
    }
    expect(countCustomers() - before).toBe(1);
    expect((await get(`${orders}?customerPhone=9911%202233`)).json.total).toBe(4);
    const { json } = await create(anOrder({ customer: { phone: '9900 0000' } }));
    expect(json.error.code).toBe('CUSTOMER_PHONE_AMBIGUOUS');
  });

  it('is that of the first order with its external customer ID', async () => {
    const { create, database } = await start();
    const customers = [
      { phone: '88112233' },
      { phone: '99112233', externalCustomerId: 'C' },
      { phone: '88112233', externalCustomerId: 'C' },
      { externalCustomerId: 'C' },
    ];
    for (const customer of customers) expect((await create(anOrder({ customer }))).status).toBe(201);
    const rows = database.prepare('SELECT customer_id AS id FROM orders ORDER BY sequence').all();
    const [other, first, second, third] = (rows as { id: number }[]).map(({ id }) => id);
    expect([second, third]).toEqual([first, first]);
    expect(other).not.toBe(first);
  });
});

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

it('a cancelled order cannot be cancelled again, and its delivery is cancelled with it', async () => {
  const { create, cancel, get } = await start();
  const { json } = await create(anOrder());
  const cancelled = await cancel(json.id);
  expect(cancelled.json.delivery).toEqual({ ...json.delivery, status: 'CANCELLED' });
  expect((await get(`${orders}/${json.id}`)).json).toEqual(cancelled.json);
  expect((await cancel(json.id)).status).toBe(409);
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

it('an order of another merchant is unknown', async () => {
  const { create, get, post, addKey } = await start();
  const { json } = await create(anOrder());
  const key = addKey();
  const responses = [
    await get(`${orders}/${json.id.toUpperCase()}`, { key }),
    await post(`${orders}/${json.id}/cancel`, { key, body: { reason: 'x' } }),
  ];
  expect(responses.map(({ status, json: { error } }) => [status, error.code])).toEqual([
    [404, 'ORDER_NOT_FOUND'],
    [404, 'ORDER_NOT_FOUND'],
  ]);
  expect((await get(`${orders}/${json.id}`)).json.status).toBe('CONFIRMED');
});
