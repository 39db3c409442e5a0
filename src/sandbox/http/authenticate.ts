import { isIPv6 } from 'node:net';
import { advice, flag } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import { ApiError } from '../behaviour/api-error.ts';
import type { Operation } from '../behaviour/operations.ts';
import type { Service } from '../rules/service.ts';
import { keyPrefix } from '../store/seed.ts';
import { oncePerTurn, type SandboxContext, type SandboxMiddleware } from './context.ts';

/** Interface section 5. A key of the live service is not even looked up. */
export function authenticate({ store }: Service): SandboxMiddleware {
  const findCaller = oncePerTurn(store.accounts.findCaller);
  return async (context, next) => {
    const key = bearerToken(context.req.header('Authorization'));
    if (key === undefined) {
      throw new ApiError('keyMissing', 'The header Authorization: Bearer <key> is missing');
    }
    if (!key.startsWith(keyPrefix)) {
      throw new ApiError('keyRefused', `The sandbox accepts only keys that begin with ${keyPrefix}`);
    }
    const caller = findCaller(key);
    if (!caller) throw new ApiError('keyRefused', 'This API key is unknown');
    context.set('caller', caller);
    Object.assign(context.get('logged'), { clientId: caller.clientId, authorization: 'known' });
    await next();
  };
}

/** The interface defines only the scope of a create (section 5); the others are settings. @throws ApiError */
export function requireScope({ behaviour }: Service, operation: Operation, context: SandboxContext): void {
  const { read, list, cancel } = behaviour.scopes;
  const scope = { create: 'orders:write', get: read, list, cancel }[operation];
  if (scope !== 'none' && !context.get('caller').scopes.includes(scope)) {
    throw new ApiError('scopeMissing', `This API key does not have the scope ${scope}`);
  }
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

const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])$/i;

/** Against DNS rebinding: a web page that points its host name at this machine still sends that name as its Host. */
export function checkHost({ allowHosts }: Pick<Service, 'allowHosts'>): SandboxMiddleware {
  const allowed = new Set(allowHosts.map(hostnameOf));
  return async (context, next) => {
    const host = (context.req.header('Host') ?? '').replace(/:\d+$/, '');
    if (!loopback.test(host) && !allowed.has(host.toLowerCase())) {
      throw new ApiError(
        'hostRefused',
        'The sandbox serves 127.0.0.1, localhost and [::1] only, unless it is started with --allow-host',
      );
    }
    await next();
  };
}

/** As in a URL: in lower case, an IPv6 address in brackets. @throws CliError `usage` */
function hostnameOf(name: string): string {
  const address = `http://${isIPv6(name) ? `[${name}]` : name}`;
  if (
    name.length <= 253 &&
    // The URL of a name with port 80 has no port.
    (isIPv6(name) || /^[\w.-]+$/.test(name)) &&
    URL.canParse(address)
  ) {
    return new URL(address).hostname;
  }
  throw new CliError('usage', `"${name}" is not the name of a host.`, {
    hint: advice`Write it without a scheme and without a port, such as ${flag('--allow-host', 'sandbox')}.`,
  });
}
