/// <reference lib="esnext.disposable" />

// The types of merchant-orders/sandbox. This file is packed as it is, so it imports nothing.

/** What `startSandbox` and a sandbox throw. */
export declare class SandboxError extends Error {
  readonly name: 'SandboxError';
  /** Such as `usage`, `file_invalid`, `port_in_use`, `stopped`, or of `assert` `promise_broken`. */
  readonly code: string;
}

/** Starts a sandbox on 127.0.0.1. Several may run in one process. @throws SandboxError */
export declare function startSandbox(options?: SandboxOptions): Promise<Sandbox>;

export interface SandboxOptions {
  /** Begins with `sandbox_`; by default a new one. */
  apiKey?: string | undefined;
  /** Begins with `sandbox_`; by default a new one. */
  adminToken?: string | undefined;
  /** 0, the default, picks a free port. */
  port?: number | undefined;
  /** The path of a SQLite file, or `:memory:`, the default. */
  database?: string | undefined;
  /** A name such as `stripe-like`, the path of a behaviour file, or its content. */
  behaviour?: string | Behaviour | undefined;
  /** Products, or the path of a CSV or JSON file; by default those of the package. */
  catalogue?: string | readonly Product[] | undefined;
  /** What an empty database starts with, or the path of such a JSON file. A database with orders or customers is left as it is. */
  seed?: string | Seed | undefined;
  /** Epoch milliseconds; by default the time of this machine. */
  now?: (() => number) | undefined;
}

export interface Seed {
  readonly customers?:
    | readonly { readonly phone?: string | undefined; readonly externalCustomerId?: string | undefined }[]
    | undefined;
  /** They replace the catalogue. */
  readonly products?: readonly Product[] | undefined;
  readonly orders?: readonly SeededOrder[] | undefined;
}

/** The body of a create, and what a response shows of an order that has a history. */
export interface SeededOrder {
  /** The state that it is moved to; without one it is new. */
  readonly status?: string | undefined;
  /** ISO 8601. */
  readonly createdAt?: string | undefined;
  /** Such as `ORD-2026-000123`. */
  readonly orderNumber?: string | undefined;
  readonly cancelReason?: string | undefined;
  /** ISO 8601. */
  readonly cancelledAt?: string | undefined;
  readonly delivery?: null | undefined;
  readonly [field: string]: unknown;
}

export type OrderStatus = 'CONFIRMED' | 'IN_DELIVERY' | 'DELIVERED' | 'CANCELLED';

export interface Product {
  readonly sku: string;
  readonly name?: string | undefined;
  /** An order of an inactive product is rejected. */
  readonly active?: boolean | undefined;
}

export interface Sandbox {
  /** Such as `http://127.0.0.1:41234`, without a path. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly adminToken: string;
  /** Whether a seed was given for a database that was not empty. */
  readonly isSeedSkipped: boolean;
  /**
   * Deletes all orders, customers and requests, and restores the state of the start. The keys stay. A request under way is
   * closed, and commits nothing.
   */
  reset(): void;
  /** From now on, in the place of the faults of the behaviour. */
  setFaults(faults: Faults): void;
  /** Returns to the faults of the behaviour. */
  clearFaults(): void;
  /** What is not given has its default. Its faults replace the current ones. */
  setBehaviour(behaviour: Behaviour): void;
  /** The time of the service, which continues from there; without one it is `now` again. */
  setClock(time?: Date | { readonly advanceSeconds: number }): void;
  /** Moves an order, named by its id, order number or external order ID, and its delivery. */
  moveOrder(order: string, status: OrderStatus): SandboxOrder;
  /** All orders that were created, the oldest first. */
  orders(): SandboxOrder[];
  /** The latest 1,000 requests with a valid API key, the oldest first. */
  requests(): SandboxRequest[];
  /**
   * Throws a SandboxError if an order was created twice, an `Idempotency-Key` was sent with two bodies, a retry came
   * before its `Retry-After`, or a key was sent that is not of a sandbox. With `externalOrderIds`, exactly these must have been
   * created; orders of a seed do not count.
   */
  assert(expected?: { readonly externalOrderIds?: readonly string[] | undefined }): void;
  /** Closes the database too. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface SandboxOrder {
  id: string;
  orderNumber: string;
  externalOrderId: string | null;
  status: string;
  /** ISO 8601. */
  createdAt: string;
  cancelReason: string | null;
  cancelledAt: string | null;
  merchantId: number;
  clientId: number;
  /** The customer that the order was resolved to. */
  customer: SandboxCustomer;
  delivery: { id: string; status: string; deliveredAt?: string } | null;
  /** The body of the request that created it. */
  sent: { [field: string]: unknown };
}

export interface SandboxCustomer {
  id: number;
  merchantId: number;
  /** In the form in which the service compares phones, such as `+97699112233`. */
  phone: string | null;
  externalCustomerIds: string[];
}

export interface SandboxRequest {
  sequence: number | null;
  /** ISO 8601. */
  time: string;
  method: string;
  /** With the query. */
  path: string;
  route: string;
  /** Of the service's own response; null while there is none, or when a fault replaced it. */
  status: number | null;
  durationMs: number | null;
  requestId: string;
  idempotencyKey: string | null;
  externalOrderId: string | null;
  /** The order that it created. */
  orderId: string | null;
  fault: { kind: string; when: string; status: number | null } | null;
  /** In lower case, without the key. */
  headers: { [name: string]: string };
  /** Bodies are cut after 8 KiB. */
  requestBody: string | null;
  responseBody: string | null;
}

type Scope = 'orders:read' | 'orders:write' | 'none';

/** Each may be left out. */
type Settings<All> = { readonly [Name in keyof All]?: All[Name] | undefined };

/** Every setting is described in fixtures/behaviours/README.md. What is not given has its default. */
export type Behaviour = Settings<{
  name: string;
  description: string;
  scopes: Settings<{ read: Scope; list: Scope; cancel: Scope }>;
  orders: Settings<{
    required: readonly string[];
    fieldsBeyond: 'returned' | 'dropped' | 'moved' | 'refused';
    pickup: 'refuse' | 'accept';
    externalOrderIdTaken: 'refused' | 'old_order';
    cancelFreesExternalOrderId: boolean;
    createdAt: 'shown' | 'hidden';
    advanceAfterSeconds: number | null;
  }>;
  deliveries: Settings<{ createdFor: 'every_order' | 'collecting_orders' | 'no_order' }>;
  limits: Settings<{ items: number | null; daysAhead: number | null }>;
  responses: Settings<{
    createStatus: 201 | 200 | 202;
    cancelStatus: 200 | 202 | 204;
    order: 'bare' | 'data' | 'order';
    list: 'data_page' | 'array' | 'data_meta' | 'data_has_more' | 'link_header';
    error: 'error_object' | 'message' | 'problem_details' | 'nestjs' | 'stripe';
  }>;
  paging: Settings<{
    firstPage: 1 | 0;
    defaultPageSize: number;
    largestPageSize: number;
    unknownParameters: 'ignored' | 'refused';
    dates: 'days_and_instants' | 'days' | 'instants';
  }>;
  keys: Settings<{
    required: boolean;
    format: 'any' | 'uuid';
    repeated: 'replayed' | 'refused' | 'ignored';
    otherBody: 'refused' | 'replayed' | 'processed';
    kept: 'nothing' | 'successes' | 'refusals' | 'everything';
    retentionSeconds: number | null;
  }>;
  /** Status and code by the name of the error, such as `orderUnknown`. */
  refusals: { readonly [error: string]: Settings<{ status: number; code: string }> };
  faults: Faults;
}>;

export type Faults = Settings<{
  /** The same seed gives the same faults to the same attempts. */
  seed: string;
  /** The first matching rule applies. */
  rules: readonly FaultRule[];
  /** Whether the demonstration phones have their faults; true by default. */
  demoPhones: boolean;
  limits: Settings<{ requestsPerSecond: number | null; concurrency: number | null; burst: number }>;
  latencyMs: number;
  /** Milliseconds that an idle connection stays open. */
  idleMs: number;
}>;

export interface FaultRule {
  /** All requests, if it is left out. */
  readonly match?: FaultMatch | undefined;
  readonly when: 'before_commit' | 'after_commit';
  readonly do: FaultAction;
}

type FaultMatch = Settings<{
  route: 'create' | 'get' | 'list' | 'cancel';
  /** `*` stands for any text. */
  externalOrderId: string;
  customerPhone: string;
  /** The number of the attempt at the same order or list, from 1. */
  attempt: number;
  probability: number;
}>;

export type FaultAction =
  | { readonly kind: 'reset' | 'close' | 'stall' }
  | ({ readonly kind: 'cut_body' } & Settings<{ afterBytes: number }>)
  | ({ readonly kind: 'status'; readonly status: number } & Settings<{
      body: 'error' | 'html' | 'nothing';
      code: string;
      retryAfter: number;
    }>)
  | { readonly kind: 'wait'; readonly seconds: number }
  | ({ readonly kind: 'late_commit' } & Settings<{ seconds: number; status: number }>);
