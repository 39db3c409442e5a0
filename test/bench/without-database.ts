import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { member } from '../../src/orders/json.ts';
import { textField } from '../../src/orders/order.ts';
import { behaviour } from '../../src/sandbox/behaviour/behaviour.ts';
import { checkHost } from '../../src/sandbox/http/authenticate.ts';
import { orderAnswer } from '../../src/sandbox/http/order-response.ts';
import { parseBody, readBody } from '../../src/sandbox/http/request-body.ts';
import { answer } from '../../src/sandbox/http/response.ts';
import { serve } from '../../src/sandbox/http/serve.ts';
import type { SandboxEnv, SandboxMiddleware } from '../../src/sandbox/parts.ts';
import { checkOrder } from '../../src/sandbox/rules/check-order.ts';
import { checkKey } from '../../src/sandbox/rules/create-once.ts';

const apiKey = 'sandbox_bench';

const label: SandboxMiddleware = async (context, next) => {
  context.header('X-Request-Id', randomUUID());
  context.header('X-Merchant-Orders-Sandbox', 'none');
  await next();
};

/** The create route with every check that needs no store: it returns an order and stores nothing. */
export async function startWithoutDatabase() {
  const app = new Hono<SandboxEnv>();
  let sequence = 0;
  app.use(label, checkHost);
  app.post('/api/v1/merchant/orders', async (context) => {
    if (context.req.header('Authorization') !== `Bearer ${apiKey}`) return context.body(null, 401);
    checkKey(context.req.header('Idempotency-Key'), behaviour.keys);
    const order = parseBody(await readBody(context));
    checkOrder(order);
    sequence += 1;
    const stored = {
      id: randomUUID(),
      orderNumber: `ORD-2026-${String(sequence).padStart(6, '0')}`,
      externalOrderId: textField(order, 'externalOrderId') ?? null,
      status: 'CONFIRMED',
      body: '',
      createdAt: Date.now(),
      cancelReason: null,
      cancelledAt: null,
      deliveryId: randomUUID(),
      deliveryStatus: 'PENDING',
      customerPhone: textField(member(order, 'customer'), 'phone'),
    };
    return answer(context, orderAnswer(behaviour, 201, stored, order));
  });
  const { port } = await serve(app, 0, () => behaviour.faults.connections);
  return { baseUrl: `http://127.0.0.1:${port}`, apiKey };
}
