import type { SandboxMiddleware, SandboxParts } from '../parts.ts';

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

export const routes = ['create', 'get', 'list', 'cancel', 'other', 'elsewhere'] as const;
/** `other`: no operation of the interface; `elsewhere`: at the second origin, which redirects lead to. */
export type Route = (typeof routes)[number];

export const authorizations = ['none', 'known', 'unknown', 'foreign'] as const;
/** What the header Authorization held, never its text; `foreign`: a key that is none of a sandbox. */
export type Authorization = (typeof authorizations)[number];

/** One request, and what came of it. Times in epoch milliseconds. */
export interface Visit {
  /** Its row in the record, once it is written. */
  sequence?: number;
  arrivedAt: number;
  route: Route;
  /** What it is about: the externalOrderId of a create, the order id in the path, the query of a list. */
  subject: string;
  customerPhone?: string | undefined;
  authorization: Authorization;
  clientId?: number;
  idempotencyKey?: string | undefined;
  /** SHA-256 of the body as it came. */
  bodyHash?: string | undefined;
  /** Requests under way when it came, itself included. */
  underWay: number;
  /** How much sooner it came than it had been told to; 0 for in time. */
  earlyBy: number;
  /** Of the answer of the service, or of what came in its stead before it was processed; undefined for none. */
  status?: number | undefined;
  /** What befell it, by the kind of the fault. */
  fault?: string;
  /** What its answer told to wait until. */
  notBefore?: number | undefined;
  /** The order that it committed. */
  orderId?: string;
}
