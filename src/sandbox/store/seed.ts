import type { Database } from '../../system/sqlite.ts';
import type { Behaviour } from '../behaviour/behaviour.ts';
import { normalisePhone } from '../behaviour/phones.ts';
import { createAccounts } from './accounts.ts';
import { createCustomers } from './customers.ts';
import { createIdentity } from './identity.ts';
import type { Store } from './store.ts';

/** Two customers of the seeded merchant share this phone, so that an order for it is ambiguous. */
export const sharedPhone = '+97699000000';

/** The merchant and the client that the first rows of a new database are. */
export const seededMerchantId = 1;
export const seededClientId = 1;

export const keyPrefix = 'sandbox_';
export const allScopes = 'orders:read orders:write';
export const readScopes = 'orders:read';

export function newKey(randomUuid: () => string): string {
  return keyPrefix + randomUuid().replaceAll('-', '');
}

/** What a new database holds: a merchant, its client, that client's two keys, and the sample customers. */
export function seed(database: Database, randomUuid: () => string): void {
  const accounts = createAccounts(database);
  const clientId = accounts.addClient(accounts.addMerchant());
  for (const scopes of [allScopes, readScopes]) {
    accounts.addKey(clientId, scopes, newKey(randomUuid));
  }
  seedCustomers(database);
  createIdentity(database).renew(randomUuid());
}

/** Spells the shared phone as a behaviour compares phones, so that it is ambiguous under each. */
export function respellSharedPhone(
  { customers }: Pick<Store, 'customers'>,
  behaviour: Behaviour['customers']['phone'],
): void {
  const wanted = normalisePhone[behaviour](sharedPhone);
  for (const normalise of Object.values(normalisePhone)) {
    const spelling = normalise(sharedPhone);
    if (spelling !== wanted) customers.respell(seededMerchantId, spelling, wanted);
  }
}

export function seedCustomers(database: Database): void {
  const customers = createCustomers(database);
  customers.add(seededMerchantId, sharedPhone);
  customers.add(seededMerchantId, sharedPhone);
}
