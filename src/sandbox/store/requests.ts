import type { Database } from '../../system/sqlite.ts';
import type { Visit } from '../record/log-requests.ts';

/** A request as it stands in the record; absent values are null. */
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

/** The bodies that came under one key of one client. */
export interface KeyUse {
  idempotencyKey: string;
  attempts: number;
  bodies: number;
}

export interface AuthorizationCount {
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

/** Every request to the API, complete under concurrency: written before its answer leaves. */
export function createRequests(database: Database) {
  const insert = database.prepare(`
    INSERT INTO requests (arrived_at, ended_at, route, subject, client_id, idempotency_key, body_hash,
      authorization, under_way, early_by, status, fault, not_before, order_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const update = database.prepare('UPDATE requests SET order_id = ?, not_before = ? WHERE sequence = ?');
  const count = database.prepare(
    'SELECT COUNT(*) AS requests, COALESCE(MAX(under_way), 0) AS peakConcurrency FROM requests WHERE route <> ?',
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
  `);
  return {
    /** Writes a request, or what it committed and was told since it was written; gives its row. */
    put(visit: Visit, at: number): number {
      if (visit.sequence !== undefined) {
        update.run(visit.orderId ?? null, visit.notBefore ?? null, visit.sequence);
        return visit.sequence;
      }
      const { lastInsertRowid } = insert.run(
        ...[visit.arrivedAt, at, visit.route, visit.subject, visit.clientId ?? null],
        ...[visit.idempotencyKey ?? null, visit.bodyHash ?? null, visit.authorization],
        ...[visit.underWay, visit.earlyBy, visit.status ?? null, visit.fault ?? null],
        ...[visit.notBefore ?? null, visit.orderId ?? null],
      );
      return Number(lastInsertRowid);
    },
    /** To the API itself; the second origin is not counted. */
    totals(): Totals {
      const { requests, peakConcurrency } = count.get('elsewhere') as Totals;
      return { requests, peakConcurrency };
    },
    all: (): RequestRow[] => select.all() as RequestRow[],
    early: (): RequestRow[] => selectEarly.all() as RequestRow[],
    keys: (): KeyUse[] => selectKeys.all() as KeyUse[],
    authorizations: (): AuthorizationCount[] => selectAuthorizations.all() as AuthorizationCount[],
  };
}
