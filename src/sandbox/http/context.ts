import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Service } from '../rules/service.ts';
import type { Caller } from '../store/accounts.ts';
import type { LoggedRequest } from '../store/logged-request.ts';
import type { RequestBody } from './request-body.ts';
import { identityHeader } from './serve.ts';

export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: { requestId: string; caller: Caller; logged: LoggedRequest; body: RequestBody };
}

export type SandboxContext = Context<SandboxEnv>;
export type SandboxMiddleware = MiddlewareHandler<SandboxEnv>;

/** The headers of every response: its own id, and the sandbox that it comes from. */
export function identifyingHeaders(
  { store }: Pick<Service, 'store'>,
  context: SandboxContext,
): Record<string, string> {
  return { 'X-Request-Id': context.get('requestId'), [identityHeader]: store.identity.read() };
}
