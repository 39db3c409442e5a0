import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isUuid } from '../../src/orders/order-reference.ts';
import { anOrder, orders, products, start } from './start.ts';

// What the interface document states is in fixtures/contract; here is what the sandbox adds.
describe('a create', () => {
  it('responds 201 with the order as sent and the fields of the service', async () => {
    const { create } = await start();
    const sent = {
      externalOrderId: 'A-1',
      customer: { phone: '9911 2233', externalCustomerId: 'C-1', name: 'Бат' },
      items: [{ sku: 'TEA', quantity: 2 }, { name: 'Gift wrapping' }],
      collectionMode: 'COLLECT',
      collectionAmount: '25000.50',
      total: '30000',
      requestedDeliveryDate: '2026-12-01',
      note: 'ring twice',
    };
    const { status, json, headers } = await create(sent);
    const { id, delivery, ...rest } = json;
    expect(status).toBe(201);
    expect(headers['content-type']).toBe('application/json');
    expect(rest).toEqual({
      ...sent,
      orderNumber: 'ORD-2026-000001',
      status: 'CONFIRMED',
      currency: 'MNT',
      createdAt: '2026-11-25T08:00:00.000Z',
    });
    expect(isUuid(id)).toBe(true);
    expect(delivery).toEqual({ id: expect.any(String), status: 'PENDING' });
    expect(isUuid(delivery.id)).toBe(true);
  });

  it('returns no field that was not sent', async () => {
    const { create } = await start();
    const { json } = await create(anOrder({ externalOrderId: undefined }));
    expect(Object.keys(json).sort()).toEqual(
      [
        'id',
        'orderNumber',
        'status',
        'customer',
        'items',
        'collectionMode',
        'currency',
        'delivery',
        'createdAt',
      ].sort(),
    );
  });

  it('keeps the digits of numbers and every member of undocumented fields', async () => {
    const { create, get } = await start();
    const body = JSON.stringify(anOrder()).replace(
      /}$/,
      ',"weight":1.10,"long":12345678901234567890.0,"__proto__":{"a":1e400},"nothing":null}',
    );
    const created = await create(body);
    const read = await get(`${orders}/${created.json.id}`);
    for (const { text } of [created, read]) {
      expect(text).toContain(
        '"weight":1.10,"long":12345678901234567890.0,"__proto__":{"a":1e400},"nothing":null',
      );
    }
  });

  it('ignores sent values for the fields of the service', async () => {
    const { create } = await start();
    const fields = { id: 'mine', orderNumber: 'ORD-1-1', status: 'DRAFT', delivery: null };
    const { json } = await create(
      anOrder({ ...fields, createdAt: 'x', cancelledAt: 'x', cancelReason: 'x' }),
    );
    expect(json).toMatchObject({ orderNumber: 'ORD-2026-000001', status: 'CONFIRMED', currency: 'MNT' });
    expect(isUuid(json.id)).toBe(true);
    expect(json.delivery.status).toBe('PENDING');
    expect(json.createdAt).toBe('2026-11-25T08:00:00.000Z');
    expect(json).not.toHaveProperty('cancelledAt');
    expect(json).not.toHaveProperty('cancelReason');
  });

  it('numbers orders in sequence, from 1 in each UTC year', async () => {
    const { create, clock } = await start();
    clock.now = Date.parse('2026-12-31T23:59:59.999Z');
    const numbers = [await create(anOrder()), await create(anOrder())];
    clock.now += 1;
    numbers.push(await create(anOrder()));
    expect(numbers.map(({ json }) => json.orderNumber)).toEqual([
      'ORD-2026-000001',
      'ORD-2026-000002',
      'ORD-2027-000001',
    ]);
  });

  it('replays the stored response for the same key and body, even after the order has changed', async () => {
    const { create, cancel, store } = await start();
    const order = anOrder();
    const headers = { 'idempotency-key': 'K' };
    const first = await create(order, { headers });
    await cancel(first.json.id);
    const second = await create(order, { headers });
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(store.orders.count()).toBe(1);
  });

  it.each([
    ['deliveries', {}],
    ['deliveries', { 'idempotency-key': 'K' }],
    ['idempotency_keys', { 'idempotency-key': randomUUID() }],
  ])('that fails at %s responds 500 and leaves nothing behind: %j', async (table, headers) => {
    const { create, database, store } = await start();
    database.exec(
      `CREATE TRIGGER full BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'disk is full'); END`,
    );
    const { status, json } = await create(anOrder(), { headers });
    expect([status, json.error.code, store.orders.count()]).toEqual([500, 'INTERNAL_ERROR', 0]);
    database.exec('DROP TRIGGER full');
    expect((await create(anOrder())).json.orderNumber).toBe('ORD-2026-000001');
  });

  it('accepts every SKU with anySku, and creates no product', async () => {
    const { create, store } = await start({ anySku: true });
    expect((await create(anOrder({ items: [{ sku: 'NEW' }, { sku: 'OLD' }] }))).status).toBe(201);
    expect(store.products.count()).toBe(2);
  });

  it('accepts SKUs that the catalogue lacks in a rehearsal, while it is the default one', async () => {
    const order = (sku: string) => anOrder({ items: [{ sku }] });
    const own = await start({ anySku: 'rehearsal', defaultCatalogue: () => products });
    const loaded = await start({ anySku: 'rehearsal', defaultCatalogue: () => [] });
    const statuses = [own.create(order('NEW')), own.create(order('OLD')), loaded.create(order('NEW'))];
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([201, 422, 422]);
  });

  it('may have the key of another client, at the same time', async () => {
    const { create, addKey } = await start({ behaviour: { faults: { latencyMs: 100 } } });
    const headers = { 'idempotency-key': 'K' };
    const responses = [create(anOrder(), { headers }), create(anOrder(), { headers, key: addKey() })];
    const [one, other] = await Promise.all(responses);
    expect([one?.status, other?.status]).toEqual([201, 201]);
    expect(one?.json.id).not.toBe(other?.json.id);
  });
});

describe('a cancellation', () => {
  it('returns the cancelled order and delivery, as later reads do', async () => {
    const { create, post, get, clock } = await start();
    const { json: order } = await create(anOrder());
    clock.now += 1500;
    const path = `${orders}/${order.id}`;
    const { status, json } = await post(`${path}/cancel`, { body: { reason: 'Ажиллахгүй "байна" ' } });
    expect(status).toBe(200);
    expect(json).toEqual({
      ...order,
      status: 'CANCELLED',
      delivery: { id: order.delivery.id, status: 'CANCELLED' },
      cancelReason: 'Ажиллахгүй "байна" ',
      cancelledAt: '2026-11-25T08:00:01.500Z',
    });
    expect((await get(path)).json).toEqual(json);
    expect((await get(orders)).json.data).toEqual([json]);
  });
});

type Customer = { phone?: string; externalCustomerId?: string };

async function startForCustomers() {
  const service = await start();
  const createFor = (customer: Customer, key?: string) =>
    service.create(anOrder({ customer }), key === undefined ? {} : { key });
  const ordersOf = async (phone: string) =>
    (await service.get(`${orders}?customerPhone=${encodeURIComponent(phone)}`)).json.total;
  return { ...service, createFor, ordersOf };
}

describe('a customer', () => {
  it('does not store the external customer ID of a rejected order', async () => {
    const { createFor, create, countCustomers } = await startForCustomers();
    const customer = { phone: '99112233', externalCustomerId: 'C' };
    await create(anOrder({ customer, items: [{ sku: 'UNKNOWN' }] }));
    const before = countCustomers();
    await createFor({ externalCustomerId: 'C' });
    expect(countCustomers()).toBe(before + 1);
  });

  it('compares text that is not a phone number as it is', async () => {
    const { createFor, countCustomers } = await startForCustomers();
    const before = countCustomers();
    for (const phone of ['extension 7', ' extension 7', 'extension 8']) await createFor({ phone });
    expect(countCustomers()).toBe(before + 2);
  });
});
