import { Hono } from 'hono';
import { type AdminService, createAdmin } from './admin/admin.ts';
import { ApiError } from './behaviour/api-error.ts';
import type { FaultService } from './faults/fault-context.ts';
import { injectFaults, throttle } from './faults/inject-faults.ts';
import { authenticate, checkHost, requireScope } from './http/authenticate.ts';
import { identifyingHeaders, type SandboxEnv, type SandboxMiddleware } from './http/context.ts';
import { logRequests } from './http/log-requests.ts';
import { receiveBody } from './http/request-body.ts';
import { cancelOrderRoute, createOrderRoute, getOrderRoute, listOrdersRoute } from './http/routes.ts';
import { sendError } from './http/send-response.ts';

const orders = '/api/v1/merchant/orders';

/** The service of the interface document, not listening yet. */
export function createApp(service: FaultService & AdminService): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.use(addIdentifyingHeaders(service));
  app.route('/_sandbox', createAdmin(service));
  app.use('/api/*', logRequests(service));
  app.use(checkHost);
  app.use('/api/*', authenticate(service), receiveBody(service), throttle(service), injectFaults(service));
  app.post(orders, requireScope('orders:write'), createOrderRoute(service));
  app.get(orders, listOrdersRoute(service));
  app.get(`${orders}/:orderId`, getOrderRoute(service));
  app.post(`${orders}/:orderId/cancel`, cancelOrderRoute(service));
  app.notFound((context) =>
    sendError(service, context, new ApiError('routeUnknown', 'There is nothing here')),
  );
  app.onError((error, context) => sendError(service, context, error));
  return app;
}

function addIdentifyingHeaders(service: FaultService): SandboxMiddleware {
  return async (context, next) => {
    context.set('requestId', service.randomUuid());
    for (const [name, value] of Object.entries(identifyingHeaders(service, context))) {
      context.header(name, value);
    }
    await next();
  };
}
