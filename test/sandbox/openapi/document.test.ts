import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { openapi } from '../../../src/sandbox/openapi/document.ts';
import { admin } from '../admin/admin-client.ts';
import { anOrder, orders, send, start } from '../start.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: 'sandbox', ...openapi });

type Operation = {
  operationId: string;
  responses: Record<string, { headers?: object; content: { 'application/json': { schema: object } } }>;
};
const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods) as Operation[]);

/** What a body breaks of the schema for the status in an operation. The status must be described. */
function mismatches(operationId: string, { status, json }: { status: number; json: unknown }): unknown[] {
  const operation = operations.find((known) => known.operationId === operationId);
  const response = operation?.responses[status];
  if (!response) return [`${operationId} does not describe ${status}`];
  const { $ref } = response.content['application/json'].schema as { $ref: string };
  const validate = ajv.compile({ $ref: `sandbox${$ref}` });
  return validate(json) ? [] : (validate.errors ?? []);
}

const schemaOf = (name: string) => ajv.compile({ $ref: `sandbox#/components/schemas/${name}` });

describe('openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const result = await new Validator({ strict: false }).validate(structuredClone(openapi));
    expect(result).toEqual({ valid: true });
  });

  it('has examples that match their schemas', () => {
    for (const [name, schema] of Object.entries(openapi.components.schemas)) {
      for (const example of 'examples' in schema ? schema.examples : []) {
        expect([name, schemaOf(name)(example)]).toEqual([name, true]);
      }
    }
    for (const { responses } of operations) {
      for (const { content } of Object.values(responses)) {
        const { examples = {} } = content['application/json'] as {
          examples?: Record<string, { value: unknown }>;
        };
        for (const { value } of Object.values(examples)) expect(schemaOf('Error')(value)).toBe(true);
      }
    }
  });

  it('is served without a key, as is /health', async () => {
    const { sandbox } = await start();
    const { status, headers, json } = await send(sandbox.baseUrl, 'GET', '/openapi.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(json).toEqual(JSON.parse(JSON.stringify(openapi)));
    const health = await send(sandbox.baseUrl, 'GET', '/health');
    expect([health.status, health.json]).toEqual([200, { status: 'ok', service: 'SANDBOX' }]);
    expect(sandbox.requestCount()).toBe(0);
    const foreign = await send(sandbox.baseUrl, 'GET', '/openapi.json', { headers: { host: 'example.com' } });
    expect(foreign.status).toBe(403);
  });
});

describe('a response of the sandbox', () => {
  it('matches the schema, for every success', async () => {
    const { create, get, cancel } = await start();
    const order = anOrder({
      customer: { phone: '99112233', externalCustomerId: 'C-1' },
      items: [{ sku: 'TEA', quantity: 2 }, { name: 'ad-hoc' }],
      collectionMode: 'COLLECT',
      collectionAmount: '25000.50',
      total: '30000',
      requestedDeliveryDate: '2030-01-15',
      note: 'x',
    });
    expect(schemaOf('NewOrder')(order)).toBe(true);
    const headers = { 'idempotency-key': 'K' };
    const created = await create(order, { headers });
    const { id } = created.json;
    const found = {
      createOrder: [created, await create(order, { headers }), await create(anOrder())],
      getOrder: [await get(`${orders}/${id}`)],
      listOrders: [
        await get(orders),
        await get(
          `${orders}?status=CONFIRMED&page=1&pageSize=1&createdFrom=2026-01-01&customerPhone=99112233`,
        ),
      ],
      cancelOrder: [await cancel(id)],
    };
    for (const [operation, responses] of Object.entries(found)) {
      for (const response of responses) expect(mismatches(operation, response)).toEqual([]);
    }
    expect(mismatches('getOrder', await get(`${orders}/${id}`))).toEqual([]);
  });

  it('matches the schema, for every error', async () => {
    const { create, get, post, cancel, sandbox } = await start();
    const order = anOrder({ externalOrderId: 'A' });
    const headers = { 'idempotency-key': 'K' };
    const { json } = await create(order, { headers });
    const missing = '0197f5a2-7d1c-7c43-9a50-3f4b8f0f2a11';
    await admin(sandbox).put(`/orders/${json.id}/status`, { status: 'DELIVERED' });
    const found: [string, number, { status: number; json: unknown }][] = [
      ['createOrder', 400, await post(orders, { body: order })],
      ['createOrder', 400, await create('{')],
      ['createOrder', 401, await create(order, { key: null })],
      ['createOrder', 401, await create(order, { key: 'sandbox_unknown' })],
      ['createOrder', 403, await create(order, { key: sandbox.readOnlyApiKey })],
      ['createOrder', 409, await create(order)],
      ['createOrder', 413, await create(JSON.stringify({ note: 'x'.repeat(2 ** 20) }))],
      ['createOrder', 422, await create(anOrder({ collectionMode: 'COLLECT' }))],
      ['createOrder', 422, await create(anOrder({ items: [{ sku: 'NONE' }] }))],
      ['createOrder', 422, await create(anOrder({ items: [{ sku: 'OLD' }] }))],
      ['createOrder', 422, await create(anOrder({ customer: { phone: '99000000' } }))],
      ['createOrder', 422, await create(anOrder(), { headers })],
      ['createOrder', 422, await create(anOrder({ currency: 'USD' }))],
      ['createOrder', 415, await create(order, { headers: { 'content-type': 'text/plain' } })],
      ['listOrders', 401, await get(orders, { key: 'sandbox_unknown' })],
      ['getOrder', 404, await get(`${orders}/${missing}`)],
      ['getOrder', 401, await get(`${orders}/${missing}`, { key: null })],
      ['listOrders', 400, await get(`${orders}?page=x`)],
      ['cancelOrder', 404, await cancel(missing)],
      ['cancelOrder', 409, await cancel(json.id)],
      ['cancelOrder', 422, await post(`${orders}/${json.id}/cancel`, { body: {} })],
      [
        'cancelOrder',
        415,
        await post(`${orders}/${json.id}/cancel`, { body: '{}', headers: { 'content-type': 'text/plain' } }),
      ],
    ];
    for (const [operation, status, response] of found) {
      expect([operation, response.status, mismatches(operation, response)]).toEqual([operation, status, []]);
    }
  });

  it('would not match another shape', () => {
    expect(mismatches('getOrder', { status: 200, json: { id: 'x' } })).not.toEqual([]);
    expect(mismatches('getOrder', { status: 418, json: {} })).toEqual(['getOrder does not describe 418']);
  });

  it.each([
    { items: [] },
    { customer: {} },
    { collectionMode: 'CASH' },
    { total: '1.5' },
    { total: 5 },
    { requestedDeliveryDate: '2030-02-30' },
    { externalOrderId: ' ' },
    { currency: 'USD' },
  ])('has no order with %j, by the document as by the sandbox', async (fields) => {
    const { create } = await start();
    const order = anOrder(fields);
    expect([schemaOf('NewOrder')(order), (await create(order)).status]).toEqual([false, 422]);
  });
});
