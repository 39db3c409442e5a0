import type { Database } from '../../system/sqlite.ts';
import { createAccounts } from './accounts.ts';
import { createCustomers } from './customers.ts';
import { createIdempotency } from './idempotency.ts';
import { createIdentity } from './identity.ts';
import { createOrderList } from './order-list.ts';
import { createDeliveries, createOrders } from './orders.ts';
import { createProducts } from './products.ts';
import { createRequests } from './requests.ts';

export type Store = ReturnType<typeof openStore>;

/** The database must have been opened with `sandboxSchema`. */
export function openStore(database: Database) {
  // The same index pages change again and again: with rare checkpoints each is written once, and 32 MB keep them cached.
  database.exec('PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -32000');
  return {
    identity: createIdentity(database),
    accounts: createAccounts(database),
    products: createProducts(database),
    customers: createCustomers(database),
    orders: createOrders(database),
    listOrders: createOrderList(database),
    deliveries: createDeliveries(database),
    idempotency: createIdempotency(database),
    requests: createRequests(database),
    /** In one transaction with concurrent requests; resolves after the commit. */
    inGroup: <T>(work: () => T): Promise<T> => database.groupTransaction(work),
    /** Without foreign key checks, with which SQLite deletes row by row. */
    inBulkTransaction<T>(work: () => T): T {
      database.exec('PRAGMA foreign_keys = OFF');
      try {
        return database.transaction(work);
      } finally {
        database.exec('PRAGMA foreign_keys = ON');
      }
    },
    clear(tables: readonly string[]): void {
      for (const table of tables) database.exec(`DELETE FROM ${table}`);
    },
    inTransaction<T>(work: () => T): T {
      return database.transaction(work);
    },
  };
}
