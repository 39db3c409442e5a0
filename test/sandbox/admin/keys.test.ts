import { describe, expect, it } from 'vitest';
import { anOrder, orders, start, temporaryFile } from '../start.ts';
import { admin } from './admin-client.ts';

async function startWithAdmin(file = ':memory:') {
  const service = await start({ file });
  const asAdmin = admin(service.sandbox);
  const newKey = async (body?: object): Promise<string> => (await asAdmin.post('/keys', body)).json.apiKey;
  return { ...service, asAdmin, newKey };
}

describe('a new key', () => {
  it('belongs to the same client by default and has every scope', async () => {
    const { asAdmin, create, sandbox } = await startWithAdmin();
    const { status, json } = await asAdmin.post('/keys');
    expect([status, json]).toEqual([
      201,
      {
        apiKey: expect.stringMatching(/^sandbox_\w{32}$/),
        client: 'same',
        merchantId: 1,
        scopes: ['orders:read', 'orders:write'],
      },
    ]);
    expect(json.apiKey).not.toBe(sandbox.apiKey);
    const order = anOrder();
    expect((await create(order)).status).toBe(201);
    expect((await create(order, { key: json.apiKey })).json.error.code).toBe('EXTERNAL_ORDER_ID_EXISTS');
  });

  it('of another client has its own external order IDs and sees the orders of the merchant', async () => {
    const { newKey, create, get } = await startWithAdmin();
    const key = await newKey({ client: 'other' });
    const order = anOrder();
    await create(order);
    expect((await create(order, { key })).status).toBe(201);
    expect((await get(orders, { key })).json.total).toBe(2);
  });

  it('of another merchant sees neither the orders nor the catalogue of this one', async () => {
    const { newKey, create, get } = await startWithAdmin();
    const key = await newKey({ client: 'of_other_merchant' });
    const { json: order } = await create(anOrder());
    expect((await get(`${orders}/${order.id}`, { key })).status).toBe(404);
    expect((await create(anOrder(), { key })).json.error.code).toBe('PRODUCT_SKU_NOT_FOUND');
    expect((await create(anOrder({ items: [{}] }), { key })).status).toBe(201);
    expect((await get(orders)).json.total).toBe(1);
  });

  it.each([
    [{ client: 'nobody' }, 'client'],
    [{ scopes: ['orders:read orders:write'] }, 'scopes[0]'],
    [{ scopes: 'orders:read' }, 'scopes'],
  ])('is not created for %j, and the error names %s', async (body, path) => {
    const { asAdmin } = await startWithAdmin();
    const { status, json } = await asAdmin.post('/keys', body);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain(path);
  });
});

describe('the keys', () => {
  it('get no scopes that are not given', async () => {
    const { asAdmin, sandbox } = await startWithAdmin();
    const { status, json } = await asAdmin.put('/keys', { apiKey: sandbox.readOnlyApiKey });
    expect([status, json.error.message]).toEqual([
      400,
      expect.stringMatching(/^scopes: Invalid input: expected array/),
    ]);
    const { json: keys } = await asAdmin.get('/keys');
    expect(keys[1]).toMatchObject({ apiKey: sandbox.readOnlyApiKey, scopes: ['orders:read'] });
  });

  it('are listed with their clients and scopes', async () => {
    const { asAdmin, newKey, sandbox } = await startWithAdmin();
    const other = await newKey({ client: 'other', scopes: [] });
    const foreign = await newKey({ client: 'of_other_merchant' });
    const all = ['orders:read', 'orders:write'];
    expect((await asAdmin.get('/keys')).json).toEqual([
      { apiKey: sandbox.apiKey, client: 'same', clientId: 1, merchantId: 1, scopes: all },
      { apiKey: sandbox.readOnlyApiKey, client: 'same', clientId: 1, merchantId: 1, scopes: ['orders:read'] },
      { apiKey: other, client: 'other', clientId: 2, merchantId: 1, scopes: [] },
      { apiKey: foreign, client: 'of_other_merchant', clientId: 3, merchantId: 2, scopes: all },
    ]);
  });
});

describe('the scopes of a key', () => {
  it('are changed at once', async () => {
    const { asAdmin, newKey, create, get } = await startWithAdmin();
    const apiKey = await newKey({ scopes: ['orders:read'] });
    expect((await create(anOrder(), { key: apiKey })).json.error.code).toBe('SCOPE_MISSING');
    const { status, json } = await asAdmin.put('/keys', { apiKey, scopes: ['orders:write'] });
    expect([status, json]).toEqual([200, { apiKey, scopes: ['orders:write'] }]);
    expect((await create(anOrder(), { key: apiKey })).status).toBe(201);
    await asAdmin.put('/keys', { apiKey, scopes: [] });
    expect((await create(anOrder(), { key: apiKey })).json.error.code).toBe('SCOPE_MISSING');
    expect((await get(orders, { key: apiKey })).json.error.code).toBe('SCOPE_MISSING');
  });
});

describe('a revoked key', () => {
  it('is rejected from then on, and the other keys are not', async () => {
    const { asAdmin, newKey, get, sandbox } = await startWithAdmin();
    const apiKey = await newKey();
    expect((await get(orders, { key: apiKey })).status).toBe(200);
    const { status, json } = await asAdmin.remove('/keys', { apiKey });
    expect([status, json]).toEqual([204, undefined]);
    expect((await get(orders, { key: apiKey })).status).toBe(401);
    expect((await get(orders, { key: sandbox.apiKey })).status).toBe(200);
  });

  it('is unknown to the admin API too', async () => {
    const { asAdmin, newKey } = await startWithAdmin();
    const apiKey = await newKey();
    await asAdmin.remove('/keys', { apiKey });
    const changes = [asAdmin.remove('/keys', { apiKey }), asAdmin.put('/keys', { apiKey, scopes: [] })];
    for (const { status, json } of await Promise.all(changes)) {
      expect([status, json.error]).toMatchObject([
        404,
        { code: 'NOT_FOUND', message: 'There is no such API key' },
      ]);
    }
  });

  it('is replaced by a new key at a restart', async () => {
    const file = temporaryFile();
    const { sandbox, asAdmin } = await startWithAdmin(file);
    for (const apiKey of [sandbox.apiKey, sandbox.readOnlyApiKey]) await asAdmin.remove('/keys', { apiKey });
    await sandbox.stop();
    const again = await startWithAdmin(file);
    expect(again.sandbox.apiKey).not.toBe(sandbox.apiKey);
    expect((await again.create(anOrder())).status).toBe(201);
    const key = again.sandbox.readOnlyApiKey;
    expect((await again.get(orders, { key })).status).toBe(200);
    expect((await again.create(anOrder(), { key })).status).toBe(403);
  });
});
