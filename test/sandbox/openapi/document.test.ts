import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/orders/json.ts';
import type { Order } from '../../../src/orders/order.ts';
import { defaultBehaviour } from '../../../src/sandbox/behaviour/parse.ts';
import openapi from '../../../src/sandbox/openapi.json' with { type: 'json' };
import { checkOrder } from '../../../src/sandbox/rules/check-order.ts';
import { packageRoot } from '../../support/cli.ts';
import { admin } from '../admin/admin-client.ts';
import { anOrder, orders, send, start } from '../start.ts';
import { merge, newOrderSchema, type Schema, split } from './new-order.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: 'sandbox', ...openapi });

interface DescribedResponse {
  $ref?: string;
  description: string;
  content: {
    'application/json': { schema: { $ref: string }; examples?: Record<string, { value: unknown }> };
  };
}
type Operation = { operationId: string; responses: Record<string, DescribedResponse> };
const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods) as Operation[]);
const shared: Record<string, unknown> = openapi.components.responses;

function described(operation: Operation | undefined, status: number): DescribedResponse | undefined {
  const response = operation?.responses[status];
  return response?.$ref === undefined
    ? response
    : (shared[response.$ref.split('/').at(-1) ?? ''] as DescribedResponse);
}

/**
 * What a body breaks of the schema for the status in an operation. The status must be described, and so must the code of
 * an error.
 */
function mismatches(operationId: string, { status, json }: { status: number; json: unknown }): unknown[] {
  const operation = operations.find((known) => known.operationId === operationId);
  const response = described(operation, status);
  if (!response) return [`${operationId} does not describe ${status}`];
  const { code } = Object((json as { error?: unknown }).error);
  if (status >= 400 && !response.description.includes(`\`${code}\``))
    return [`${status} does not describe ${code}`];
  const { $ref } = response.content['application/json'].schema;
  const validate = ajv.compile({ $ref: `sandbox${$ref}` });
  return validate(json) ? [] : (validate.errors ?? []);
}

const schemaOf = (name: string) => ajv.compile({ $ref: `sandbox#/components/schemas/${name}` });

const file = fileURLToPath(new URL('src/sandbox/openapi.json', packageRoot));

/** With the schema of a new order as the code has it now; its texts stay. */
function updated(): string {
  const { texts } = split(openapi.components.schemas.NewOrder);
  const NewOrder = merge(newOrderSchema(), texts);
  const schemas = { ...openapi.components.schemas, NewOrder };
  return JSON.stringify({ ...openapi, components: { ...openapi.components, schemas } });
}

describe('openapi.json', () => {
  it('has the rules of an order from the schema that the sandbox checks by; UPDATE_OPENAPI=1 writes them', () => {
    if (process.env.UPDATE_OPENAPI === '1') {
      const biome = fileURLToPath(new URL('node_modules/.bin/biome', packageRoot));
      writeFileSync(file, execFileSync(biome, ['format', '--stdin-file-path', file], { input: updated() }));
      return;
    }
    const { rules } = split(openapi.components.schemas.NewOrder);
    const hint =
      'To write it: UPDATE_OPENAPI=1 npx vitest run --config test/vitest.config.ts test/sandbox/openapi';
    expect(rules, hint).toEqual(newOrderSchema());
  });

  it('is a valid OpenAPI 3.1 document', async () => {
    const result = await new Validator({ strict: false }).validate(structuredClone(openapi));
    expect(result).toEqual({ valid: true });
  });

  it('has examples that match their schemas', () => {
    for (const [name, schema] of Object.entries(openapi.components.schemas)) {
      for (const example of (schema as Schema & { examples?: unknown[] }).examples ?? []) {
        expect([name, schemaOf(name)(example)]).toEqual([name, true]);
      }
    }
    const { examples = {} } =
      described(
        operations.find(({ operationId }) => operationId === 'createOrder'),
        422,
      )?.content['application/json'] ?? {};
    expect(Object.keys(examples)).toContain('PRODUCT_SKU_NOT_FOUND');
    for (const { value } of Object.values(examples)) expect(schemaOf('Error')(value)).toBe(true);
  });

  it('is served without a key, as is /health', async () => {
    const { sandbox } = await start();
    const { status, headers, json } = await send(sandbox.baseUrl, 'GET', '/openapi.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(json).toEqual(openapi);
    const health = await send(sandbox.baseUrl, 'GET', '/health');
    expect([health.status, health.json]).toEqual([200, { status: 'ok', service: 'SANDBOX' }]);
    expect(sandbox.requestCount()).toBe(0);
    const foreign = await send(sandbox.baseUrl, 'GET', '/openapi.json', { headers: { host: 'example.com' } });
    expect(foreign.status).toBe(403);
  });
});

it('refuses the year 0000, as the sandbox does', async () => {
  const { create } = await start();
  const order = anOrder({ requestedDeliveryDate: '0000-01-01' });
  expect([schemaOf('NewOrder')(order), (await create(order)).status]).toEqual([false, 422]);
});

it.each(['customer', 'items', 'deliveryMethod', 'shipping'])('refuses a pickup below %s', async (field) => {
  const { create } = await start();
  const pickup = { phone: '99112233', deliveryType: 'PICKUP' };
  const order = anOrder({ [field]: field === 'items' ? [pickup] : pickup });
  expect([schemaOf('NewOrder')(order), (await create(order)).status]).toEqual([false, 422]);
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
});

const text = fc.oneof(fc.constantFrom('', ' ', 'A-1', '99112233', '\0', 'a\0', '2030-02-30'), fc.string());
const anyValue = fc.oneof(text, fc.constantFrom(null, true, 0, 5, {}, []));
const amount = fc.oneof(
  fc.constantFrom('0', '0.00', '0.01', '1.5', '01', '25000', '25000.50', '-1', ' 1', '1\n'),
  fc.bigInt({ min: 0n }).map(String),
  anyValue,
);
const date = fc.oneof(
  fc.constantFrom('2028-02-29', '2030-02-29', '2030-1-5', '2030-13-01', '2030-04-31', '2030-01-15T00:00:00Z'),
  fc.date({ noInvalidDate: true }).map((time) => time.toISOString().slice(0, 10)),
  anyValue,
);
const method = fc.constantFrom('PICKUP', 'STORE_PICKUP', 'pickup', 'COURIER', null);
const some = { requiredKeys: [] };
const fields = {
  externalOrderId: text,
  customer: fc.oneof(
    fc.record({ phone: fc.constant('99112233'), deliveryMethod: method }, { requiredKeys: ['phone'] }),
    fc.record({ phone: anyValue, externalCustomerId: anyValue }, some),
    anyValue,
  ),
  items: fc.oneof(
    fc.array(fc.record({ sku: text, quantity: anyValue, deliveryType: method }, some)),
    fc.array(anyValue),
    anyValue,
  ),
  collectionMode: fc.oneof(fc.constantFrom('NONE', 'COLLECT'), anyValue),
  collectionAmount: amount,
  total: amount,
  requestedDeliveryDate: date,
  currency: fc.constantFrom('MNT', 'USD', null),
  fulfillmentType: method,
  note: anyValue,
  parcel: fc.oneof(fc.record({ shippingMethod: method }), fc.array(fc.record({ shippingMethod: method }))),
};
/** A valid order in which up to three fields were replaced or removed. */
const changedOrder = fc
  .tuple(fc.record(fields, some), fc.subarray(Object.keys(fields), { maxLength: 3 }))
  .map(([others, names]) => {
    const order: Record<string, unknown> = { ...anOrder(), collectionMode: 'COLLECT', collectionAmount: '5' };
    for (const name of names) order[name] = others[name as keyof typeof fields];
    return JSON.parse(JSON.stringify(order)) as unknown;
  });

describe('an order', () => {
  const matches = schemaOf('NewOrder');
  const isAccepted = (order: unknown) => {
    try {
      checkOrder(parseJson(JSON.stringify(order)) as Order, defaultBehaviour, Date.now());
      return true;
    } catch {
      return false;
    }
  };

  it('is valid by the document exactly when the sandbox accepts it', () => {
    const seen = { accepted: 0, rejected: 0 };
    fc.assert(
      fc.property(changedOrder, (order) => {
        const isValid = matches(order);
        seen[isValid ? 'accepted' : 'rejected'] += 1;
        expect(isValid).toBe(isAccepted(order));
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(seen.accepted, seen.rejected)).toBeGreaterThan(500);
  });
});
