import { ApiError } from '../behaviour/api-error.ts';
import type { Service } from '../rules/service.ts';
import { keyPrefix } from '../store/seed.ts';
import type { SandboxMiddleware } from './context.ts';

/** Finds the caller by the API key (interface section 5). A key of the live service is not even looked up. */
export function authenticate({ store }: Service): SandboxMiddleware {
  return async (context, next) => {
    const key = bearerToken(context.req.header('Authorization'));
    if (key === undefined) {
      throw new ApiError('keyMissing', 'The header Authorization: Bearer <key> is missing');
    }
    if (!key.startsWith(keyPrefix)) {
      throw new ApiError('keyRefused', `The sandbox accepts only keys that begin with ${keyPrefix}`);
    }
    const caller = store.accounts.findCaller(key);
    if (!caller) throw new ApiError('keyRefused', 'This API key is unknown');
    context.set('caller', caller);
    Object.assign(context.get('logged'), { clientId: caller.clientId, authorization: 'known' });
    await next();
  };
}

export function requireScope(scope: string): SandboxMiddleware {
  return async (context, next) => {
    if (!context.get('caller').scopes.includes(scope)) {
      throw new ApiError('scopeMissing', `This API key does not have the scope ${scope}`);
    }
    await next();
  };
}

export function requireAdminToken(adminToken: string): SandboxMiddleware {
  return async (context, next) => {
    if (bearerToken(context.req.header('Authorization')) !== adminToken) {
      throw new ApiError('adminTokenRefused', 'This needs the admin token that sandbox start prints');
    }
    await next();
  };
}

function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** A web page that points its own host name at this machine (DNS rebinding) still sends that name as its Host. */
export const checkHost: SandboxMiddleware = async (context, next) => {
  if (!loopback.test(context.req.header('Host') ?? '')) {
    throw new ApiError('hostRefused', 'The sandbox serves 127.0.0.1, localhost and [::1] only');
  }
  await next();
};
