import { phoneToE164 } from '../../orders/phone.ts';
import type { Database } from '../../system/sqlite.ts';
import type { Caller } from './accounts.ts';

/** The form in which phones are compared. */
export function normalisePhone(phone: string): string {
  return phoneToE164(phone) ?? phone.trim();
}

interface Customer {
  id: number;
  merchantId: number;
  phone: string | null;
  externalCustomerIds: string[];
}

const selectCustomer = 'SELECT id, merchant_id AS merchantId, phone FROM customers';
const withPhone = 'merchant_id IN (SELECT id FROM merchants) AND phone = ?';

/** Customers belong to a merchant, external customer IDs to a client. Phones are normalised. */
export function createCustomers(database: Database) {
  const insert = database.prepare('INSERT INTO customers (merchant_id, phone) VALUES (?, ?) RETURNING id');
  const selectPhone = database.prepare('SELECT phone FROM customers WHERE id = ?');
  const selectByPhone = database.prepare('SELECT id FROM customers WHERE merchant_id = ? AND phone = ?');
  const selectByExternalId = database.prepare(`
    SELECT customer_id AS id FROM external_customers WHERE client_id = ? AND external_customer_id = ?
  `);
  const insertExternalId = database.prepare(`
    INSERT INTO external_customers (client_id, external_customer_id, merchant_id, customer_id) VALUES (?, ?, ?, ?)
    ON CONFLICT (client_id, external_customer_id) DO UPDATE SET customer_id = excluded.customer_id
  `);
  const select = database.prepare(`${selectCustomer} WHERE id = ?`);
  const selectIds = database.prepare(
    'SELECT external_customer_id AS id FROM external_customers WHERE customer_id = ? ORDER BY 1',
  );
  const selectAll = database.prepare(`${selectCustomer} ORDER BY id DESC LIMIT ? OFFSET ?`);
  const selectPhones = database.prepare(
    `${selectCustomer} WHERE ${withPhone} ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const countAll = database.prepare('SELECT COUNT(*) AS number FROM customers');
  const countPhones = database.prepare(`SELECT COUNT(*) AS number FROM customers WHERE ${withPhone}`);
  const complete = ({ id, merchantId, phone }: Omit<Customer, 'externalCustomerIds'>): Customer => ({
    id,
    merchantId,
    phone,
    externalCustomerIds: (selectIds.all(id) as { id: string }[]).map((row) => row.id),
  });
  return {
    find: (id: number): Customer => complete(select.get(id) as Customer),
    /** Of all merchants, latest first. */
    list(phone: string | undefined, offset: number, limit: number): { customers: Customer[]; total: number } {
      const values = phone === undefined ? [] : [phone];
      const [page, count] = phone === undefined ? [selectAll, countAll] : [selectPhones, countPhones];
      const { number: total } = count.get(...values) as { number: number };
      return { customers: (page.all(...values, limit, offset) as Customer[]).map(complete), total };
    },
    add: (merchantId: number, phone: string | undefined): number =>
      (insert.get(merchantId, phone ?? null) as { id: number }).id,
    phoneOf: (id: number): string | undefined =>
      (selectPhone.get(id) as { phone: string | null }).phone ?? undefined,
    withPhone: (merchantId: number, phone: string): number[] =>
      (selectByPhone.all(merchantId, phone) as { id: number }[]).map((row) => row.id),
    withExternalId: (clientId: number, externalCustomerId: string): number | undefined =>
      (selectByExternalId.get(clientId, externalCustomerId) as { id: number } | undefined)?.id,
    remember({ merchantId, clientId }: Caller, externalCustomerId: string, id: number): void {
      insertExternalId.run(clientId, externalCustomerId, merchantId, id);
    },
  };
}
