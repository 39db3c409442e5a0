import { describe, expect, it } from 'vitest';
import { anOrder, orders, start } from '../start.ts';
import { admin } from './admin-client.ts';

describe('/_sandbox/orders/:orderId/status', () => {
  it('moves an order to a state that can or cannot be cancelled', async () => {
    const { sandbox, create, cancel, get } = await start();
    const { put } = admin(sandbox);
    const { json } = await create(anOrder());
    const moved = await put(`/orders/${json.id}/status`, { status: 'IN_DELIVERY' });
    expect([moved.status, moved.json]).toMatchObject([200, { id: json.id, status: 'IN_DELIVERY' }]);
    expect((await get(`${orders}/${json.id}`)).json.status).toBe('IN_DELIVERY');
    expect((await get(`${orders}?status=IN_DELIVERY`)).json.total).toBe(1);
    const rejected = await cancel(json.id);
    expect([rejected.status, rejected.json.error.code]).toEqual([409, 'ORDER_NOT_CANCELLABLE']);
    await put(`/orders/${json.id}/status`, { status: 'CONFIRMED' });
    expect((await cancel(json.id)).status).toBe(200);
  });

  it('moves the delivery with the order, and sets its times', async () => {
    const { sandbox, create, get, clock } = await start();
    const { put } = admin(sandbox);
    const { json } = await create(anOrder());
    const { delivery } = json;
    const moveTo = async (status: string) => {
      clock.now += 60_000;
      await put(`/orders/${json.id}/status`, { status });
      const moved = (await get(`${orders}/${json.id}`)).json;
      return { delivery: moved.delivery, cancelledAt: moved.cancelledAt, cancelReason: moved.cancelReason };
    };
    expect(await moveTo('IN_DELIVERY')).toEqual({ delivery: { ...delivery, status: 'IN_DELIVERY' } });
    const deliveredAt = '2026-11-25T08:02:00.000Z';
    expect(await moveTo('DELIVERED')).toEqual({
      delivery: { ...delivery, status: 'DELIVERED', deliveredAt },
    });
    expect(await moveTo('CANCELLED')).toEqual({
      delivery: { ...delivery, status: 'CANCELLED' },
      cancelledAt: '2026-11-25T08:03:00.000Z',
      cancelReason: 'Cancelled by the platform',
    });
    expect(await moveTo('CONFIRMED')).toEqual({ delivery });
  });

  it('cancels by the rules of the behaviour', async () => {
    const { sandbox, create } = await start({ behaviour: { orders: { cancelFreesExternalOrderId: true } } });
    const { put } = admin(sandbox);
    const order = anOrder();
    const { json } = await create(order);
    await put(`/orders/${json.id}/status`, { status: 'CANCELLED' });
    await put(`/orders/${json.id}/status`, { status: 'CONFIRMED' });
    expect((await create(order)).status).toBe(409);
    await put(`/orders/${json.id}/status`, { status: 'CANCELLED' });
    expect((await create(order)).status).toBe(201);
    expect((await put(`/orders/${json.id}/status`, { status: 'CONFIRMED' })).status).toBe(200);
  });

  it('gives an order its delivery when it leaves its first state', async () => {
    const { sandbox, create, get } = await start({ behaviour: { deliveries: { createdFor: 'no_order' } } });
    const { put } = admin(sandbox);
    const { json } = await create(anOrder());
    const deliveries = [json.delivery];
    for (const status of ['CONFIRMED', 'DELIVERED']) {
      await put(`/orders/${json.id}/status`, { status });
      deliveries.push((await get(`${orders}/${json.id}`)).json.delivery);
    }
    expect(deliveries).toEqual([
      null,
      null,
      { id: expect.any(String), status: 'DELIVERED', deliveredAt: '2026-11-25T08:00:00.000Z' },
    ]);
  });

  it('accepts only the states of the sandbox', async () => {
    const { sandbox, create, get } = await start();
    const { json } = await create(anOrder());
    const rejected = await admin(sandbox).put(`/orders/${json.id}/status`, { status: 'VOID' });
    expect([rejected.status, rejected.json.error]).toMatchObject([
      400,
      {
        code: 'INVALID_REQUEST',
        message: 'status: Invalid option: expected one of "CONFIRMED"|"IN_DELIVERY"|"DELIVERED"|"CANCELLED"',
      },
    ]);
    expect((await get(`${orders}/${json.id}`)).json.status).toBe('CONFIRMED');
  });

  it('returns 404 for an unknown order and 400 without a status', async () => {
    const { sandbox } = await start();
    const { put } = admin(sandbox);
    const unknown = await put('/orders/none/status', { status: 'DELIVERED' });
    expect([unknown.status, unknown.json.error.message]).toEqual([
      404,
      'There is no order with the id, order number or externalOrderId "none"',
    ]);
    expect((await put('/orders/none/status', {})).json.error.message).toContain('status');
  });
});
