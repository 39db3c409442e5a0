import type { Service } from '../rules/service.ts';
import type { Route } from '../store/requests.ts';
import type { SandboxMiddleware } from './context.ts';

const collection = '/api/v1/merchant/orders';
const oneOrder = new RegExp(`^${collection}/[^/]+$`);
const cancellation = new RegExp(`^${collection}/[^/]+/cancel$`);

/** Writes every request to the API to the log before its response is sent, even when there will be none. */
export function logRequests({ requestLog }: Service): SandboxMiddleware {
  return async (context, next) => {
    const { method, path } = context.req;
    const logged = requestLog.begin(routeOf(method, path), context.req.header('Authorization'));
    context.set('logged', logged);
    context.env.outgoing.once('close', () => requestLog.leave(logged));
    try {
      await next();
      if (logged.fault === undefined) logged.status = context.res.status;
      await requestLog.complete(logged);
    } finally {
      requestLog.end(logged);
    }
  };
}

function routeOf(method: string, path: string): Route {
  if (path === collection) return method === 'POST' ? 'create' : method === 'GET' ? 'list' : 'other';
  if (method === 'GET' && oneOrder.test(path)) return 'get';
  return method === 'POST' && cancellation.test(path) ? 'cancel' : 'other';
}
