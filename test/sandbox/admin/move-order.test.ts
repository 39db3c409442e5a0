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

  it('accepts only the states of the behaviour', async () => {
    const states = ['NEW', 'GONE'];
    const behaviour = { orders: { states, cancelled: 'VOID', cancellable: ['NEW'] } };
    const { sandbox, create, get } = await start({ behaviour });
    const { put } = admin(sandbox);
    const { json } = await create(anOrder());
    for (const status of ['GONE', 'VOID', 'NEW']) {
      expect((await put(`/orders/${json.id}/status`, { status })).status).toBe(200);
    }
    const rejected = await put(`/orders/${json.id}/status`, { status: 'CONFIRMED' });
    expect([rejected.status, rejected.json.error]).toMatchObject([
      400,
      { code: 'INVALID_REQUEST', message: 'status: must be one of NEW, GONE, VOID' },
    ]);
    expect((await get(`${orders}/${json.id}`)).json.status).toBe('NEW');
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
