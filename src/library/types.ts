/// <reference lib="esnext.disposable" />

// The types of merchant-orders/sandbox. This file is packed as it is, so it imports nothing.

/** Starts a sandbox on 127.0.0.1. Several may run in one process. */
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
  behaviour?: string | { readonly [setting: string]: unknown } | undefined;
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
  /** Bodies of creates; `status` is the state that the order is moved to, such as `DELIVERED`. */
  readonly orders?:
    | readonly { readonly status?: string | undefined; readonly [field: string]: unknown }[]
    | undefined;
}

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
  /** Deletes all orders, customers and requests, and restores the state of the start. The keys stay. */
  reset(): void;
  /** All orders that were created, the oldest first. */
  orders(): SandboxOrder[];
  /** The latest 1,000 requests with a valid API key, the oldest first. */
  requests(): SandboxRequest[];
  /**
   * Throws an AssertionError if an order was created twice, an `Idempotency-Key` was sent with two bodies, a retry came
   * before its `Retry-After`, or a key was sent that is not of a sandbox. With `externalOrderIds`, exactly these must exist.
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
  /** Bodies are cut after 8 KiB. */
  requestBody: string | null;
  responseBody: string | null;
}
