import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { JsonObject } from '../../orders/json.ts';
import { nextTurn } from '../../system/waits.ts';
import type { ApiError } from '../behaviour/api-error.ts';
import type { Caller } from '../store/accounts.ts';
import type { LoggedRequest } from '../store/logged-request.ts';

/** The body of a request. An invalid one is reported only by an operation that needs it. */
export interface RequestBody {
  /** SHA-256 of the bytes in hexadecimal; undefined for a body that is too large. */
  hash: string | undefined;
  /** Equal for the same body, by the rule of the behaviour. */
  comparedHash: string;
  content: JsonObject | ApiError;
  /** The beginning of the bytes, for the journal. */
  start?: Uint8Array;
}

export const identityHeader = 'X-Merchant-Orders-Sandbox';

export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: {
    identity: string;
    requestId: string;
    caller: Caller;
    logged: LoggedRequest;
    body: RequestBody;
  };
}

export type SandboxContext = Context<SandboxEnv>;
export type SandboxMiddleware = MiddlewareHandler<SandboxEnv>;

/** The headers of every response: its own id, and the sandbox that it comes from. */
export function identifyingHeaders(context: SandboxContext): Record<string, string> {
  return { 'X-Request-Id': context.get('requestId'), [identityHeader]: context.get('identity') };
}

/** Each read outside of a transaction takes locks, so the requests of one turn of the event loop share what they read. */
export function oncePerTurn<Value>(read: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    if (values.size === 0) void nextTurn().then(() => values.clear());
    if (!values.has(key)) values.set(key, read(key));
    return values.get(key) as Value;
  };
}
