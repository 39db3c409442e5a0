import { operationNames, operations } from '../behaviour/operations.ts';
import type { JournalEntry } from '../record/journal.ts';
import { RequestEnded } from '../record/request-log.ts';
import type { Service } from '../rules/service.ts';
import type { Route } from '../store/requests.ts';
import type { SandboxContext, SandboxMiddleware } from './context.ts';

/** Logs each request before its response is sent, or before a fault drops it. */
export function logRequests(
  { requestLog }: Service,
  onRequest: ((request: JournalEntry) => void) | undefined,
): SandboxMiddleware {
  return async (context, next) => {
    const { method, path } = context.req;
    const logged = requestLog.begin(routeOf(method, path), context.req.header('Authorization'), {
      method,
      path: pathWithQuery(context),
      requestId: context.get('requestId'),
      headers: context.req.header(),
    });
    context.set('logged', logged);
    let isHandled = false;
    const finish = () => {
      if (isHandled && logged.endedAt !== undefined) onRequest?.(requestLog.journal.describe(logged));
    };
    const { outgoing } = context.env;
    const close = () => outgoing.destroy();
    logged.reset.addEventListener('abort', close);
    outgoing.once('close', () => {
      logged.reset.removeEventListener('abort', close);
      requestLog.leave(logged);
      finish();
    });
    try {
      await next();
      if (context.error instanceof RequestEnded) return;
      if (logged.fault === undefined) logged.status = context.res.status;
      else if (!context.res.headers.has('x-hono-already-sent')) logged.faultStatus = context.res.status;
      await requestLog.complete(logged);
    } finally {
      requestLog.end(logged);
      isHandled = true;
      finish();
    }
  };
}

const maxPath = 2000;

function pathWithQuery({ req }: SandboxContext): string {
  const { url } = req;
  return url.slice(url.indexOf('/', url.indexOf('//') + 2)).slice(0, maxPath);
}

const shapes = operationNames.map((operation) => {
  const { method, path } = operations[operation];
  return { operation, shape: new RegExp(`^${method} ${path.replace(':orderId', '[^/]+')}$`) };
});

function routeOf(method: string, path: string): Route {
  return shapes.find(({ shape }) => shape.test(`${method} ${path}`))?.operation ?? 'other';
}
