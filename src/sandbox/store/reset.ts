import type { Database } from '../../system/sqlite.ts';
import { storeKeys } from './credentials.ts';
import type { Product } from './products.ts';
import { allScopes, readScopes, seedCustomers, seededClientId, seededMerchantId } from './seed.ts';
import { openStore, type Store } from './store.ts';

/** What a full reset restores. */
export interface InitialState {
  keys: ReturnType<typeof storeKeys>;
  catalogue: readonly Product[];
}

const emptied = [
  'requests',
  'counted_requests',
  'idempotency_keys',
  'deliveries',
  'orders',
  'order_numbers',
  'external_customers',
  'customers',
];

/** Renews the identity. API keys and catalogue stay, unless there is an initial state. */
export function resetStore(store: Store, randomUuid: () => string, initial?: InitialState): void {
  store.inBulkTransaction(() => {
    store.clear(emptied);
    if (initial) restore(store, initial);
    seedCustomers(store.customers);
    store.identity.renew(randomUuid());
  });
}

function restore({ clear, accounts, products }: Store, { keys, catalogue }: InitialState): void {
  clear(['api_keys', 'products']);
  accounts.removeOtherClients(seededClientId);
  accounts.removeOtherMerchants(seededMerchantId);
  accounts.addKey(seededClientId, allScopes, keys.apiKey);
  accounts.addKey(seededClientId, readScopes, keys.readOnlyApiKey);
  products.put(seededMerchantId, catalogue);
}

/** `everything` also replaces the catalogue, and removes all API keys but the two that the sandbox shows. */
export function resetSandbox(
  database: Database,
  randomUuid: () => string,
  { everything }: { everything?: Pick<InitialState, 'catalogue'> } = {},
): void {
  const store = openStore(database);
  const keys = store.inTransaction(() => storeKeys(store, {}, randomUuid));
  resetStore(store, randomUuid, everything && { keys, ...everything });
}
