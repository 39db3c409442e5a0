// Orders on Fastify with JSON schemas: 200 and the order itself, keys are forgotten and a taken ID is a 409, errors as
// {"statusCode", "code", "error", "message"}, and the list takes calendar dates only.
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import createError from '@fastify/error';
import sensible from '@fastify/sensible';
import Fastify from 'fastify';

const { PORT, API_KEY } = process.env;
const products = new Map([
  ['TEA-001', { isActive: true }],
  ['MUG-001', { isActive: true }],
  ['OLD-1', { isActive: false }],
]);
const SkuNotFound = createError('PRODUCT_SKU_NOT_FOUND', 'There is no product %s', 422);
const SkuInactive = createError('PRODUCT_SKU_INACTIVE', 'Product %s is not active', 422);
const orders = new Map();
let creates = 0;

const amount = { type: 'string', pattern: '^\\d{1,12}(\\.\\d\\d)?$' };
const order = {
  type: 'object',
  required: ['externalOrderId', 'customer', 'items', 'collectionMode'],
  properties: {
    externalOrderId: { type: 'string', minLength: 1 },
    customer: {
      type: 'object',
      required: ['phone'],
      properties: { phone: { type: 'string' }, externalCustomerId: { type: 'string' } },
    },
    items: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: { sku: { type: 'string' }, quantity: { type: 'integer', minimum: 1 } },
      },
    },
    collectionMode: { enum: ['NONE', 'COLLECT'] },
    collectionAmount: amount,
    total: amount,
    requestedDeliveryDate: { type: 'string', format: 'date' },
  },
};
const listQuery = {
  type: 'object',
  properties: {
    page: { type: 'integer', minimum: 1, default: 1 },
    pageSize: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    createdFrom: { type: 'string', format: 'date' },
    createdTo: { type: 'string', format: 'date' },
  },
};
const idParameter = { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } };
const cancellation = { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } };

const app = Fastify();
await app.register(sensible);

app.get('/_store', () => ({
  orders: [...orders.values()].map(({ id, status, body }) => {
    return { id, externalOrderId: body.externalOrderId, status, body };
  }),
  creates,
}));

await app.register(
  (api, _options, done) => {
    api.addHook('onRequest', async (request) => {
      if (request.headers.authorization !== `Bearer ${API_KEY}`) throw app.httpErrors.unauthorized();
    });

    api.post('/', { schema: { body: order } }, async ({ body }) => {
      creates += 1;
      for (const { sku } of body.items) {
        if (sku === undefined) continue;
        if (!products.has(sku)) throw new SkuNotFound(sku);
        if (!products.get(sku).isActive) throw new SkuInactive(sku);
      }
      if ([...orders.values()].some((other) => other.body.externalOrderId === body.externalOrderId)) {
        throw app.httpErrors.conflict(`externalOrderId ${body.externalOrderId} is taken`);
      }
      const created = {
        id: randomUUID(),
        orderNumber: `ORD-2026-${String(orders.size + 1).padStart(6, '0')}`,
        status: 'confirmed',
        createdAt: new Date().toISOString(),
        body,
      };
      orders.set(created.id, created);
      return toJson(created);
    });

    api.get('/', { schema: { querystring: listQuery } }, async ({ query }) => {
      const { page, pageSize, externalOrderId, orderNumber, status, customerPhone, createdFrom, createdTo } =
        query;
      const found = [...orders.values()].filter(
        (order) =>
          (externalOrderId === undefined || order.body.externalOrderId === externalOrderId) &&
          (orderNumber === undefined || order.orderNumber === orderNumber) &&
          (status === undefined || order.status === status) &&
          (customerPhone === undefined || order.body.customer.phone === customerPhone) &&
          (createdFrom === undefined || order.createdAt.slice(0, 10) >= createdFrom) &&
          (createdTo === undefined || order.createdAt.slice(0, 10) <= createdTo),
      );
      const start = (page - 1) * pageSize;
      const shown = found.slice(start, start + pageSize).map(toJson);
      return { orders: shown, pagination: { page, pageSize, totalCount: found.length } };
    });

    const find = (id) => {
      const order = orders.get(id);
      if (order === undefined) throw app.httpErrors.notFound();
      return order;
    };
    api.get('/:id', { schema: { params: idParameter } }, async ({ params }) => toJson(find(params.id)));
    api.post('/:id/cancel', { schema: { params: idParameter, body: cancellation } }, async (request) => {
      const order = find(request.params.id);
      if (order.status === 'cancelled') throw app.httpErrors.conflict('The order is already cancelled');
      Object.assign(order, { status: 'cancelled', cancelReason: request.body.reason });
      return toJson(order);
    });
    done();
  },
  { prefix: '/api/v1/merchant/orders' },
);

function toJson({ body, ...order }) {
  return { ...order, ...body, delivery: { id: order.id, state: 'planned' } };
}

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
