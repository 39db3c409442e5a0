import type { Database } from '../../system/sqlite.ts';
import { type StoredOrder, selectOrder } from './orders.ts';

/** What a list may be narrowed to; times in epoch milliseconds, both ends inclusive, the phone normalised. */
export interface OrderFilters {
  externalOrderId?: string | undefined;
  orderNumber?: string | undefined;
  status?: string | undefined;
  customerPhone?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
}

const conditions: Record<keyof OrderFilters, string> = {
  externalOrderId: 'external_order_id = ?',
  orderNumber: 'order_number = ?',
  status: 'orders.status = ?',
  customerPhone: 'customer_phone = ?',
  createdFrom: 'created_at >= ?',
  createdTo: 'created_at <= ?',
};

const sequences = {
  newest_first: 'created_at DESC, sequence DESC',
  oldest_first: 'created_at, sequence',
  by_id: 'orders.id',
};

export type Sequence = keyof typeof sequences;

export function createOrderList(database: Database) {
  const statements = new Map<string, ReturnType<Database['prepare']>>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return (
    merchantId: number,
    filters: OrderFilters,
    offset: number,
    limit: number,
    sequence: Sequence = 'newest_first',
  ) => {
    const given = Object.keys(conditions).filter((name) => filters[name as keyof OrderFilters] !== undefined);
    const where = ['merchant_id = ?', ...given.map((name) => conditions[name as keyof OrderFilters])].join(
      ' AND ',
    );
    const values = [merchantId, ...given.map((name) => filters[name as keyof OrderFilters])];
    const count = prepared(`SELECT COUNT(*) AS total FROM orders WHERE ${where}`).get(values);
    const page = `ORDER BY ${sequences[sequence]} LIMIT ? OFFSET ?`;
    const orders = prepared(`${selectOrder} WHERE ${where} ${page}`).all([...values, limit, offset]);
    return { orders: orders as StoredOrder[], total: (count as { total: number }).total };
  };
}
