import type { Database } from '../../system/sqlite.ts';
import type { WireResponse } from '../behaviour/responses.ts';

/** `bodyHash` is that of the request. */
export interface StoredResponse extends WireResponse {
  bodyHash: string;
}

interface StoredRow {
  bodyHash: string;
  status: number;
  text: string;
  contentType: string | null;
}

export function createIdempotency(database: Database) {
  const select = database.prepare(`
    SELECT body_hash AS bodyHash, status, response AS text, content_type AS contentType
    FROM idempotency_keys WHERE client_id = ? AND key = ? AND stored_at > ?
  `);
  const upsert = database.prepare(`
    INSERT INTO idempotency_keys (client_id, key, body_hash, status, response, content_type, stored_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (client_id, key) DO UPDATE SET body_hash = excluded.body_hash, status = excluded.status,
      response = excluded.response, content_type = excluded.content_type, stored_at = excluded.stored_at
  `);
  return {
    /** Ignores what was stored at `since` (epoch milliseconds) or before. */
    find(clientId: number, key: string, since: number): StoredResponse | undefined {
      const row = select.get(clientId, key, since) as StoredRow | undefined;
      return row && { ...row, contentType: row.contentType ?? undefined };
    },
    put(clientId: number, key: string, response: StoredResponse, at: number): void {
      const { bodyHash, status, text, contentType } = response;
      upsert.run(clientId, key, bodyHash, status, text, contentType ?? null, at);
    },
  };
}
