import { CliError } from '../errors.ts';
import type { Database } from '../system/sqlite.ts';
import { inTransaction } from './write-group.ts';

/** Each brings a ledger from one version to the next; a new ledger goes through all of them. */
const migrations = [
  `
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
    state TEXT NOT NULL CHECK (state IN ('intent', 'created', 'rejected', 'unknown')),
    order_id TEXT,
    order_number TEXT,
    code TEXT,
    run TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (client, external_order_id)
  ) WITHOUT ROWID;
  `,
  // Whose intent it is, when nobody knew, and all that is known of clients, runs, cancellations and refusals.
  `
  ALTER TABLE orders ADD COLUMN holder TEXT NOT NULL DEFAULT '';
  ALTER TABLE orders ADD COLUMN unknown_at INTEGER;
  ALTER TABLE orders ADD COLUMN disputed_at INTEGER;
  UPDATE orders SET holder = run, unknown_at = updated_at WHERE state IN ('intent', 'unknown');
  CREATE TABLE clients (client TEXT PRIMARY KEY, service TEXT) WITHOUT ROWID;
  INSERT INTO clients SELECT DISTINCT client, NULL FROM orders;
  CREATE TABLE rejections (
    client TEXT NOT NULL,
    external_order_id TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    generation INTEGER NOT NULL,
    PRIMARY KEY (client, external_order_id, body_hash)
  ) WITHOUT ROWID;
  CREATE TABLE cancelled (
    client TEXT NOT NULL,
    order_id TEXT NOT NULL,
    external_order_id TEXT,
    cancelled_at INTEGER NOT NULL,
    is_replaced INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (order_id, client)
  ) WITHOUT ROWID;
  CREATE INDEX cancelled_by_own_id ON cancelled (client, external_order_id);
  ALTER TABLE runs ADD COLUMN client TEXT;
  ALTER TABLE runs ADD COLUMN service TEXT;
  ALTER TABLE runs ADD COLUMN kind TEXT NOT NULL DEFAULT 'import';
  ALTER TABLE runs ADD COLUMN orders INTEGER;
  ALTER TABLE runs ADD COLUMN seen_at INTEGER;
  ALTER TABLE runs ADD COLUMN results TEXT NOT NULL DEFAULT '';
  CREATE TABLE run_orders (
    run TEXT NOT NULL,
    row INTEGER NOT NULL,
    external_order_id TEXT NOT NULL,
    outcome TEXT NOT NULL,
    code TEXT,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (run, row)
  ) WITHOUT ROWID;
  `,
];

/** Makes the tables of a new ledger, or of an older one what they are now. Error: `ledger_not_writable` for one that a newer version wrote. */
export function prepareSchema(database: Database): void {
  inTransaction(database, () => {
    const found = (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
    if (found > migrations.length) {
      throw new CliError(
        'ledger_not_writable',
        'The ledger of past imports was written by a newer version.',
        {
          hint: 'Update merchant-orders: npm install -g merchant-orders@latest',
        },
      );
    }
    for (const migration of migrations.slice(found)) database.exec(migration);
    if (found < migrations.length) database.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}
