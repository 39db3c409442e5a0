import type { SandboxMiddleware, SandboxParts } from '../parts.ts';
import type { Route } from './visit.ts';

const collection = '/api/v1/merchant/orders';
const oneOrder = new RegExp(`^${collection}/[^/]+$`);
const cancellation = new RegExp(`^${collection}/[^/]+/cancel$`);

/** Every request to the API is in the record before its answer leaves, whatever becomes of it. */
export function recordVisits({ record }: SandboxParts): SandboxMiddleware {
  return async (context, next) => {
    const { method, path } = context.req;
    const visit = record.begin(routeOf(method, path), context.req.header('Authorization'));
    context.set('visit', visit);
    context.env.outgoing.once('close', () => record.leave(visit));
    try {
      await next();
      if (visit.fault === undefined) visit.status = context.res.status;
      await record.complete(visit);
    } finally {
      record.end(visit);
    }
  };
}

function routeOf(method: string, path: string): Route {
  if (path === collection) return method === 'POST' ? 'create' : method === 'GET' ? 'list' : 'other';
  if (method === 'GET' && oneOrder.test(path)) return 'get';
  return method === 'POST' && cancellation.test(path) ? 'cancel' : 'other';
}
