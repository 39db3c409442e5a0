import type { Database } from '../../system/sqlite.ts';
import type { WireAnswer } from '../http/response.ts';

/** An answer as it is kept under an idempotency key, with the hash of the body that it answered. */
export interface KeptAnswer extends WireAnswer {
  bodyHash: string;
}

interface KeptRow {
  bodyHash: string;
  status: number;
  text: string;
  contentType: string | null;
}

export function createIdempotency(database: Database) {
  const select = database.prepare(`
    SELECT body_hash AS bodyHash, status, answer AS text, content_type AS contentType
    FROM idempotency_keys WHERE client_id = ? AND key = ? AND kept_at > ?
  `);
  const upsert = database.prepare(`
    INSERT INTO idempotency_keys (client_id, key, body_hash, status, answer, content_type, kept_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (client_id, key) DO UPDATE SET body_hash = excluded.body_hash, status = excluded.status,
      answer = excluded.answer, content_type = excluded.content_type, kept_at = excluded.kept_at
  `);
  return {
    /** `since`: epoch milliseconds; what was kept then or before is forgotten. */
    find(clientId: number, key: string, since: number): KeptAnswer | undefined {
      const row = select.get(clientId, key, since) as KeptRow | undefined;
      return row && { ...row, contentType: row.contentType ?? undefined };
    },
    keep(clientId: number, key: string, kept: KeptAnswer, at: number): void {
      const { bodyHash, status, text, contentType } = kept;
      upsert.run(clientId, key, bodyHash, status, text, contentType ?? null, at);
    },
  };
}
