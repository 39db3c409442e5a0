export const routes = ['create', 'get', 'list', 'cancel', 'other', 'elsewhere'] as const;
/** `other`: no operation of the interface; `elsewhere`: a request to the second origin, the target of redirects. */
export type Route = (typeof routes)[number];

const authorizations = ['none', 'known', 'unknown', 'foreign'] as const;
/** What kind of key was in the Authorization header; `foreign`: one without the prefix of a sandbox. */
export type Authorization = (typeof authorizations)[number];

/** A request and its result. Times in epoch milliseconds. */
export interface LoggedRequest {
  /** Its row in the store, once it is written. */
  sequence?: number;
  arrivedAt: number;
  /** When the client had the response, or had disconnected. */
  endedAt?: number;
  method?: string;
  /** With the query. */
  path?: string;
  requestId?: string;
  route: Route;
  /** The externalOrderId of a create, the order id in the path, or the query of a list. */
  subject: string;
  customerPhone?: string | undefined;
  authorization: Authorization;
  clientId?: number;
  idempotencyKey?: string | undefined;
  bodyHash?: string | undefined;
  /** Requests under way when it arrived, itself included. */
  underWay: number;
  /** Milliseconds before the end of a wait that an earlier response asked for; 0 for a request in time. */
  earlyBy: number;
  /** Of the service's response, or of the fault that replaced it before the commit; undefined for none. */
  status?: number | undefined;
  fault?: string;
  faultWhen?: string;
  /** Of the response in place of the service's own; undefined where the fault writes to the connection itself. */
  faultStatus?: number | undefined;
  /** The end of the wait that its response asks for. */
  notBefore?: number | undefined;
  orderId?: string;
  /** The beginning of the body. */
  requestBody?: Uint8Array | undefined;
  responseBody?: string;
}
