import { CliError } from '../errors.ts';
import type { Database } from '../system/sqlite.ts';

const version = 1;

const tables = `
  CREATE TABLE secret (value TEXT NOT NULL);
  INSERT INTO secret VALUES (lower(hex(randomblob(32))));
  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    file TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    exit_code INTEGER
  );
  CREATE TABLE orders (
    client TEXT NOT NULL,
    external_order_id TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    generation INTEGER NOT NULL CHECK (generation >= 0),
    state TEXT NOT NULL CHECK (state IN ('intent', 'created', 'refused', 'unknown')),
    order_id TEXT,
    order_number TEXT,
    code TEXT,
    run TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (client, external_order_id)
  ) WITHOUT ROWID;
`;

/** Makes the tables of a new ledger. Error: `ledger_not_writable` for one that a newer version wrote. */
export function prepareSchema(database: Database): void {
  const prepare = database.transaction(() => {
    const found = (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
    if (found > version) {
      throw new CliError(
        'ledger_not_writable',
        'The ledger of past imports was written by a newer version.',
        {
          hint: 'Update merchant-orders: npm install -g merchant-orders@latest',
        },
      );
    }
    if (found === version) return;
    database.exec(tables);
    database.exec(`PRAGMA user_version = ${version}`);
  });
  prepare.immediate();
}
