import { phoneToE164 } from '../../orders/phone.ts';
import type { Database } from '../../system/sqlite.ts';
import { createStatements } from './statements.ts';

/** The form in which phones are compared. */
export function normalisePhone(phone: string): string {
  return phoneToE164(phone) ?? phone.trim();
}

interface CustomerRow {
  id: number;
  merchantId: number;
  phone: string | null;
}

const select = 'SELECT id, merchant_id AS merchantId, phone FROM customers';

/** Customers belong to a merchant, external customer IDs to a client. Phones are normalised. */
export function createCustomers(database: Database) {
  const { change, one, all, value, list, insert } = createStatements(database);
  const row = one<[id: number], CustomerRow>(`${select} WHERE id = ?`);
  const rows = all<[phone: string | undefined, limit: number, offset: number], CustomerRow>(
    `${select} WHERE phone IS IFNULL(?, phone) ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const count = value<[phone: string | undefined], number>(
    'SELECT COUNT(*) FROM customers WHERE phone IS IFNULL(?, phone)',
  );
  const externalIds = list<[id: number], string>(
    'SELECT external_customer_id FROM external_customers WHERE customer_id = ? ORDER BY 1',
  );
  const complete = ({ id, merchantId, phone }: CustomerRow) => ({
    id,
    merchantId,
    phone,
    externalCustomerIds: externalIds(id),
  });
  return {
    find: (id: number) => complete(row(id) as CustomerRow),
    /** Of all merchants, latest first. */
    list: (phone: string | undefined, offset: number, limit: number) => ({
      customers: rows(phone, limit, offset).map(complete),
      total: count(phone) ?? 0,
    }),
    add: insert<[merchantId: number, phone: string | undefined]>(
      'INSERT INTO customers (merchant_id, phone) VALUES (?, ?)',
    ),
    withPhone: list<[merchantId: number, phone: string], number>(
      'SELECT id FROM customers WHERE merchant_id = ? AND phone = ?',
    ),
    withExternalId: value<[clientId: number, externalCustomerId: string], number>(
      'SELECT customer_id FROM external_customers WHERE client_id = ? AND external_customer_id = ?',
    ),
    remember: change<[clientId: number, externalCustomerId: string, merchantId: number, id: number]>(`
      INSERT INTO external_customers (client_id, external_customer_id, merchant_id, customer_id) VALUES (?, ?, ?, ?)
      ON CONFLICT (client_id, external_customer_id) DO UPDATE SET customer_id = excluded.customer_id
    `),
  };
}
