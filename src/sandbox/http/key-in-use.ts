import { ApiError } from '../behaviour/api-error.ts';
import type { Service } from '../rules/service.ts';
import type { SandboxMiddleware } from './context.ts';

/** Rejects a create whose key belongs to a request that has no response yet, unless the behaviour lets it wait. */
export function refuseKeyInUse(service: Service): SandboxMiddleware {
  const inUse = new Set<string>();
  return async (context, next) => {
    const { route, clientId, idempotencyKey } = context.get('logged');
    const { underWay, repeated } = service.behaviour.keys;
    if (route !== 'create' || !idempotencyKey || underWay === 'waits' || repeated === 'ignored')
      return next();
    const name = `${clientId}\n${idempotencyKey}`;
    if (inUse.has(name)) {
      throw new ApiError('idempotencyKeyInUse', 'A request with this Idempotency-Key is still under way');
    }
    inUse.add(name);
    try {
      await next();
    } finally {
      inUse.delete(name);
    }
  };
}
