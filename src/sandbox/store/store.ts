import type { Database } from '../../system/sqlite.ts';
import { createAccounts } from './accounts.ts';
import { createCustomers } from './customers.ts';
import { createIdempotency } from './idempotency.ts';
import { createIdentity } from './identity.ts';
import { createOrderList } from './order-list.ts';
import { createCommits, createDeliveries, createOrders } from './orders.ts';
import { createProducts } from './products.ts';
import { createRequests } from './requests.ts';
import { prepareSchema } from './schema.ts';
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

/** The state of the sandbox in a database, whose tables are made when it has none. */
export function openStore(database: Database, randomUuid: () => string) {
  // Pages that are written again and again, as those of an index are, wait for a checkpoint together.
  database.exec('PRAGMA wal_autocheckpoint = 8000');
  prepareSchema(database, randomUuid);
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
    /** All or nothing, in one transaction with what comes at the same time; resolved once it is committed. */
    inGroup: <T>(work: () => T): Promise<T> => database.groupTransaction(work),
    /** Inside a transaction: what only a new database has stays, and the API keys and the catalogue. */
    empty(newIdentity: string): void {
      for (const table of emptied) database.exec(`DELETE FROM ${table}`);
      seedCustomers(database);
      identity.renew(newIdentity);
    },
    /** All or nothing, and alone: other writers, of other processes too, wait until it is over. */
    inTransaction<T>(work: () => T): T {
      return database.transaction(work);
    },
  };
}
