// Orders on Hono with zod-validator: errors as text, or as the validator's own body, keys are ignored and a taken ID is a
// 422, and the list is a bare array with a Link header, of at most 20 orders whatever is asked for.
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';

const { PORT, API_KEY } = process.env;
const maxPageSize = 20;
const products = new Map([
  ['TEA-001', 'active'],
  ['MUG-001', 'active'],
  ['OLD-1', 'inactive'],
]);
const orders = [];
let creates = 0;

const amount = z.string().regex(/^\d{1,12}(\.\d\d)?$/);
const createSchema = z.looseObject({
  externalOrderId: z.string().min(1),
  customer: z.looseObject({ phone: z.string(), externalCustomerId: z.string().optional() }),
  items: z
    .array(z.looseObject({ sku: z.string().optional(), quantity: z.number().int().min(1).optional() }))
    .min(1),
  collectionMode: z.enum(['NONE', 'COLLECT']),
  collectionAmount: amount.optional(),
  total: amount.optional(),
  requestedDeliveryDate: z.iso.date().optional(),
});
const listSchema = z.object({
  page: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).default(maxPageSize),
  externalOrderId: z.string().optional(),
  orderNumber: z.string().optional(),
  status: z.string().optional(),
  customerPhone: z.string().optional(),
  createdFrom: z.iso.datetime().optional(),
  createdTo: z.iso.datetime().optional(),
});
const cancelSchema = z.object({ reason: z.string().min(1) });

const app = new Hono();

app.get('/_store', (context) => {
  const stored = orders.map(({ id, status, sent }) => {
    return { id, externalOrderId: sent.externalOrderId, status, body: sent };
  });
  return context.json({ orders: stored, creates });
});

const api = new Hono();
api.use(bearerAuth({ token: API_KEY }));

api.post('/', zValidator('json', createSchema), (context) => {
  creates += 1;
  const sent = context.req.valid('json');
  for (const { sku } of sent.items) {
    const state = sku === undefined ? 'active' : products.get(sku);
    if (state === 'active') continue;
    const code = state === undefined ? 'PRODUCT_SKU_NOT_FOUND' : 'PRODUCT_SKU_INACTIVE';
    throw new HTTPException(422, { message: `${code}: ${sku}` });
  }
  if (orders.some((order) => order.sent.externalOrderId === sent.externalOrderId)) {
    throw new HTTPException(422, { message: 'externalOrderId has already been taken' });
  }
  const order = {
    id: randomUUID(),
    orderNumber: `ORD-2026-${String(orders.length + 1).padStart(6, '0')}`,
    status: 'Confirmed',
    createdAt: new Date().toISOString(),
    sent,
  };
  orders.push(order);
  return context.json({ order: toJson(order) }, 201);
});

api.get('/', zValidator('query', listSchema), (context) => {
  const { page, pageSize, createdFrom, createdTo, ...wanted } = context.req.valid('query');
  const found = orders.filter(
    (order) =>
      (!wanted.externalOrderId || order.sent.externalOrderId === wanted.externalOrderId) &&
      (!wanted.orderNumber || order.orderNumber === wanted.orderNumber) &&
      (!wanted.status || order.status === wanted.status) &&
      (!wanted.customerPhone || order.sent.customer.phone === wanted.customerPhone) &&
      (!createdFrom || Date.parse(order.createdAt) >= Date.parse(createdFrom)) &&
      (!createdTo || Date.parse(order.createdAt) <= Date.parse(createdTo)),
  );
  const size = Math.min(pageSize, maxPageSize);
  if (page * size < found.length) {
    const next = new URL(context.req.url);
    next.searchParams.set('page', String(page + 1));
    context.header('Link', `<${next.pathname}${next.search}>; rel="next"`);
  }
  return context.json(found.slice((page - 1) * size, page * size).map(toJson));
});

const find = (context) => {
  const order = orders.find(({ id }) => id === context.req.param('id'));
  if (order === undefined) throw new HTTPException(404, { message: 'Order not found' });
  return order;
};
api.get('/:id', (context) => context.json({ order: toJson(find(context)) }));
api.post('/:id/cancel', zValidator('json', cancelSchema), (context) => {
  const order = find(context);
  if (order.status === 'Cancelled') throw new HTTPException(409, { message: 'Order is already cancelled' });
  Object.assign(order, { status: 'Cancelled', reason: context.req.valid('json').reason });
  return context.json({ order: toJson(order) });
});
app.route('/api/v1/merchant/orders', api);

function toJson({ sent, ...order }) {
  return { ...order, ...sent, delivery: null };
}

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });
