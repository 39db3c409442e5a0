import { describe, expect, it } from 'vitest';
import { anOrder, start } from '../start.ts';
import { admin } from './admin-client.ts';

async function startWithOrders() {
  const service = await start();
  const client = admin(service.sandbox);
  const customer = { phone: '9911 2233', externalCustomerId: 'C-1' };
  const { json: first } = await service.create(anOrder({ externalOrderId: 'A', customer, total: '10.50' }));
  const { json: second } = await service.create(anOrder({ externalOrderId: 'B' }));
  return { ...service, client, first, second };
}

describe('/_sandbox/orders', () => {
  it('has the orders of all merchants, the latest first, with their customers and deliveries', async () => {
    const { client, create, addKey, first } = await startWithOrders();
    await create(anOrder({ externalOrderId: 'X' }), { key: addKey() });
    const { json } = await client.get('/orders');
    expect([json.page, json.pageSize, json.total]).toEqual([1, 20, 3]);
    expect(json.orders.map((order: { externalOrderId: string }) => order.externalOrderId)).toEqual([
      'X',
      'B',
      'A',
    ]);
    expect(json.orders[2]).toEqual({
      id: first.id,
      merchantId: 1,
      clientId: 1,
      orderNumber: 'ORD-2026-000001',
      externalOrderId: 'A',
      status: 'CONFIRMED',
      createdAt: '2026-11-25T08:00:00.000Z',
      cancelReason: null,
      cancelledAt: null,
      customer: { id: 3, merchantId: 1, phone: '+97699112233', externalCustomerIds: ['C-1'] },
      delivery: first.delivery,
      sent: expect.objectContaining({
        customer: { phone: '9911 2233', externalCustomerId: 'C-1' },
        total: '10.50',
      }),
    });
    expect(json.orders[1].customer.id).toBe(3);
  });

  it.each([
    ['?status=CANCELLED', ['B']],
    ['?search=%22c-1%22', ['A']],
    ['?search=9911%202', ['A']],
    ['?search=%2B9769911', ['B', 'A']],
    ['?search=ord-2026-000002', ['B']],
    ['?search=tea&status=CANCELLED', ['B']],
    ['?search=%25', []],
    ['?pageSize=1', ['B']],
    ['?pageSize=1&page=2', ['A']],
    ['?page=2', []],
  ])('is filtered and paged: %s', async (query, expected) => {
    const { client, cancel, second } = await startWithOrders();
    await cancel(second.id);
    const { status, json } = await client.get(`/orders${query}`);
    expect([status, json.orders.map((order: { externalOrderId: string }) => order.externalOrderId)]).toEqual([
      200,
      expected,
    ]);
  });

  it.each([
    ['?colour=red', 'Unrecognized key: "colour"'],
    ['?pageSize=101', 'pageSize: Too big: expected number to be <=100'],
    ['?page=x', 'page: Invalid input: expected number, received NaN'],
    ['?page=1&page=2', 'page: Invalid input: expected number, received NaN'],
  ])('rejects %s', async (query, message) => {
    const { client } = await startWithOrders();
    const { status, json } = await client.get(`/orders${query}`);
    expect([status, json.error.message]).toEqual([400, message]);
  });
});

describe('/_sandbox/orders/:reference', () => {
  it('is found by id in either case, by order number and by external order ID', async () => {
    const { client, first } = await startWithOrders();
    for (const reference of [first.id, first.id.toUpperCase(), 'ORD-2026-000001', 'ord-2026-000001', 'A']) {
      expect((await client.get(`/orders/${reference}`)).json).toMatchObject({
        id: first.id,
        customer: { id: 3 },
      });
    }
    expect((await client.get('/orders/a')).status).toBe(404);
  });

  it('is ambiguous when clients share an external order ID', async () => {
    const { client, create, addKey } = await startWithOrders();
    await create(anOrder({ externalOrderId: 'A' }), { key: addKey() });
    for (const { status, json } of [
      await client.get('/orders/A'),
      await client.put('/orders/A/status', { status: 'DELIVERED' }),
    ]) {
      expect([status, json.error.message]).toEqual([
        400,
        'More than one order matches "A": use the id of one',
      ]);
    }
  });

  it('gets a delivery, or another state of its delivery', async () => {
    const { client, create, cancel } = await start({
      behaviour: { deliveries: { createdFor: 'no_order' } },
    }).then((service) => ({ ...service, client: admin(service.sandbox) }));
    const { json: order } = await create(anOrder({ externalOrderId: 'A' }));
    expect(order.delivery).toBe(null);
    const { json } = await client.put('/orders/A/delivery', { status: 'PENDING' });
    expect(json.delivery).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'PENDING' });
    await client.put('/orders/A/delivery', { status: 'PICKED_UP' });
    expect((await client.get('/orders/A')).json.delivery).toEqual({
      id: json.delivery.id,
      status: 'PICKED_UP',
    });
    expect((await cancel(order.id)).json.delivery).toEqual({ id: json.delivery.id, status: 'CANCELLED' });
    expect((await client.put('/orders/A/delivery', { status: 'ON ITS WAY' })).json.error.message).toBe(
      'status: Invalid string: must match pattern /^\\S+$/',
    );
  });
});

describe('/_sandbox/customers', () => {
  it('adds customers, even with the same phone, that orders are resolved to', async () => {
    const { client, create } = await startWithOrders();
    const added = await client.post('/customers', { phone: '8811 2233', externalCustomerId: 'C-2' });
    expect([added.status, added.json]).toEqual([
      201,
      { id: 4, merchantId: 1, phone: '+97688112233', externalCustomerIds: ['C-2'] },
    ]);
    await create(
      anOrder({ externalOrderId: 'C', customer: { externalCustomerId: 'C-2', phone: '99999999' } }),
    );
    expect((await client.get('/orders/C')).json.customer.id).toBe(4);
    await client.post('/customers', { phone: '88112233' });
    const ambiguous = await create(anOrder({ customer: { phone: '88112233' } }));
    expect(ambiguous.json.error.code).toBe('CUSTOMER_PHONE_AMBIGUOUS');
    const found = (await client.get('/customers?phone=88112233')).json;
    expect([found.total, found.customers.map(({ id }: { id: number }) => id)]).toEqual([2, [5, 4]]);
    expect((await client.get('/customers?pageSize=1&page=2')).json).toEqual({
      customers: [added.json],
      total: 5,
      page: 2,
      pageSize: 1,
    });
  });

  it('rejects an external customer ID that is taken', async () => {
    const { client, countCustomers } = await startWithOrders();
    const { status, json } = await client.post('/customers', { externalCustomerId: 'C-1' });
    expect([status, json.error.message]).toEqual([400, 'externalCustomerId: another customer has "C-1"']);
    expect(countCustomers()).toBe(3);
  });
});

describe('a request that has what its endpoint does not', () => {
  it.each([
    ['get', '/info?x=1', 'Unrecognized key: "x"'],
    ['post', '/reset?everything=true', 'Unrecognized key: "everything"'],
    ['get', '/orders/A?page=1', 'Unrecognized key: "page"'],
  ] as const)('%s %s is rejected', async (method, path, message) => {
    const { client, sandbox } = await startWithOrders();
    const { identity } = sandbox;
    const { status, json } = await client[method](path);
    expect([status, json.error.message, sandbox.identity]).toEqual([400, message, identity]);
  });
});
