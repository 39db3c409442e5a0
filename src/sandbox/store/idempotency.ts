import type { Database } from '../../system/sqlite.ts';

/** An answer as it is kept under an idempotency key, with the hash of the body that it answered. */
export interface KeptAnswer {
  bodyHash: string;
  status: number;
  answer: string;
}

export function createIdempotency(database: Database) {
  const select = database.prepare(`
    SELECT body_hash AS bodyHash, status, answer FROM idempotency_keys WHERE client_id = ? AND key = ?
  `);
  const insert = database.prepare(
    'INSERT INTO idempotency_keys (client_id, key, body_hash, status, answer) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    find: (clientId: number, key: string): KeptAnswer | undefined =>
      select.get(clientId, key) as KeptAnswer | undefined,
    keep(clientId: number, key: string, { bodyHash, status, answer }: KeptAnswer): void {
      insert.run(clientId, key, bodyHash, status, answer);
    },
  };
}
