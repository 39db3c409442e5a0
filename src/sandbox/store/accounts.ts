import type { Database } from '../../system/sqlite.ts';
import { createStatements } from './statements.ts';

/** The owner of an API key (interface section 5). */
export interface Caller {
  merchantId: number;
  clientId: number;
  scopes: readonly string[];
}

interface Owner extends Caller {
  key: string;
}

const selectOwners = `
  SELECT api_keys.key, clients.merchant_id AS merchantId, clients.id AS clientId, api_keys.scopes
  FROM api_keys JOIN clients ON clients.id = api_keys.client_id
`;

/** The scopes that are given are separated by spaces. */
export function createAccounts(database: Database) {
  const { change, one, all, insert } = createStatements(database);
  const owner = one<[key: string], OwnerRow>(`${selectOwners} WHERE api_keys.key = ?`);
  const owners = all<[], OwnerRow>(`${selectOwners} ORDER BY api_keys.rowid`);
  return {
    addMerchant: insert<[]>('INSERT INTO merchants DEFAULT VALUES'),
    addClient: insert<[merchantId: number]>('INSERT INTO clients (merchant_id) VALUES (?)'),
    addKey: insert<[clientId: number, scopes: string, key: string]>(
      'INSERT INTO api_keys (client_id, scopes, key) VALUES (?, ?, ?)',
    ),
    setScopes: change<[scopes: string, key: string]>('UPDATE api_keys SET scopes = ? WHERE key = ?'),
    removeKey: change<[key: string]>('DELETE FROM api_keys WHERE key = ?'),
    /** Their keys and orders must be gone. */
    removeOtherClients: change<[clientId: number]>('DELETE FROM clients WHERE id <> ?'),
    removeOtherMerchants: change<[merchantId: number]>('DELETE FROM merchants WHERE id <> ?'),
    owners: (): Owner[] => owners().map(toOwner),
    keyOf: (clientId: number, scopes: string): string | undefined =>
      owners().find((row) => row.clientId === clientId && row.scopes === scopes)?.key,
    findCaller(key: string): Caller | undefined {
      const row = owner(key);
      return row && toOwner(row);
    },
  };
}

type OwnerRow = Omit<Owner, 'scopes'> & { scopes: string };

function toOwner({ key, merchantId, clientId, scopes }: OwnerRow): Owner {
  return { key, merchantId, clientId, scopes: scopes.split(' ').filter(Boolean) };
}
