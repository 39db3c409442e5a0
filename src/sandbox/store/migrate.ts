import type { Database } from '../../system/sqlite.ts';
import { keyTable, orderTables, recordTables } from './tables.ts';

const orderColumns = `sequence, id, merchant_id, client_id, customer_id, order_number, external_order_id, status,
  customer_phone, body, created_at, cancel_reason, cancelled_at`;

/** What stands in an older table for a column that only the newer one has. */
const newColumns = {
  1: { owns_external_id: '1', content_type: "'application/json'", kept_at: 'unixepoch() * 1000' },
  2: { owns_external_id: 'owns_external_id', content_type: 'content_type', kept_at: 'kept_at' },
};

export type OlderVersion = keyof typeof newColumns;

/**
 * Makes the tables of an older version anew, inside a transaction, with all their rows. Deliveries leave first,
 * since dropping the orders would take them along.
 */
export function migrate(database: Database, found: OlderVersion): void {
  const { owns_external_id, content_type, kept_at } = newColumns[found];
  database.exec(`
    CREATE TEMP TABLE old_deliveries AS SELECT * FROM deliveries;
    CREATE TEMP TABLE old_orders AS SELECT * FROM orders;
    CREATE TEMP TABLE old_keys AS SELECT * FROM idempotency_keys;
    DROP TABLE deliveries;
    DROP TABLE orders;
    DROP TABLE idempotency_keys;
    ${orderTables}
    ${keyTable}
    ${recordTables}
    INSERT INTO orders (${orderColumns}, owns_external_id) SELECT ${orderColumns}, ${owns_external_id} FROM old_orders;
    INSERT INTO deliveries SELECT * FROM old_deliveries;
    INSERT INTO idempotency_keys (client_id, key, body_hash, status, answer, content_type, kept_at)
      SELECT client_id, key, body_hash, status, answer, ${content_type}, ${kept_at} FROM old_keys;
    DROP TABLE old_deliveries;
    DROP TABLE old_orders;
    DROP TABLE old_keys;
  `);
}
