// Orders on Express with express-validator: 201 and {"data": order}, a repeated key gets the stored response, errors as
// {"error", "message"} or the array of express-validator, and pages of at most 100 under "data".
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import express from 'express';
import { body, matchedData, query, validationResult } from 'express-validator';

const { PORT, API_KEY } = process.env;
const products = new Map([
  ['TEA-001', true],
  ['MUG-001', true],
  ['OLD-1', false],
]);
const orders = [];
const responsesByKey = new Map();
let creates = 0;

const app = express();
app.get('/_store', (_request, response) => {
  const stored = orders.map(({ id, externalOrderId, status, sent }) => ({
    ...{ id, externalOrderId, status },
    body: sent,
  }));
  response.json({ orders: stored, creates });
});

const api = express.Router();
app.use('/api/v1/merchant/orders', api);
api.use((request, response, next) => {
  if (request.get('authorization') === `Bearer ${API_KEY}`) return next();
  response.status(401).json({ error: 'Unauthorized' });
});
api.use(express.json());

const isAmount = (value) => /^\d{1,12}(\.\d\d)?$/.test(value);
const createRules = [
  body('externalOrderId').isString().notEmpty(),
  body('customer.phone').exists().withMessage('is required'),
  body('items').isArray({ min: 1 }),
  body('items.*.sku').optional().isString(),
  body('items.*.quantity').optional().isInt({ min: 1 }),
  body('collectionMode').isIn(['NONE', 'COLLECT']),
  body('collectionAmount').optional().custom(isAmount),
  body('total').optional().custom(isAmount),
  body('requestedDeliveryDate').optional().isISO8601({ strict: true }),
];

api.post('/', createRules, (request, response) => {
  creates += 1;
  const key = request.get('idempotency-key');
  if (!key) return response.status(400).json({ error: 'Idempotency-Key header is required' });
  const replay = responsesByKey.get(key);
  if (replay) return response.status(replay.status).json(replay.body);
  const answer = (status, body) => {
    responsesByKey.set(key, { status, body });
    response.status(status).json(body);
  };
  const result = validationResult(request);
  if (!result.isEmpty()) return answer(400, { errors: result.array() });
  const sent = request.body;
  for (const { sku } of sent.items) {
    if (sku === undefined || products.get(sku)) continue;
    const error = products.has(sku) ? 'PRODUCT_SKU_INACTIVE' : 'PRODUCT_SKU_NOT_FOUND';
    return answer(422, { error, message: `Product ${sku} cannot be ordered` });
  }
  if (orders.some(({ externalOrderId }) => externalOrderId === sent.externalOrderId)) {
    return answer(409, { error: `Order ${sent.externalOrderId} already exists` });
  }
  const order = {
    id: randomUUID(),
    orderNumber: `ORD-2026-${String(orders.length + 1).padStart(6, '0')}`,
    status: 'CONFIRMED',
    sent,
    createdAt: new Date(),
  };
  orders.push({ ...order, externalOrderId: sent.externalOrderId });
  answer(201, { data: toJson(order) });
});

const listRules = [
  query('page').default(1).isInt({ min: 1 }).toInt(),
  query('pageSize').default(25).isInt({ min: 1, max: 100 }).toInt(),
  query(['createdFrom', 'createdTo']).optional().isISO8601().toDate(),
];

api.get('/', listRules, (request, response) => {
  const result = validationResult(request);
  if (!result.isEmpty()) return response.status(400).json({ errors: result.array() });
  const { page, pageSize, createdFrom, createdTo } = matchedData(request);
  const { externalOrderId, orderNumber, status, customerPhone } = request.query;
  const found = orders.filter(
    (order) =>
      (!externalOrderId || order.externalOrderId === externalOrderId) &&
      (!orderNumber || order.orderNumber === orderNumber) &&
      (!status || order.status === status) &&
      (!customerPhone || order.sent.customer.phone === customerPhone) &&
      (!createdFrom || order.createdAt >= createdFrom) &&
      (!createdTo || order.createdAt <= createdTo),
  );
  const data = found.slice((page - 1) * pageSize, page * pageSize).map(toJson);
  response.json({ data, meta: { page, pageSize, total: found.length } });
});

api.param('orderId', (request, response, next, orderId) => {
  request.order = orders.find(({ id }) => id === orderId);
  if (request.order) return next();
  response.status(404).json({ error: 'Order not found' });
});
api.get('/:orderId', (request, response) => response.json({ data: toJson(request.order) }));
api.post('/:orderId/cancel', body('reason').isString().notEmpty(), (request, response) => {
  const result = validationResult(request);
  if (!result.isEmpty()) return response.status(400).json({ errors: result.array() });
  const { order } = request;
  if (order.status === 'CANCELLED') return response.status(409).json({ error: 'Order is already cancelled' });
  Object.assign(order, { status: 'CANCELLED', cancellationReason: request.body.reason });
  response.json({ data: toJson(order) });
});

function toJson({ sent, ...order }) {
  return { ...sent, ...order, delivery: null };
}

app.listen(Number(PORT), '127.0.0.1');
