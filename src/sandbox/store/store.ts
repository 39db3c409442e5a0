import type { Database } from '../../system/sqlite.ts';
import { createAccounts } from './accounts.ts';
import { createCommits } from './commits.ts';
import { createCustomers } from './customers.ts';
import { createDeliveries } from './deliveries.ts';
import { createIdempotency } from './idempotency.ts';
import { createIdentity } from './identity.ts';
import { createOrderList } from './order-list.ts';
import { createOrders } from './orders.ts';
import { createProducts } from './products.ts';
import { prepareSchema } from './schema.ts';

export type Store = ReturnType<typeof openStore>;

/** The state of the sandbox in a database, whose tables are made when it has none. */
export function openStore(database: Database, randomUuid: () => string) {
  prepareSchema(database, randomUuid);
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
    /** All or nothing, and alone: other writers, of other processes too, wait until it is over. */
    inTransaction<T>(work: () => T): T {
      return database.transaction(work).immediate();
    },
  };
}
