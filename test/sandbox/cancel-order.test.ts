import { describe, expect, it } from 'vitest';
import { anOrder, orders, start } from './start.ts';

const unknown = '00000000-0000-4000-8000-000000000000';

describe('cancel', () => {
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

  it('does not change other orders', async () => {
    const { create, cancel, get } = await start();
    const { json: kept } = await create(anOrder());
    const { json: cancelled } = await create(anOrder());
    await cancel(cancelled.id);
    expect((await get(`${orders}/${kept.id}`)).json).toEqual(kept);
  });

  it('rejects a second cancellation and keeps the first reason', async () => {
    const { create, cancel, get } = await start();
    const { json: order } = await create(anOrder());
    const first = await cancel(order.id, 'first');
    const { status, json } = await cancel(order.id, 'second');
    expect([status, json.error.code]).toEqual([409, 'ORDER_NOT_CANCELLABLE']);
    expect(json.error.message).toContain('CANCELLED');
    expect((await get(`${orders}/${order.id}`)).json).toEqual(first.json);
  });

  it.each(['IN_DELIVERY', 'DELIVERED'])('rejects an order in the state %s', async (status) => {
    const { create, cancel, database, get } = await start();
    const { json: order } = await create(anOrder());
    database.prepare('UPDATE orders SET status = ?').run(status);
    expect((await cancel(order.id)).json.error.code).toBe('ORDER_NOT_CANCELLABLE');
    expect((await get(`${orders}/${order.id}`)).json).toEqual({ ...order, status });
  });

  it.each([[{}], [{ reason: '' }], [{ reason: ' \n' }], [{ reason: 7 }], [{ reason: null }]])(
    'requires a reason: %o',
    async (body) => {
      const { create, post, get } = await start();
      const { json: order } = await create(anOrder());
      const { status, json } = await post(`${orders}/${order.id}/cancel`, { body });
      expect([status, json.error.code]).toEqual([422, 'REASON_REQUIRED']);
      expect((await get(`${orders}/${order.id}`)).json).toEqual(order);
    },
  );

  it('requires a JSON body with its content type', async () => {
    const { create, post } = await start();
    const path = `${orders}/${(await create(anOrder())).json.id}/cancel`;
    const broken = await post(path, { body: '{' });
    expect([broken.status, broken.json.error.code]).toEqual([400, 'INVALID_JSON']);
    for (const type of ['text/plain', 'application/jsonp', '']) {
      const { status, json } = await post(path, { body: { reason: 'x' }, headers: { 'content-type': type } });
      expect([status, json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await post(path, { body: { reason: 'x' }, headers })).status).toBe(200);
  });

  it('requires an order of the merchant', async () => {
    const { create, cancel, addKey, post } = await start();
    for (const id of [unknown, 'ORD-2026-000001', '%', "' OR 1=1"]) {
      const { status, json } = await cancel(encodeURIComponent(id));
      expect([status, json.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
    }
    const { json: order } = await create(anOrder());
    const path = `${orders}/${order.id}/cancel`;
    expect((await post(path, { key: addKey(), body: { reason: 'x' } })).json.error.code).toBe(
      'ORDER_NOT_FOUND',
    );
    expect((await post(path, { key: addKey(1), body: { reason: 'x' } })).status).toBe(200);
  });
});
