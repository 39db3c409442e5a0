import type { SandboxMiddleware } from './parts.ts';
import { Refusal } from './refusal.ts';

const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** A web page that points its own host name at this machine (DNS rebinding) still names that host. */
export const checkHost: SandboxMiddleware = async (context, next) => {
  if (!loopback.test(context.req.header('Host') ?? '')) {
    throw new Refusal('hostRefused', 'The sandbox answers at 127.0.0.1, localhost and [::1] only');
  }
  await next();
};
