import type { Database } from '../../system/sqlite.ts';
import { createAccounts } from './accounts.ts';
import { createCustomers } from './customers.ts';
import { createIdempotency } from './idempotency.ts';
import { createIdentity } from './identity.ts';
import { createOrderList } from './order-list.ts';
import { createCommits, createDeliveries, createOrders } from './orders.ts';
import { createProducts } from './products.ts';
import { createRequests } from './requests.ts';
import { seedCustomers } from './seed.ts';

const emptied = [
  'requests',
  'idempotency_keys',
  'deliveries',
  'orders',
  'order_numbers',
  'external_customers',
  'customers',
];

export type Store = ReturnType<typeof openStore>;

/** The state of the sandbox in a database that was opened with `sandboxSchema`. */
export function openStore(database: Database) {
  // Index pages are written again and again: rare checkpoints write each of them once.
  database.exec('PRAGMA wal_autocheckpoint = 8000');
  const identity = createIdentity(database);
  return {
    identity,
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
    /** Inside a transaction. API keys and the catalogue stay. */
    empty(newIdentity: string): void {
      for (const table of emptied) database.exec(`DELETE FROM ${table}`);
      seedCustomers(database);
      identity.renew(newIdentity);
    },
    /** All or nothing; writers of other processes wait until it is over. */
    inTransaction<T>(work: () => T): T {
      return database.transaction(work);
    },
  };
}

/**
 * Deletes orders, customers, idempotency keys and the request log, and renews the identity; API keys and catalogue
 * stay.
 */
export function resetSandbox(database: Database, randomUuid: () => string): void {
  emptyStore(openStore(database), randomUuid);
}

export function emptyStore(store: Store, randomUuid: () => string): void {
  store.inTransaction(() => store.empty(randomUuid()));
}
