import { randomUUID } from 'node:crypto';
import { allScopes, readScopes, seededClientId, seededMerchantId } from '../../../src/sandbox/store/seed.ts';
import type { KeyName } from './case-shape.ts';
import type { Service } from './start-service.ts';

/** Ids of the merchants by their names in a case. */
export interface Merchants {
  own: number;
  'other merchant': number;
}

/** Creates merchants, clients and keys, which the API cannot create. */
export function addKeys({ apiKey, store: { accounts } }: Service) {
  const merchants: Merchants = { own: seededMerchantId, 'other merchant': accounts.addMerchant() };
  const add = (clientId: number, scopes: string) => {
    const key = `sandbox_${randomUUID()}`;
    accounts.addKey(clientId, scopes, key);
    return key;
  };
  const keys: Record<Exclude<KeyName, 'none'>, string> = {
    own: apiKey,
    'read-only': add(seededClientId, readScopes),
    'write-only': add(seededClientId, 'orders:write'),
    'other client': add(accounts.addClient(merchants.own), allScopes),
    'other merchant': add(accounts.addClient(merchants['other merchant']), allScopes),
    unknown: `sandbox_${randomUUID()}`,
  };
  return { merchants, keys };
}
