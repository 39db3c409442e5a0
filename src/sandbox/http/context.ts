import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { JsonObject } from '../../orders/json.ts';
import { nextTurn } from '../../system/waits.ts';
import type { ApiError } from '../behaviour/api-error.ts';
import type { Caller } from '../store/accounts.ts';
import type { LoggedRequest } from '../store/requests.ts';

/** An invalid body is reported only by operations that need one. */
export interface RequestBody {
  /** SHA-256 of the bytes in hexadecimal; undefined for a body that is too large. */
  hash: string | undefined;
  /** Equal for bodies that are equal as JSON, with numbers as written. */
  comparedHash: string;
  content: JsonObject | ApiError;
  /** The beginning of the bytes, for the journal. */
  start: Uint8Array | undefined;
}

export const identityHeader = 'X-Merchant-Orders-Sandbox';

export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: {
    identity: string;
    requestId: string;
    /** Of the service. */
    date: string;
    caller: Caller;
    logged: LoggedRequest;
    body: RequestBody;
  };
}

export type SandboxContext = Context<SandboxEnv>;
export type SandboxMiddleware = MiddlewareHandler<SandboxEnv>;

export function identifyingHeaders(context: SandboxContext): Record<string, string> {
  return {
    Date: context.get('date'),
    'X-Request-Id': context.get('requestId'),
    [identityHeader]: context.get('identity'),
  };
}

/** A read outside a transaction takes locks, so requests in the same turn of the event loop share the result. */
export function oncePerTurn<Value>(read: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    if (values.size === 0) void nextTurn().then(() => values.clear());
    if (!values.has(key)) values.set(key, read(key));
    return values.get(key) as Value;
  };
}
