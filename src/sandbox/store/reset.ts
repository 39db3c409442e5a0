import type { Database } from '../../system/sqlite.ts';
import { openStore, type Store } from './store.ts';

/** Empties orders, customers, idempotency keys and the record, and gives a new identity; keys and catalogue stay. */
export function resetSandbox(database: Database, randomUuid: () => string): void {
  emptyStore(openStore(database, randomUuid), randomUuid);
}

export function emptyStore(store: Store, randomUuid: () => string): void {
  store.inTransaction(() => store.empty(randomUuid()));
}
