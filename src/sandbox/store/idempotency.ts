import type { Database } from '../../system/sqlite.ts';
import type { WireResponse } from '../behaviour/responses.ts';
import { createStatements } from './statements.ts';

/** `bodyHash` is that of the request. */
export interface StoredResponse extends WireResponse {
  bodyHash: string;
}

export function createIdempotency(database: Database) {
  const { one, insertRows } = createStatements(database);
  return {
    /** Ignores what was stored at `since` (epoch milliseconds) or before. */
    find: one<[clientId: number, key: string, since: number], StoredResponse>(`
      SELECT body_hash AS bodyHash, status, response AS text, content_type AS contentType
      FROM idempotency_keys WHERE client_id = ? AND key = ? AND stored_at > ?
    `),
    put: insertRows('INSERT OR REPLACE', 'idempotency_keys', [
      'clientId',
      'key',
      'bodyHash',
      'status',
      'response',
      'contentType',
      'storedAt',
    ]),
  };
}
