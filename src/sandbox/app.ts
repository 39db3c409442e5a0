import { setTimeout as delay } from 'node:timers/promises';
import { Hono } from 'hono';
import { authenticate, requireAdminToken, requireScope } from './authenticate.ts';
import { checkHost } from './check-host.ts';
import { originOf } from './origin.ts';
import type { SandboxContext, SandboxEnv, SandboxMiddleware, SandboxParts } from './parts.ts';
import { Refusal } from './refusal.ts';
import { infoRoute, ledgerRoute } from './routes/admin.ts';
import { cancelOrderRoute } from './routes/cancel-order.ts';
import { createOrderRoute } from './routes/create-order.ts';
import { getOrderRoute } from './routes/get-order.ts';
import { listOrdersRoute } from './routes/list-orders.ts';
import { answer } from './wire/answer.ts';
import { errorAnswer } from './wire/error-answer.ts';

const orders = '/api/v1/merchant/orders';

/** The service of the interface document, not listening yet. */
export function createApp(parts: SandboxParts): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.use('/api/*', countRequest(parts));
  app.use(labelAnswer(parts));
  app.use(checkHost);
  app.use('/api/*', slowDown(parts), authenticate(parts));
  app.post(orders, requireScope('orders:write'), createOrderRoute(parts));
  app.get(orders, listOrdersRoute(parts));
  app.get(`${orders}/:orderId`, getOrderRoute(parts));
  app.post(`${orders}/:orderId/cancel`, cancelOrderRoute(parts));
  app.use('/_sandbox/*', requireAdminToken(parts));
  app.get('/_sandbox/info', infoRoute(parts));
  app.get('/_sandbox/ledger', ledgerRoute(parts));
  app.notFound((context) => refuse(parts, context, new Refusal('routeUnknown', 'There is nothing here')));
  app.onError((error, context) => refuse(parts, context, error));
  return app;
}

function countRequest({ record }: SandboxParts): SandboxMiddleware {
  return async (_context, next) => {
    record.requestArrived();
    await next();
  };
}

function labelAnswer({ store, randomUuid }: SandboxParts): SandboxMiddleware {
  return async (context, next) => {
    context.set('requestId', randomUuid());
    context.header('X-Request-Id', context.get('requestId'));
    context.header('X-Merchant-Orders-Sandbox', store.identity.read());
    await next();
  };
}

function slowDown({ latencyMs }: SandboxParts): SandboxMiddleware {
  return async (_context, next) => {
    if (latencyMs > 0) await delay(latencyMs);
    await next();
  };
}

function refuse({ behaviour, now }: SandboxParts, context: SandboxContext, error: Error): Response {
  return answer(context, errorAnswer(behaviour, error, originOf(context, now())));
}
