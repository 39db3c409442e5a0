import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUuid } from '../../src/orders/order-reference.ts';
import { anOrder, orders, start } from './start.ts';

describe('create', () => {
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

  it('returns undocumented fields with any JSON as sent', async () => {
    const { create } = await start();
    const returned = fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
      const { status, text } = await create(anOrder({ beyond: value }));
      expect(status).toBe(201);
      expect(text).toContain(`,"beyond":${JSON.stringify(value)},"currency"`);
    });
    await fc.assert(returned, { numRuns: 50 });
  });

  it('returns delivery: null when none is created at once, and can cancel such an order', async () => {
    const { create, cancel } = await start({ behaviour: { deliveries: { createdAtOnce: false } } });
    const { json } = await create(anOrder());
    expect(json.delivery).toBeNull();
    expect((await cancel(json.id)).json).toMatchObject({ status: 'CANCELLED', delivery: null });
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

  it('uses no order number and creates no customer for a rejected order', async () => {
    const { create, countCustomers } = await start();
    const before = countCustomers();
    expect((await create(anOrder({ items: [{ sku: 'NONE' }] }))).status).toBe(422);
    expect(countCustomers()).toBe(before);
    expect((await create(anOrder())).json.orderNumber).toBe('ORD-2026-000001');
  });

  it.each([
    ['text that is not JSON', '{"a":', 'is not JSON: it ends too early'],
    ['nothing', '', 'is not JSON: it ends too early'],
    ['an array', '[]', 'is not a JSON object'],
    ['null', 'null', 'is not a JSON object'],
    [
      'JSON that is nested too deep and incomplete',
      `{"a":${'['.repeat(200_000)}`,
      'is nested more than 500 levels deep',
    ],
    [
      'JSON that is nested as deep as a body can be',
      `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
      'is nested more than 500 levels deep',
    ],
  ])('responds 400 to %s', async (_, body, problem) => {
    const { create } = await start();
    const { status, json } = await create(body);
    const { code, message } = json.error;
    expect([status, code, message]).toEqual([400, 'INVALID_JSON', `The body ${problem}`]);
  });
});

describe('idempotency', () => {
  it.each([400, 422] as const)('stores no rejection with the status %i under its key', async (status) => {
    const { create } = await start({ behaviour: { refusals: { orderInvalid: { status } } } });
    const headers = { 'idempotency-key': 'K' };
    expect((await create(anOrder({ items: [] }), { headers })).status).toBe(status);
    expect((await create(anOrder(), { headers })).status).toBe(201);
  });

  it.each([{}, { 'idempotency-key': '' }])('requires the header Idempotency-Key: %o', async (headers) => {
    const { post } = await start();
    const { status, json } = await post(orders, { headers, body: anOrder() });
    expect([status, json.error.code]).toEqual([400, 'IDEMPOTENCY_KEY_MISSING']);
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

  it('rejects the same key with another body', async () => {
    const { create, store } = await start();
    const headers = { 'idempotency-key': 'K' };
    const order = anOrder();
    await create(order, { headers });
    for (const body of [anOrder(), { ...order, total: '1' }]) {
      const { status, json } = await create(body, { headers });
      expect([status, json.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    expect(store.orders.count()).toBe(1);
  });

  it('stores no rejection: the corrected order can use the same key', async () => {
    const { create } = await start();
    const headers = { 'idempotency-key': 'K' };
    expect((await create(anOrder({ collectionMode: 'COLLECT' }), { headers })).status).toBe(422);
    expect((await create(anOrder(), { headers })).status).toBe(201);
  });

  it('separates the keys of clients', async () => {
    const { create, addKey } = await start();
    const headers = { 'idempotency-key': 'K' };
    const first = await create(anOrder(), { headers });
    const other = await create(anOrder(), { headers, key: addKey(1) });
    expect(other.status).toBe(201);
    expect(other.json.id).not.toBe(first.json.id);
  });
});

describe('externalOrderId', () => {
  it('is unique per client, whatever the other fields', async () => {
    const { create, store } = await start();
    await create(anOrder({ externalOrderId: 'A' }));
    const { status, json } = await create(anOrder({ externalOrderId: 'A', items: [{ sku: 'UNKNOWN' }] }));
    expect([status, json.error.code]).toEqual([409, 'EXTERNAL_ORDER_ID_EXISTS']);
    expect(json.error.message).toContain('"A"');
    expect(store.orders.count()).toBe(1);
  });

  it('is not freed by a cancellation', async () => {
    const { create, cancel } = await start();
    const { json } = await create(anOrder({ externalOrderId: 'A' }));
    await cancel(json.id);
    expect((await create(anOrder({ externalOrderId: 'A' }))).status).toBe(409);
  });

  it('may be used by another client of the merchant and by another merchant', async () => {
    const { create, addKey } = await start();
    const keys = [undefined, addKey(1), addKey()];
    for (const key of keys) {
      const sending = key === undefined ? {} : { key };
      expect((await create(anOrder({ externalOrderId: 'A' }), sending)).status).toBe(201);
      expect((await create(anOrder({ externalOrderId: 'A' }), sending)).status).toBe(409);
    }
  });

  it('is compared exactly, with case and spaces', async () => {
    const { create } = await start();
    for (const externalOrderId of ['a', 'A', 'A ']) {
      expect((await create(anOrder({ externalOrderId }))).status).toBe(201);
    }
  });

  it('may be omitted by any number of orders', async () => {
    const { create } = await start();
    for (const total of ['1', '2']) {
      expect((await create(anOrder({ externalOrderId: undefined, total }))).status).toBe(201);
    }
  });

  it('rolls the order back when its idempotency key cannot be stored', async () => {
    const { create, store, database } = await start();
    database.exec(
      "CREATE TRIGGER full BEFORE INSERT ON idempotency_keys BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    const { status, json } = await create(anOrder(), { headers: { 'idempotency-key': randomUUID() } });
    expect([status, json.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(store.orders.count()).toBe(0);
  });
});

describe('a create that fails in the middle', () => {
  it.each([{}, { 'idempotency-key': 'K' }])('responds 500 and leaves nothing behind: %j', async (headers) => {
    const { create, database, store } = await start();
    database.exec(
      "CREATE TRIGGER full BEFORE INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
    );
    expect((await create(anOrder(), { headers })).status).toBe(500);
    expect(store.orders.count()).toBe(0);
    database.exec('DROP TRIGGER full');
    expect((await create(anOrder())).json.orderNumber).toBe('ORD-2026-000001');
  });
});
