import type { Database } from '../../system/sqlite.ts';
import { type OrderFilters, selectionOf } from './order-filters.ts';
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
