export const routes = ['create', 'get', 'list', 'cancel', 'other', 'elsewhere'] as const;
/** `other`: no operation of the interface; `elsewhere`: at the second origin, which redirects lead to. */
export type Route = (typeof routes)[number];

export const authorizations = ['none', 'known', 'unknown', 'foreign'] as const;
/** What the header Authorization held, never its text; `foreign`: a key that is none of a sandbox. */
export type Authorization = (typeof authorizations)[number];

/** One request, and what came of it. Times in epoch milliseconds. */
export interface Visit {
  /** Its row in the record, once it is written. */
  sequence?: number;
  arrivedAt: number;
  route: Route;
  /** What it is about: the externalOrderId of a create, the order id in the path, the query of a list. */
  subject: string;
  customerPhone?: string | undefined;
  authorization: Authorization;
  clientId?: number;
  idempotencyKey?: string | undefined;
  /** SHA-256 of the body as it came. */
  bodyHash?: string | undefined;
  /** Requests under way when it came, itself included. */
  underWay: number;
  /** How much sooner it came than it had been told to; 0 for in time. */
  earlyBy: number;
  /** Of the answer of the service, or of what came in its stead before it was processed; undefined for none. */
  status?: number | undefined;
  /** What befell it, by the kind of the fault. */
  fault?: string;
  /** What its answer told to wait until. */
  notBefore?: number | undefined;
  /** The order that it committed. */
  orderId?: string;
}
