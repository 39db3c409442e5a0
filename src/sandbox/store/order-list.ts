import type { Database } from '../../system/sqlite.ts';
import { createOrderTotal } from './order-total.ts';
import { type StoredOrder, selectOrder } from './orders.ts';

const sequences = {
  newest_first: 'created_at DESC, sequence DESC',
  oldest_first: 'created_at, sequence',
  by_id: 'orders.id',
};

export type Sequence = keyof typeof sequences;

/** The index of the ids, whatever filters there are. */
const byId = 'sqlite_autoindex_orders_1';

/** A step of a walk along the ids reads from all over the file, and costs as much as this many orders in a row. */
const stepCost = 2;

/** Lists the orders of a merchant, with the number of all that the filters let through (interface section 4.3). */
export function createOrderList(database: Database) {
  const statements = new Map<string, ReturnType<Database['prepare']>>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const totalOf = createOrderTotal(prepared);
  const selectLast = database.prepare('SELECT MAX(sequence) AS last FROM orders');
  /** A walk along the ids is taken to meet those that are wanted evenly among all, which few would make long. */
  const isWalkShorter = (total: number, wanted: number) => {
    const { last } = selectLast.get() as { last: number | null };
    return total * total > wanted * (last ?? 0) * stepCost;
  };
  return (
    merchantId: number,
    filters: OrderFilters,
    offset: number,
    limit: number,
    sequence: Sequence = 'newest_first',
  ) => {
    const selection = selectionOf(merchantId, filters);
    const total = totalOf(merchantId, filters, selection);
    const isWalk = sequence === 'by_id' && isWalkShorter(total, offset + limit);
    const page = pageOf(selection.where, isWalk ? byId : selection.index, sequences[sequence]);
    const orders = prepared(page).all([...selection.values, limit, offset]);
    return { orders: orders as StoredOrder[], total };
  };
}

/** The orders of a page are found in an index, and only they are read whole. */
function pageOf(where: string, index: string, sequence: string): string {
  return `${selectOrder} WHERE orders.sequence IN (
    SELECT sequence FROM orders INDEXED BY ${index} WHERE ${where} ORDER BY ${sequence} LIMIT ? OFFSET ?
  ) ORDER BY ${sequence}`;
}

/** What a list may be narrowed to; times in epoch milliseconds, both ends inclusive, the phone normalised. */
export interface OrderFilters {
  externalOrderId?: string | undefined;
  orderNumber?: string | undefined;
  status?: string | undefined;
  customerPhone?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
}

type FilterName = keyof OrderFilters;

const conditions: Record<FilterName, string> = {
  externalOrderId: 'client_id IN (SELECT id FROM clients WHERE merchant_id = ?1) AND external_order_id = ?',
  orderNumber: 'order_number = ?',
  status: 'status = ?',
  customerPhone: 'customer_phone = ?',
  createdFrom: 'created_at >= ?',
  createdTo: 'created_at <= ?',
};

/** Which orders, as SQL with its values, the first of which is the merchant. */
export interface Selection {
  where: string;
  values: (string | number)[];
  /** The index that narrows them the most, and has those it finds in the order of their creation. */
  index: string;
}

export function selectionOf(merchantId: number, filters: OrderFilters): Selection {
  const names = Object.keys(conditions) as FilterName[];
  const given = names.filter((name) => filters[name] !== undefined);
  return {
    where: ['merchant_id = ?1', ...given.map((name) => conditions[name])].join(' AND '),
    values: [merchantId, ...given.flatMap((name) => filters[name] ?? [])],
    index: indexFor(filters),
  };
}

/** Whether the orders are a few at most, since the filters name them. */
export function nameThem({ externalOrderId, orderNumber }: OrderFilters): boolean {
  return externalOrderId !== undefined || orderNumber !== undefined;
}

function indexFor({ externalOrderId, orderNumber, customerPhone, status }: OrderFilters): string {
  if (orderNumber !== undefined) return 'sqlite_autoindex_orders_2';
  if (externalOrderId !== undefined) return 'orders_by_external_id';
  if (customerPhone !== undefined) return 'orders_by_phone';
  return status === undefined ? 'orders_by_creation' : 'orders_by_status';
}
