import { describe, expect, it } from 'vitest';
import { anOrder, orders, start, temporaryFile } from '../start.ts';
import { admin } from './ask.ts';

async function served(file = ':memory:') {
  const service = await start({ file });
  const asAdmin = admin(service.sandbox);
  const newKey = async (body?: object): Promise<string> => (await asAdmin.post('/keys', body)).json.apiKey;
  return { ...service, asAdmin, newKey };
}

describe('a new key', () => {
  it('is of the same client unless it says otherwise, and may do everything', async () => {
    const { asAdmin, create, sandbox } = await served();
    const { status, json } = await asAdmin.post('/keys');
    expect([status, json]).toEqual([
      201,
      {
        apiKey: expect.stringMatching(/^sandbox_\w{32}$/),
        client: 'same',
        scopes: ['orders:read', 'orders:write'],
      },
    ]);
    expect(json.apiKey).not.toBe(sandbox.apiKey);
    const order = anOrder();
    expect((await create(order)).status).toBe(201);
    expect((await create(order, { key: json.apiKey })).json.error.code).toBe('EXTERNAL_ORDER_ID_EXISTS');
  });

  it('of another client has own ids of its own, and sees the orders of the merchant', async () => {
    const { newKey, create, get } = await served();
    const key = await newKey({ client: 'other' });
    const order = anOrder();
    await create(order);
    expect((await create(order, { key })).status).toBe(201);
    expect((await get(orders, { key })).json.total).toBe(2);
  });

  it('of another merchant sees nothing of this one, nor its catalogue', async () => {
    const { newKey, create, get } = await served();
    const key = await newKey({ client: 'of_other_merchant' });
    const { json: order } = await create(anOrder());
    expect((await get(`${orders}/${order.id}`, { key })).status).toBe(404);
    expect((await create(anOrder(), { key })).json.error.code).toBe('PRODUCT_SKU_NOT_FOUND');
    expect((await create(anOrder({ items: [{}] }), { key })).status).toBe(201);
    expect((await get(orders)).json.total).toBe(1);
  });

  it.each([
    [{ client: 'nobody' }, 'client'],
    [{ scopes: ['orders:read orders:write'] }, 'scopes.0'],
    [{ scopes: 'orders:read' }, 'scopes'],
  ])('is refused for %j by naming %s', async (body, path) => {
    const { asAdmin } = await served();
    const { status, json } = await asAdmin.post('/keys', body);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain(path);
  });
});

describe('the scopes of a key', () => {
  it('are changed at once', async () => {
    const { asAdmin, newKey, create, get } = await served();
    const apiKey = await newKey({ scopes: ['orders:read'] });
    expect((await create(anOrder(), { key: apiKey })).json.error.code).toBe('SCOPE_MISSING');
    const { status, json } = await asAdmin.put('/keys', { apiKey, scopes: ['orders:write'] });
    expect([status, json]).toEqual([200, { apiKey, scopes: ['orders:write'] }]);
    expect((await create(anOrder(), { key: apiKey })).status).toBe(201);
    await asAdmin.put('/keys', { apiKey, scopes: [] });
    expect((await create(anOrder(), { key: apiKey })).json.error.code).toBe('SCOPE_MISSING');
    expect((await get(orders, { key: apiKey })).status).toBe(200);
  });
});

describe('a key that is revoked', () => {
  it('is refused from then on, and the other keys are not', async () => {
    const { asAdmin, newKey, get, sandbox } = await served();
    const apiKey = await newKey();
    expect((await get(orders, { key: apiKey })).status).toBe(200);
    const { status, json } = await asAdmin.remove('/keys', { apiKey });
    expect([status, json]).toEqual([204, undefined]);
    expect((await get(orders, { key: apiKey })).status).toBe(401);
    expect((await get(orders, { key: sandbox.apiKey })).status).toBe(200);
  });

  it('is unknown to the admin as well', async () => {
    const { asAdmin, newKey } = await served();
    const apiKey = await newKey();
    await asAdmin.remove('/keys', { apiKey });
    for (const ask of [asAdmin.remove, asAdmin.put]) {
      const { status, json } = await ask('/keys', { apiKey });
      expect([status, json.error]).toMatchObject([
        404,
        { code: 'NOT_FOUND', message: 'There is no such API key' },
      ]);
    }
  });

  it('is made anew by a restart, which tells keys that work', async () => {
    const file = temporaryFile();
    const { sandbox, asAdmin } = await served(file);
    for (const apiKey of [sandbox.apiKey, sandbox.readOnlyApiKey]) await asAdmin.remove('/keys', { apiKey });
    await sandbox.stop();
    const again = await served(file);
    expect(again.sandbox.apiKey).not.toBe(sandbox.apiKey);
    expect((await again.create(anOrder())).status).toBe(201);
    const key = again.sandbox.readOnlyApiKey;
    expect((await again.get(orders, { key })).status).toBe(200);
    expect((await again.create(anOrder(), { key })).status).toBe(403);
  });
});
