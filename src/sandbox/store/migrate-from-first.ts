import type { Database } from '../../system/sqlite.ts';
import { keyTable, orderTables } from './tables.ts';

const orderColumns = `sequence, id, merchant_id, client_id, customer_id, order_number, external_order_id, status,
  customer_phone, body, created_at, cancel_reason, cancelled_at`;

/**
 * Version 1 → 2, inside a transaction: an own id is unique among the orders that own it, and a kept answer
 * has its content type and time. Deliveries leave first, since dropping the orders would take them along.
 */
export function migrateFromFirst(database: Database): void {
  database.exec(`
    CREATE TEMP TABLE old_deliveries AS SELECT * FROM deliveries;
    CREATE TEMP TABLE old_orders AS SELECT * FROM orders;
    CREATE TEMP TABLE old_keys AS SELECT * FROM idempotency_keys;
    DROP TABLE deliveries;
    DROP TABLE orders;
    DROP TABLE idempotency_keys;
    ${orderTables}
    ${keyTable}
    INSERT INTO orders (${orderColumns}) SELECT ${orderColumns} FROM old_orders;
    INSERT INTO deliveries SELECT * FROM old_deliveries;
    INSERT INTO idempotency_keys (client_id, key, body_hash, status, answer, content_type, kept_at)
      SELECT client_id, key, body_hash, status, answer, 'application/json', unixepoch() * 1000 FROM old_keys;
    DROP TABLE old_deliveries;
    DROP TABLE old_orders;
    DROP TABLE old_keys;
  `);
}
