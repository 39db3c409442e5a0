import { describe, expect, it } from 'vitest';
import { describeSandbox } from '../../../src/sandbox/sandbox.ts';
import { sharedPhone } from '../../../src/sandbox/store/seed.ts';
import { singleRule } from '../faults/faulty-request.ts';
import { anOrder, orders, start } from '../start.ts';
import { admin } from './admin-client.ts';

const changed = {
  name: 'changed',
  responses: { createStatus: 200 },
  faults: singleRule('before_commit', { kind: 'status', status: 418 }, { route: 'list' }),
};

describe('/_sandbox/behaviour', () => {
  it('replaces the behaviour of every operation, with its faults, and returns to that of the start', async () => {
    const { sandbox, create, get } = await start({
      behaviour: { name: 'mine', responses: { createStatus: 202 } },
    });
    const client = admin(sandbox);
    expect((await create(anOrder())).status).toBe(202);
    const { status, json } = await client.put('/behaviour', { ...changed, responses: { createStatus: 200 } });
    expect([status, json.name, json.keys.required]).toEqual([200, 'changed', true]);
    expect((await client.get('/behaviour')).json).toEqual(json);
    expect([(await client.get('/info')).json.behaviour, sandbox.behaviour]).toEqual(['changed', 'changed']);
    expect([(await create(anOrder())).status, (await get(orders)).status]).toEqual([200, 418]);
    const shared = await create(anOrder({ customer: { phone: sharedPhone } }));
    expect(shared.json.error.code).toBe('CUSTOMER_PHONE_AMBIGUOUS');
    expect((await client.remove('/behaviour')).json.name).toBe('mine');
    expect([(await create(anOrder())).status, (await get(orders)).status]).toEqual([202, 200]);
    expect((await create(anOrder({ customer: { phone: sharedPhone } }))).status).toBe(422);
  });

  it('changes lists, errors and orders', async () => {
    const { sandbox, create, get } = await start();
    const client = admin(sandbox);
    await create(anOrder());
    await client.put('/behaviour', {
      paging: { firstPage: 0 },
      responses: { list: 'array' },
      orders: { createdAt: 'hidden' },
      refusals: { orderUnknown: { status: 410 } },
    });
    expect((await get(`${orders}?page=0`)).json).toHaveLength(1);
    expect((await get(`${orders}/none`)).status).toBe(410);
    expect((await create(anOrder())).json).not.toHaveProperty('createdAt');
  });

  it('is what sandbox info shows of a sandbox that is served', async () => {
    const { sandbox, database } = await start({ isPublic: true });
    const { put, get } = admin(sandbox);
    for (const [settings, name] of [
      [{ name: 'changed' }, 'changed'],
      [{ keys: { required: false } }, 'custom'],
      [{}, 'default'],
    ] as const) {
      await put('/behaviour', settings);
      expect([
        (await describeSandbox(database)).servers[0]?.behaviour,
        (await get('/info')).json.behaviour,
      ]).toEqual([name, name]);
    }
  });

  it.each([
    [{ key: {} }, 'Unrecognized key: "key"'],
    [
      { keys: { repeated: 'x' } },
      'keys.repeated: Invalid option: expected one of "replayed"|"refused"|"ignored"',
    ],
    [[], 'expected object, received array'],
    ['{', 'not JSON'],
  ])('rejects %j and changes nothing', async (body, message) => {
    const { sandbox } = await start();
    const { put, get } = admin(sandbox);
    const before = (await get('/behaviour')).json;
    const { status, json } = await put('/behaviour', body);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain(message);
    expect((await get('/behaviour')).json).toEqual(before);
  });
});

describe('a reset of everything', () => {
  it('returns to the keys, scopes, catalogue, behaviour, faults and time of the start', async () => {
    const { sandbox, create, get } = await start({ behaviour: { responses: { createStatus: 202 } } });
    const { apiKey, readOnlyApiKey } = sandbox;
    const client = admin(sandbox);
    await create(anOrder());
    await client.put('/behaviour', changed);
    await client.put('/faults', changed.faults);
    await client.put('/clock', { now: '2031-01-01T00:00:00Z' });
    await client.put('/catalogue', []);
    await client.put('/keys', { apiKey, scopes: [] });
    await client.remove('/keys', { apiKey: readOnlyApiKey });
    const { apiKey: added } = (await client.post('/keys', { client: 'of_other_merchant' })).json;
    const { status, json } = await client.post('/reset', { everything: true });
    expect([status, json]).toEqual([200, { identity: sandbox.identity }]);
    expect((await get(orders, { key: added })).status).toBe(401);
    expect((await get(orders, { key: readOnlyApiKey })).json.total).toBe(0);
    const order = await create(anOrder());
    expect([order.status, order.json.createdAt]).toEqual([202, '2026-11-25T08:00:00.000Z']);
    expect((await client.get('/keys')).json).toHaveLength(2);
  });

  it('is not what a reset without it is', async () => {
    const { sandbox, create } = await start();
    const client = admin(sandbox);
    await client.put('/clock', { now: '2031-01-01T00:00:00Z' });
    await client.put('/catalogue', [{ sku: 'CUP' }]);
    for (const body of [undefined, {}, { everything: false }]) await client.post('/reset', body);
    const { status, json } = await create(anOrder({ items: [{ sku: 'CUP' }] }));
    expect([status, json.orderNumber]).toEqual([201, 'ORD-2031-000001']);
    expect((await client.post('/reset', { everything: 'yes' })).json.error.message).toBe(
      'everything: Invalid input: expected boolean, received string',
    );
  });
});
