import { Hono } from 'hono';
import { createAdmin } from '../admin/admin.ts';
import { Refusal } from '../behaviour/refusal.ts';
import { misbehave, throttle } from '../faults/misbehave.ts';
import { labelsOf, type SandboxEnv, type SandboxMiddleware, type SandboxParts } from '../parts.ts';
import { recordVisits } from '../record/log-requests.ts';
import { authenticate, checkHost, requireScope } from './authenticate.ts';
import { refuse } from './error-response.ts';
import { takeBody } from './request-body.ts';
import { cancelOrderRoute, createOrderRoute, getOrderRoute, listOrdersRoute } from './routes.ts';

const orders = '/api/v1/merchant/orders';

/** The service of the interface document, not listening yet. */
export function createApp(parts: SandboxParts): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.use(labelAnswer(parts));
  app.route('/_sandbox', createAdmin(parts));
  app.use('/api/*', recordVisits(parts));
  app.use(checkHost);
  app.use('/api/*', authenticate(parts), takeBody(parts), throttle(parts), misbehave(parts));
  app.post(orders, requireScope('orders:write'), createOrderRoute(parts));
  app.get(orders, listOrdersRoute(parts));
  app.get(`${orders}/:orderId`, getOrderRoute(parts));
  app.post(`${orders}/:orderId/cancel`, cancelOrderRoute(parts));
  app.notFound((context) => refuse(parts, context, new Refusal('routeUnknown', 'There is nothing here')));
  app.onError((error, context) => refuse(parts, context, error));
  return app;
}

function labelAnswer(parts: SandboxParts): SandboxMiddleware {
  return async (context, next) => {
    context.set('requestId', parts.randomUuid());
    for (const [name, value] of Object.entries(labelsOf(parts, context))) context.header(name, value);
    await next();
  };
}
