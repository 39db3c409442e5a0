import type { Database } from '../../system/sqlite.ts';
import type { Caller } from './accounts.ts';

/** The customers of each merchant, and the external customer ids of each client. Phones are normalised. */
export function createCustomers(database: Database) {
  const insert = database.prepare('INSERT INTO customers (merchant_id, phone) VALUES (?, ?) RETURNING id');
  const updatePhone = database.prepare('UPDATE customers SET phone = ? WHERE merchant_id = ? AND phone = ?');
  const selectPhone = database.prepare('SELECT phone FROM customers WHERE id = ?');
  const selectByPhone = database.prepare('SELECT id FROM customers WHERE merchant_id = ? AND phone = ?');
  const selectByExternalId = database.prepare(`
    SELECT customer_id AS id FROM external_customers WHERE client_id = ? AND external_customer_id = ?
  `);
  const insertExternalId = database.prepare(`
    INSERT INTO external_customers (client_id, external_customer_id, merchant_id, customer_id) VALUES (?, ?, ?, ?)
    ON CONFLICT (client_id, external_customer_id) DO UPDATE SET customer_id = excluded.customer_id
  `);
  return {
    add: (merchantId: number, phone: string | undefined): number =>
      (insert.get(merchantId, phone ?? null) as { id: number }).id,
    phoneOf: (id: number): string | undefined =>
      (selectPhone.get(id) as { phone: string | null }).phone ?? undefined,
    withPhone: (merchantId: number, phone: string): number[] =>
      (selectByPhone.all(merchantId, phone) as { id: number }[]).map((row) => row.id),
    withExternalId: (clientId: number, externalCustomerId: string): number | undefined =>
      (selectByExternalId.get(clientId, externalCustomerId) as { id: number } | undefined)?.id,
    changePhone(merchantId: number, from: string, to: string): void {
      updatePhone.run(to, merchantId, from);
    },
    remember({ merchantId, clientId }: Caller, externalCustomerId: string, id: number): void {
      insertExternalId.run(clientId, externalCustomerId, merchantId, id);
    },
  };
}
