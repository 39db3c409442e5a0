import type { Database } from '../../system/sqlite.ts';

/** The owner of an API key (interface section 5). */
export interface Caller {
  merchantId: number;
  clientId: number;
  scopes: readonly string[];
}

interface KeyRow {
  merchantId: number;
  clientId: number;
  scopes: string;
}

export function createAccounts(database: Database) {
  const insertMerchant = database.prepare('INSERT INTO merchants DEFAULT VALUES RETURNING id');
  const insertClient = database.prepare('INSERT INTO clients (merchant_id) VALUES (?) RETURNING id');
  const insertKey = database.prepare('INSERT INTO api_keys (key, client_id, scopes) VALUES (?, ?, ?)');
  const selectKey = database.prepare(
    'SELECT key FROM api_keys WHERE client_id = ? AND scopes = ? ORDER BY rowid LIMIT 1',
  );
  const selectKeys = database.prepare('SELECT key FROM api_keys');
  const updateScopes = database.prepare('UPDATE api_keys SET scopes = ? WHERE key = ?');
  const deleteKey = database.prepare('DELETE FROM api_keys WHERE key = ?');
  const deleteOtherClients = database.prepare('DELETE FROM clients WHERE id <> ?');
  const deleteOtherMerchants = database.prepare('DELETE FROM merchants WHERE id <> ?');
  const selectCaller = database.prepare(`
    SELECT clients.merchant_id AS merchantId, clients.id AS clientId, api_keys.scopes
    FROM api_keys JOIN clients ON clients.id = api_keys.client_id
    WHERE api_keys.key = ?
  `);
  const selectOwners = database.prepare(`
    SELECT api_keys.key, clients.merchant_id AS merchantId, clients.id AS clientId, api_keys.scopes
    FROM api_keys JOIN clients ON clients.id = api_keys.client_id ORDER BY api_keys.rowid
  `);
  return {
    addMerchant: (): number => (insertMerchant.get() as { id: number }).id,
    addClient: (merchantId: number): number => (insertClient.get(merchantId) as { id: number }).id,
    /** `scopes` are separated by spaces. */
    addKey(clientId: number, scopes: string, key: string): string {
      insertKey.run(key, clientId, scopes);
      return key;
    },
    owners: () =>
      (selectOwners.all() as (KeyRow & { key: string })[]).map((row) => ({ ...row, scopes: scopesOf(row) })),
    /** Returns whether the key exists. */
    setScopes(key: string, scopes: string): boolean {
      return updateScopes.run(scopes, key).changes > 0;
    },
    removeKey(key: string): boolean {
      return deleteKey.run(key).changes > 0;
    },
    /** Removes all other merchants and clients, whose keys and orders must be gone. */
    removeOthers(merchantId: number, clientId: number): void {
      deleteOtherClients.run(clientId);
      deleteOtherMerchants.run(merchantId);
    },
    keys: (): string[] => (selectKeys.all() as { key: string }[]).map(({ key }) => key),
    keyOf: (clientId: number, scopes: string): string | undefined =>
      (selectKey.get(clientId, scopes) as { key: string } | undefined)?.key,
    findCaller(key: string): Caller | undefined {
      const row = selectCaller.get(key) as KeyRow | undefined;
      return row && { merchantId: row.merchantId, clientId: row.clientId, scopes: scopesOf(row) };
    },
  };
}

function scopesOf({ scopes }: KeyRow): string[] {
  return scopes.split(' ').filter(Boolean);
}
