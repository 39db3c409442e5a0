import type { Database } from '../../system/sqlite.ts';
import type { Operation } from '../behaviour/operations.ts';
import { createStatements } from './statements.ts';

/** `other`: not an operation of the interface. */
export type Route = Operation | 'other';

/** The kind of key that was sent; `foreign`: without the prefix of a sandbox. */
type Authorization = 'none' | 'known' | 'unknown' | 'foreign';

/** Times in epoch milliseconds; the path includes the query. */
export interface LoggedRequest {
  /** Aborted when the sandbox is reset. */
  reset: AbortSignal;
  /** Its row in the store, once it has been written. */
  sequence?: number;
  arrivedAt: number;
  /** When the client had received the response, or had disconnected. */
  endedAt?: number;
  method?: string;
  path?: string;
  requestId?: string;
  headers?: Readonly<Record<string, string>>;
  route: Route;
  /** The externalOrderId of a create, the order id in the path, or the query of a list. */
  subject: string;
  customerPhone?: string | undefined;
  authorization: Authorization;
  /** The header Authorization, which is never stored or shown. */
  caller: string;
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

interface RequestRow {
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

const selectRows = `
  SELECT sequence, arrived_at AS arrivedAt, ended_at AS endedAt, route, subject, idempotency_key AS idempotencyKey,
    status, fault, not_before AS notBefore, early_by AS earlyBy, order_id AS orderId FROM requests
`;

export function createRequests(database: Database) {
  const { change, all, count, insertRows } = createStatements(database);
  const insert = insertRows('INSERT', 'requests', [
    ...(['arrivedAt', 'endedAt', 'route', 'subject', 'clientId', 'idempotencyKey', 'bodyHash'] as const),
    ...(['authorization', 'underWay', 'earlyBy', 'status', 'fault', 'notBefore', 'orderId'] as const),
  ]);
  const update = change<[orderId: string | undefined, notBefore: number | undefined, sequence: number]>(
    'UPDATE requests SET order_id = ?, not_before = ? WHERE sequence = ?',
  );
  const total = count(
    'SELECT COUNT(*) + (SELECT COALESCE(SUM(requests), 0) FROM counted_requests) FROM requests',
  );
  const peakConcurrency = count('SELECT COALESCE(MAX(under_way), 0) FROM requests');
  return {
    /** Inserts a request, or updates the order and the wait of one that has a sequence; returns its sequence. */
    put(logged: LoggedRequest, endedAt: number): number {
      if (logged.sequence === undefined) return insert({ ...logged, endedAt });
      update(logged.orderId, logged.notBefore, logged.sequence);
      return logged.sequence;
    },
    /** For requests without a valid key or Host. */
    count: change<[route: Route, authorization: Authorization]>(`
      INSERT INTO counted_requests (route, authorization, requests) VALUES (?, ?, 1)
      ON CONFLICT (route, authorization) DO UPDATE SET requests = requests + 1
    `),
    totals: () => ({ requests: total(), peakConcurrency: peakConcurrency() }),
    /** Requests without a valid key or Host. */
    unauthenticated: count('SELECT COALESCE(SUM(requests), 0) FROM counted_requests'),
    all: all<[], RequestRow>(`${selectRows} ORDER BY sequence`),
    early: all<[], RequestRow>(`${selectRows} WHERE early_by > 0 ORDER BY sequence`),
    keys: all<[], { idempotencyKey: string; attempts: number; bodies: number }>(`
      SELECT idempotency_key AS idempotencyKey, COUNT(*) AS attempts, COUNT(DISTINCT body_hash) AS bodies
      FROM requests WHERE idempotency_key IS NOT NULL GROUP BY client_id, idempotency_key ORDER BY MIN(sequence)
    `),
    authorizations: all<[], { route: string; authorization: string; requests: number }>(`
      SELECT route, authorization, COUNT(*) AS requests FROM requests GROUP BY route, authorization
      UNION ALL SELECT route, authorization, requests FROM counted_requests
    `),
  };
}
