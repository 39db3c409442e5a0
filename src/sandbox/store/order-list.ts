import type { Database } from '../../system/sqlite.ts';
import { type StoredOrder, selectOrder } from './orders.ts';

const sequences = {
  newest_first: 'created_at DESC, sequence DESC',
  latest_first: 'sequence DESC',
};

type Sequence = keyof typeof sequences;

/** Times in epoch milliseconds, both ends inclusive; the phone is normalised. */
export interface OrderFilters {
  externalOrderId?: string | undefined;
  orderNumber?: string | undefined;
  status?: string | undefined;
  customerPhone?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  /** A part of any text in the order, its phone or its number, in any case. */
  search?: string | undefined;
}

const conditions: Record<keyof OrderFilters, string> = {
  externalOrderId: 'external_order_id = ?',
  orderNumber: 'order_number = ?',
  status: 'status = ?',
  customerPhone: 'customer_phone = ?',
  createdFrom: 'created_at >= ?',
  createdTo: 'created_at <= ?',
  search: "instr(lower(concat_ws(' ', order_number, orders.id, customer_phone, body)), lower(?)) > 0",
};

/** Interface section 4.3. Without a merchant, the orders of all. */
export function createOrderList(database: Database) {
  const statements = new Map<string, ReturnType<Database['prepare']>>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return (
    merchantId: number | undefined,
    filters: OrderFilters,
    { offset, limit, sequence = 'newest_first' }: { offset: number; limit: number; sequence?: Sequence },
  ) => {
    const names = Object.keys(conditions) as (keyof OrderFilters)[];
    const given = names.filter((name) => filters[name] !== undefined);
    const where = [ofMerchant(merchantId, filters), ...given.map((name) => conditions[name])].join(' AND ');
    const values = [merchantId, ...given.map((name) => filters[name])].filter((value) => value !== undefined);
    const { total } = prepared(`SELECT COUNT(*) AS total FROM orders WHERE ${where}`).get(...values) as {
      total: number;
    };
    const orders = prepared(pageOf(where, sequences[sequence])).all(...values, limit, offset);
    return { orders: orders as StoredOrder[], total };
  };
}

function ofMerchant(merchantId: number | undefined, { externalOrderId }: OrderFilters): string {
  if (merchantId === undefined) return 'TRUE';
  // The index of external order IDs begins with the client, and every client has one merchant.
  return externalOrderId === undefined
    ? 'merchant_id = ?'
    : 'client_id IN (SELECT id FROM clients WHERE merchant_id = ?)';
}

/** Selects the page from an index alone, then reads only its orders. */
function pageOf(where: string, sequence: string): string {
  return `${selectOrder} WHERE orders.sequence IN (
    SELECT sequence FROM orders WHERE ${where} ORDER BY ${sequence} LIMIT ? OFFSET ?
  ) ORDER BY ${sequence}`;
}
