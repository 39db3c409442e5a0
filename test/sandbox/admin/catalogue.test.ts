import { describe, expect, it } from 'vitest';
import { anOrder, products, start } from '../start.ts';
import { admin } from './admin-client.ts';

async function startWithAdmin() {
  const service = await start();
  const codeOf = async (sku: string) => {
    const { status, json } = await service.create(anOrder({ items: [{ sku }] }));
    return status === 201 ? 201 : json.error.code;
  };
  return { ...service, ...admin(service.sandbox), codeOf };
}

describe('/_sandbox/catalogue', () => {
  it('returns the catalogue', async () => {
    const { get } = await startWithAdmin();
    expect((await get('/catalogue')).json).toEqual(products.toReversed());
  });

  it('changes some products: an order with a SKU that becomes active is accepted', async () => {
    const { patch, create } = await startWithAdmin();
    const order = anOrder({ items: [{ sku: 'OLD' }] });
    const headers = { 'idempotency-key': 'K' };
    expect((await create(order, { headers })).json.error.code).toBe('PRODUCT_SKU_INACTIVE');
    const { status, json } = await patch('/catalogue', [
      { sku: 'OLD' },
      { sku: 'NEW', name: 'Cup', active: false },
    ]);
    expect([status, json]).toEqual([
      200,
      [{ sku: 'NEW', name: 'Cup', active: false }, { sku: 'OLD', active: true }, products[0]],
    ]);
    expect((await create(order, { headers })).status).toBe(201);
  });

  it('replaces the catalogue', async () => {
    const { put, codeOf } = await startWithAdmin();
    expect((await put('/catalogue', [{ sku: 'CUP' }])).json).toEqual([{ sku: 'CUP', active: true }]);
    expect([await codeOf('CUP'), await codeOf('TEA')]).toEqual([201, 'PRODUCT_SKU_NOT_FOUND']);
  });

  it('returns to the catalogue of the start', async () => {
    const { put, remove, codeOf } = await startWithAdmin();
    await put('/catalogue', [{ sku: 'CUP' }]);
    expect((await remove('/catalogue')).json).toEqual(products.toReversed());
    expect([await codeOf('CUP'), await codeOf('TEA')]).toEqual(['PRODUCT_SKU_NOT_FOUND', 201]);
  });

  it.each([
    [{ sku: 'A' }, 'Invalid input: expected array, received object'],
    [[{ sku: ' ' }], '[0].sku'],
    [[{ sku: 'A' }, { name: 'B' }], '[1].sku'],
    [[{ sku: 'A', active: 'yes' }], '[0].active'],
    [[{ sku: 'A', price: 1 }], '[0]: Unrecognized key: "price"'],
    [[{ sku: 'A' }, { sku: ' A ' }], '[1].sku: the SKU "A" is there twice'],
  ])('rejects %j, names %s and changes nothing', async (body, path) => {
    const { put, patch, get } = await startWithAdmin();
    for (const send of [put, patch]) {
      const { status, json } = await send('/catalogue', body);
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(json.error.message).toContain(path);
    }
    expect((await get('/catalogue')).json).toEqual(products.toReversed());
  });
});
