import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Behaviour } from './behaviour/behaviour.ts';
import type { ServiceClock } from './clock.ts';
import type { FaultControl } from './faults/fault-control.ts';
import type { RequestBody } from './http/request-body.ts';
import { identityHeader } from './http/serve.ts';
import type { Visit } from './record/log-requests.ts';
import type { Record as RequestRecord } from './record/record.ts';
import type { Caller } from './store/accounts.ts';
import type { Store } from './store/store.ts';

/** What the app is made of; everything it knows of the world outside. */
export interface SandboxParts {
  store: Store;
  behaviour: Behaviour;
  record: RequestRecord;
  faults: FaultControl;
  adminToken: string;
  /** Every SKU is known and active. */
  anySku: boolean;
  latencyMs: number;
  clock: ServiceClock;
  /** The address of another origin, for redirects. */
  secondOrigin(): Promise<string>;
  randomUuid(): string;
}

export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: { requestId: string; caller: Caller; visit: Visit; body: RequestBody };
}

export type SandboxContext = Context<SandboxEnv>;
export type SandboxMiddleware = MiddlewareHandler<SandboxEnv>;

/** The headers that every answer has: an id of its own, and the sandbox that it comes from. */
export function labelsOf({ store }: SandboxParts, context: SandboxContext): Record<string, string> {
  return {
    'X-Request-Id': context.get('requestId'),
    [identityHeader]: store.identity.read(),
  };
}
