import { describe, expect, it } from 'vitest';
import { anOrder, orders, send, start } from './start.ts';

describe('keys (section 5)', () => {
  it.each([
    ['no key', {}],
    ['an unknown key', { authorization: 'Bearer sandbox_unknown' }],
    ['a key of the live service', { authorization: 'Bearer mk_live_1' }],
    ['another scheme', { authorization: 'Basic c2FuZGJveA==' }],
    ['a scheme alone', { authorization: 'Bearer' }],
  ])('responds 401 to every operation with %s', async (_, headers: Record<string, string>) => {
    const { sandbox, create, store } = await start();
    const { json: order } = await create(anOrder());
    const requests = [
      ['POST', orders],
      ['GET', orders],
      ['GET', `${orders}/${order.id}`],
      ['POST', `${orders}/${order.id}/cancel`],
    ] as const;
    for (const [method, path] of requests) {
      const body = method === 'POST' ? { ...anOrder(), reason: 'x' } : undefined;
      const all = { ...headers, 'idempotency-key': 'K' };
      const { status, json } = await send(sandbox.baseUrl, method, path, { headers: all, body });
      expect([status, json.error.code]).toEqual([401, 'UNAUTHORIZED']);
    }
    expect(store.listOrders(1, { status: 'CONFIRMED' }, { offset: 0, limit: 10 }).total).toBe(1);
  });

  it('explains that sandbox keys begin with sandbox_', async () => {
    const { get } = await start();
    expect((await get(orders, { key: 'mk_live_1' })).json.error.message).toContain('begin with sandbox_');
  });

  it('compares the whole key with its case', async () => {
    const { get, sandbox } = await start();
    for (const key of [`${sandbox.apiKey}0`, sandbox.apiKey.slice(0, -1), sandbox.apiKey.toUpperCase()]) {
      expect((await get(orders, { key })).status).toBe(401);
    }
  });

  it('provides two different keys, which begin with sandbox_', async () => {
    const { sandbox } = await start();
    expect(sandbox.apiKey).toMatch(/^sandbox_[0-9a-f]{32}$/);
    expect(sandbox.readOnlyApiKey).toMatch(/^sandbox_[0-9a-f]{32}$/);
    expect(sandbox.apiKey).not.toBe(sandbox.readOnlyApiKey);
  });
});

describe('merchants', () => {
  it('see only their own orders in every operation', async () => {
    const { create, get, addKey } = await start();
    const key = addKey();
    const fields = { externalOrderId: 'A' };
    const { json: ours } = await create(anOrder(fields));
    const { json: theirs } = await create(anOrder(fields), { key });
    expect((await get(orders)).json).toMatchObject({ data: [ours], total: 1 });
    expect((await get(orders, { key })).json).toMatchObject({ data: [theirs], total: 1 });
    const filters = [
      'externalOrderId=A',
      'customerPhone=99112233',
      'status=CONFIRMED',
      'createdFrom=2026-01-01',
    ];
    for (const filter of [...filters, `orderNumber=${theirs.orderNumber}`]) {
      expect((await get(`${orders}?${filter}`, { key })).json).toMatchObject({ data: [theirs], total: 1 });
    }
    expect((await get(`${orders}?orderNumber=${ours.orderNumber}`, { key })).json.total).toBe(0);
    const { status, json } = await get(`${orders}/${ours.id}`, { key });
    expect([status, json.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
  });

  it('see the orders of all their clients', async () => {
    const { create, get, addKey } = await start();
    const { json: order } = await create(anOrder());
    expect((await get(`${orders}/${order.id}`, { key: addKey(1) })).json).toEqual(order);
  });
});

describe('clients', () => {
  it('may use the same Idempotency-Key at the same time', async () => {
    const latency = { distribution: 'fixed', ms: 100 } as const;
    const { create, addKey } = await start({ behaviour: { faults: { latency } } });
    const headers = { 'idempotency-key': 'K' };
    const responses = [create(anOrder(), { headers }), create(anOrder(), { headers, key: addKey() })];
    const [one, other] = await Promise.all(responses);
    expect([one?.status, other?.status]).toEqual([201, 201]);
    expect(one?.json.id).not.toBe(other?.json.id);
  });
});

describe('a challenge', () => {
  it.each([
    ['no key', null, 401, 'Bearer realm="sandbox"'],
    ['an unknown key', 'sandbox_unknown', 401, 'Bearer realm="sandbox", error="invalid_token"'],
    ['a key of another service', 'live_1', 401, 'Bearer realm="sandbox", error="invalid_token"'],
  ])('says what is wrong: %s', async (_, key, expected, challenge) => {
    const { get } = await start();
    const { status, headers } = await get(orders, { key });
    expect([status, headers['www-authenticate']]).toEqual([expected, challenge]);
  });

  it('names a missing scope, and a wrong admin token', async () => {
    const { get, create, sandbox } = await start();
    const rejected = await create(anOrder(), { key: sandbox.readOnlyApiKey });
    expect([rejected.status, rejected.headers['www-authenticate']]).toEqual([
      403,
      'Bearer realm="sandbox", error="insufficient_scope"',
    ]);
    expect((await get('/_sandbox/info')).headers['www-authenticate']).toBe(
      'Bearer realm="sandbox admin", error="invalid_token"',
    );
    expect((await get(orders)).headers['www-authenticate']).toBeUndefined();
  });
});

describe('scopes', () => {
  it('let the read-only key read, and a key without scopes do nothing', async () => {
    const { create, get, post, sandbox, store } = await start();
    const { json } = await create(anOrder());
    const key = store.accounts.addKey(1, '', 'sandbox_nothing');
    const statusesOf = async (key: string) => [
      (await create(anOrder(), { key })).status,
      (await get(`${orders}/${json.id}`, { key })).status,
      (await get(orders, { key })).status,
      (await post(`${orders}/${json.id}/cancel`, { key, body: { reason: 'x' } })).status,
    ];
    expect(await statusesOf(key)).toEqual([403, 403, 403, 403]);
    expect(await statusesOf(sandbox.readOnlyApiKey)).toEqual([403, 200, 200, 403]);
    expect(store.orders.count()).toBe(1);
    expect(await statusesOf(sandbox.apiKey)).toEqual([201, 200, 200, 200]);
  });
});

describe('read', () => {
  it('finds an id in either case, and so does cancel', async () => {
    const { create, get, cancel } = await start();
    const { json } = await create(anOrder());
    const id = json.id.toUpperCase();
    expect((await get(`${orders}/${id}`)).json).toEqual(json);
    expect((await cancel(id)).json).toMatchObject({ id: json.id, status: 'CANCELLED' });
  });

  it.each(['00000000-0000-4000-8000-000000000000', 'ORD-2026-000001', '%00', '..%2f', '%E0%A4%A'])(
    'responds 404 to the unknown id %s',
    async (id) => {
      const { get } = await start();
      const { status, json } = await get(`${orders}/${id}`);
      expect([status, json.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
    },
  );
});
