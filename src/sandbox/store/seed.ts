import type { Database } from '../../system/sqlite.ts';
import { createAccounts } from './accounts.ts';
import { createCustomers } from './customers.ts';
import { createIdentity } from './identity.ts';

/** Two customers of the seeded merchant share this phone, so an order for it is ambiguous. */
export const sharedPhone = '+97699000000';

export const seededMerchantId = 1;
export const seededClientId = 1;

export const keyPrefix = 'sandbox_';
export const allScopes = 'orders:read orders:write';
export const readScopes = 'orders:read';

export function newKey(randomUuid: () => string): string {
  return keyPrefix + randomUuid().replaceAll('-', '');
}

export function seed(database: Database, randomUuid: () => string): void {
  const accounts = createAccounts(database);
  const clientId = accounts.addClient(accounts.addMerchant());
  for (const scopes of [allScopes, readScopes]) {
    accounts.addKey(clientId, scopes, newKey(randomUuid));
  }
  seedCustomers(createCustomers(database));
  createIdentity(database).renew(randomUuid());
}

export function seedCustomers(customers: ReturnType<typeof createCustomers>): void {
  customers.add(seededMerchantId, sharedPhone);
  customers.add(seededMerchantId, sharedPhone);
}
