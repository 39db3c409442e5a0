import { Refusal } from '../behaviour/refusal.ts';
import type { SandboxMiddleware, SandboxParts } from '../parts.ts';
import { keyPrefix } from '../store/seed.ts';

/** Finds the caller by the API key (interface section 5). A key of the live service is not even looked up. */
export function authenticate({ store }: SandboxParts): SandboxMiddleware {
  return async (context, next) => {
    const key = bearerToken(context.req.header('Authorization'));
    if (key === undefined)
      throw new Refusal('keyMissing', 'The header Authorization: Bearer <key> is missing');
    if (!key.startsWith(keyPrefix)) {
      throw new Refusal('keyRefused', `The sandbox takes only keys that begin with ${keyPrefix}`);
    }
    const caller = store.accounts.findCaller(key);
    if (!caller) throw new Refusal('keyRefused', 'This API key is unknown');
    context.set('caller', caller);
    Object.assign(context.get('visit'), { clientId: caller.clientId, authorization: 'known' });
    await next();
  };
}

export function requireScope(scope: string): SandboxMiddleware {
  return async (context, next) => {
    if (!context.get('caller').scopes.includes(scope)) {
      throw new Refusal('scopeMissing', `This API key does not have the scope ${scope}`);
    }
    await next();
  };
}

export function requireAdminToken({ adminToken }: SandboxParts): SandboxMiddleware {
  return async (context, next) => {
    if (bearerToken(context.req.header('Authorization')) !== adminToken) {
      throw new Refusal(
        'adminTokenRefused',
        'This needs the admin token that the sandbox told when it started',
      );
    }
    await next();
  };
}

function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** A web page that points its own host name at this machine (DNS rebinding) still names that host. */
export const checkHost: SandboxMiddleware = async (context, next) => {
  if (!loopback.test(context.req.header('Host') ?? '')) {
    throw new Refusal('hostRefused', 'The sandbox answers at 127.0.0.1, localhost and [::1] only');
  }
  await next();
};
