import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { member } from '../../src/orders/json.ts';
import { textField } from '../../src/orders/order.ts';
import { defaultBehaviour } from '../../src/sandbox/behaviour/parse.ts';
import { checkHost } from '../../src/sandbox/http/authenticate.ts';
import type { SandboxEnv, SandboxMiddleware } from '../../src/sandbox/http/context.ts';
import { parseBody, readBody } from '../../src/sandbox/http/request-body.ts';
import { sendResponse } from '../../src/sandbox/http/send-response.ts';
import { serve } from '../../src/sandbox/http/serve.ts';
import { checkOrder } from '../../src/sandbox/rules/check-order.ts';
import { checkKey } from '../../src/sandbox/rules/create-once.ts';
import { orderResponse } from '../../src/sandbox/rules/order-response.ts';

const apiKey = 'sandbox_bench';

const label: SandboxMiddleware = async (context, next) => {
  context.header('X-Request-Id', randomUUID());
  context.header('X-Merchant-Orders-Sandbox', 'none');
  await next();
};

/** The create route with every check that needs no store; it stores nothing. */
export async function startWithoutDatabase() {
  const app = new Hono<SandboxEnv>();
  let sequence = 0;
  app.use(label, checkHost({ allowHosts: [] }));
  app.post('/api/v1/merchant/orders', async (context) => {
    if (context.req.header('Authorization') !== `Bearer ${apiKey}`) return context.body(null, 401);
    checkKey(context.req.header('Idempotency-Key'), defaultBehaviour.keys);
    const order = parseBody(await readBody(context));
    checkOrder(order, defaultBehaviour, Date.now());
    sequence += 1;
    const stored = {
      id: randomUUID(),
      merchantId: 1,
      clientId: 1,
      customerId: 1,
      orderNumber: `ORD-2026-${String(sequence).padStart(6, '0')}`,
      externalOrderId: textField(order, 'externalOrderId') ?? null,
      status: 'CONFIRMED',
      body: '',
      createdAt: Date.now(),
      cancelReason: null,
      cancelledAt: null,
      deliveryId: randomUUID(),
      deliveryStatus: 'PENDING',
      deliveredAt: null,
      customerPhone: textField(member(order, 'customer'), 'phone'),
    };
    return sendResponse(context, orderResponse(defaultBehaviour, 201, stored, order));
  });
  const { port } = await serve(app, { port: 0, host: '127.0.0.1' }, () => defaultBehaviour.faults.idleMs);
  return { baseUrl: `http://127.0.0.1:${port}`, apiKey };
}
