import { describe, expect, it } from 'vitest';
import { anOrder, orders, start } from '../start.ts';
import { admin } from './admin-client.ts';

describe('/_sandbox/info', () => {
  it('returns the current state', async () => {
    const { sandbox, create } = await start({ behaviour: { name: 'mine' } });
    await create(anOrder());
    await create(anOrder(), { key: 'sandbox_unknown' });
    const { status, json } = await admin(sandbox).get('/info');
    expect([status, json]).toEqual([
      200,
      {
        identity: sandbox.identity,
        behaviour: 'mine',
        now: '2026-11-25T08:00:00.000Z',
        requests: 2,
        unauthenticated: 1,
        orders: 1,
        products: 2,
      },
    ]);
  });
});

describe('/_sandbox/ledger', () => {
  it('returns what happened, with requests without a valid key as numbers only, with or without all attempts', async () => {
    const { sandbox, create, get: read, clock } = await start();
    const { json: order } = await create(anOrder({ externalOrderId: 'A' }), {
      headers: { 'idempotency-key': 'K' },
    });
    await read(orders, { key: 'sandbox_unknown' });
    const { get } = admin(sandbox);
    const { json } = await get('/ledger');
    const { attempts, ...short } = json;
    expect(short).toEqual({
      requests: 2,
      peakConcurrency: 1,
      orders: [{ externalOrderId: 'A', commits: 1 }],
      keys: [{ idempotencyKey: 'K', attempts: 1, bodies: 1 }],
      early: [],
      authorizations: [
        { route: 'create', authorization: 'known', requests: 1 },
        { route: 'list', authorization: 'unknown', requests: 1 },
      ],
    });
    expect(attempts).toMatchObject([
      { sequence: 1, arrivedAt: clock.now, route: 'create', subject: 'A', status: 201, orderId: order.id },
    ]);
    expect((await get('/ledger?without=attempts')).json).toEqual(short);
  });
});
