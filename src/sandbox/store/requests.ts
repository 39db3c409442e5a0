import type { Database } from '../../system/sqlite.ts';

export const routes = ['create', 'get', 'list', 'cancel', 'other'] as const;
/** `other`: not an operation of the interface. */
export type Route = (typeof routes)[number];

const authorizations = ['none', 'known', 'unknown', 'foreign'] as const;
/** The kind of key that was sent; `foreign`: without the prefix of a sandbox. */
export type Authorization = (typeof authorizations)[number];

/** Times in epoch milliseconds; the path includes the query. */
export interface LoggedRequest {
  /** Its row in the store, once it has been written. */
  sequence?: number;
  arrivedAt: number;
  /** When the client had received the response, or had disconnected. */
  endedAt?: number;
  method?: string;
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
  /** Requests under way when it arrived, including itself. */
  underWay: number;
  /** Milliseconds before the end of a requested wait; 0 if it has passed. */
  earlyBy: number;
  /** Of the service's response, or of the fault that replaced it before the commit. */
  status?: number | undefined;
  fault?: string;
  faultWhen?: string;
  /** Of the response that replaced the service's own; undefined if the fault wrote to the connection itself. */
  faultStatus?: number | undefined;
  /** The end of the wait that its response requests. */
  notBefore?: number | undefined;
  orderId?: string;
  /** Only the beginning. */
  requestBody?: Uint8Array | undefined;
  responseBody?: string;
}

export interface RequestRow {
  sequence: number;
  arrivedAt: number;
  endedAt: number;
  route: string;
  subject: string;
  idempotencyKey: string | null;
  status: number | null;
  fault: string | null;
  notBefore: number | null;
  earlyBy: number;
  orderId: string | null;
}

interface KeyUse {
  idempotencyKey: string;
  attempts: number;
  bodies: number;
}

interface AuthorizationCount {
  route: string;
  authorization: string;
  requests: number;
}

interface Totals {
  requests: number;
  peakConcurrency: number;
}

const columns = `sequence, arrived_at AS arrivedAt, ended_at AS endedAt, route, subject,
  idempotency_key AS idempotencyKey, status, fault, not_before AS notBefore, early_by AS earlyBy, order_id AS orderId`;

export function createRequests(database: Database) {
  const insert = database.prepare(`
    INSERT INTO requests (arrived_at, ended_at, route, subject, client_id, idempotency_key, body_hash,
      authorization, under_way, early_by, status, fault, not_before, order_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const update = database.prepare('UPDATE requests SET order_id = ?, not_before = ? WHERE sequence = ?');
  const countOne = database.prepare(`
    INSERT INTO counted_requests (route, authorization, requests) VALUES (?, ?, 1)
    ON CONFLICT (route, authorization) DO UPDATE SET requests = requests + 1
  `);
  const selectTotals = database.prepare(`
    SELECT COUNT(*) + (SELECT COALESCE(SUM(requests), 0) FROM counted_requests) AS requests,
      COALESCE(MAX(under_way), 0) AS peakConcurrency
    FROM requests
  `);
  const countUnauthenticated = database.prepare(
    'SELECT COALESCE(SUM(requests), 0) AS requests FROM counted_requests',
  );
  const select = database.prepare(`SELECT ${columns} FROM requests ORDER BY sequence`);
  const selectEarly = database.prepare(
    `SELECT ${columns} FROM requests WHERE early_by > 0 ORDER BY sequence`,
  );
  const selectKeys = database.prepare(`
    SELECT idempotency_key AS idempotencyKey, COUNT(*) AS attempts, COUNT(DISTINCT body_hash) AS bodies
    FROM requests WHERE idempotency_key IS NOT NULL GROUP BY client_id, idempotency_key ORDER BY MIN(sequence)
  `);
  const selectAuthorizations = database.prepare(`
    SELECT route, authorization, COUNT(*) AS requests FROM requests GROUP BY route, authorization
    UNION ALL SELECT route, authorization, requests FROM counted_requests
  `);
  return {
    /** Inserts a request, or updates the order and the wait of one that has a sequence; returns its sequence. */
    put(logged: LoggedRequest, at: number): number {
      if (logged.sequence !== undefined) {
        update.run(logged.orderId ?? null, logged.notBefore ?? null, logged.sequence);
        return logged.sequence;
      }
      const { lastInsertRowid } = insert.run(
        logged.arrivedAt,
        at,
        logged.route,
        logged.subject,
        logged.clientId ?? null,
        logged.idempotencyKey ?? null,
        logged.bodyHash ?? null,
        logged.authorization,
        logged.underWay,
        logged.earlyBy,
        logged.status ?? null,
        logged.fault ?? null,
        logged.notBefore ?? null,
        logged.orderId ?? null,
      );
      return Number(lastInsertRowid);
    },
    /** For requests without a valid key or Host. */
    count({ route, authorization }: LoggedRequest): void {
      countOne.run(route, authorization);
    },
    totals(): Totals {
      const { requests, peakConcurrency } = selectTotals.get() as Totals;
      return { requests, peakConcurrency };
    },
    /** Requests without a valid key or Host. */
    unauthenticated: (): number => (countUnauthenticated.get() as { requests: number }).requests,
    all: (): RequestRow[] => select.all() as RequestRow[],
    early: (): RequestRow[] => selectEarly.all() as RequestRow[],
    keys: (): KeyUse[] => selectKeys.all() as KeyUse[],
    authorizations: (): AuthorizationCount[] => selectAuthorizations.all() as AuthorizationCount[],
  };
}
