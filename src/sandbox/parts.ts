import type { Context, MiddlewareHandler } from 'hono';
import type { Behaviour } from './behaviour.ts';
import type { RequestRecord } from './record.ts';
import type { Caller } from './store/accounts.ts';
import type { Store } from './store/store.ts';

/** What the app is made of; everything it knows of the world outside. */
export interface SandboxParts {
  store: Store;
  behaviour: Behaviour;
  record: RequestRecord;
  adminToken: string;
  /** Every SKU is known and active. */
  anySku: boolean;
  latencyMs: number;
  /** Epoch milliseconds. */
  now(): number;
  randomUuid(): string;
}

export interface SandboxEnv {
  Variables: { requestId: string; caller: Caller };
}

export type SandboxContext = Context<SandboxEnv>;
export type SandboxMiddleware = MiddlewareHandler<SandboxEnv>;
