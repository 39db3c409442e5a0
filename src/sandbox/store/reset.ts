import type { Database } from '../../system/sqlite.ts';
import { createIdentity } from './identity.ts';
import { prepareSchema } from './schema.ts';
import { seedCustomers } from './seed.ts';

const emptied = [
  'idempotency_keys',
  'deliveries',
  'orders',
  'order_numbers',
  'external_customers',
  'customers',
];

/** Empties orders, customers and idempotency keys, and gives a new identity; keys and catalogue stay. */
export function resetSandbox(database: Database, randomUuid: () => string): void {
  prepareSchema(database, randomUuid);
  const reset = database.transaction(() => {
    for (const table of emptied) database.exec(`DELETE FROM ${table}`);
    seedCustomers(database);
    createIdentity(database).renew(randomUuid());
  });
  reset.immediate();
}
