import type { Database } from '../../system/sqlite.ts';
import { createAccounts } from './accounts.ts';
import { createCustomers } from './customers.ts';
import { createIdempotency } from './idempotency.ts';
import { createIdentity } from './identity.ts';
import { createOrderList } from './order-list.ts';
import { createCommits, createDeliveries, createOrders } from './orders.ts';
import { createProducts } from './products.ts';
import { createRequests } from './requests.ts';

export type Store = ReturnType<typeof openStore>;

/** The state of the sandbox in a database that was opened with `sandboxSchema`. */
export function openStore(database: Database) {
  // Index pages are used again and again: rare checkpoints write each of them once, and 32 MB of cache keep them.
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
    commits: createCommits(database),
    requests: createRequests(database),
    /** All or nothing, in one transaction with the writes of concurrent requests; resolves after the commit. */
    inGroup: <T>(work: () => T): Promise<T> => database.groupTransaction(work),
    /** All or nothing, as `inTransaction`, but without checks of foreign keys, with which SQLite deletes row by row. */
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
    /** All or nothing; writers of other processes wait until it is over. */
    inTransaction<T>(work: () => T): T {
      return database.transaction(work);
    },
  };
}
