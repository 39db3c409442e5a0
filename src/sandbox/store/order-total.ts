import type { Database } from '../../system/sqlite.ts';
import type { OrderFilters, Selection } from './order-list.ts';

/** How many orders are selected: summed up where none is named and no phone, else counted one by one. */
export function createOrderTotal(prepared: (sql: string) => ReturnType<Database['prepare']>) {
  const totalOf = (sql: string, values: (string | number)[]) =>
    (prepared(sql).get(values) as { total: number }).total;
  return (merchantId: number, filters: OrderFilters, { where, index, values }: Selection): number => {
    const { externalOrderId, orderNumber, customerPhone, status, createdFrom, createdTo } = filters;
    if ((externalOrderId ?? orderNumber ?? customerPhone) !== undefined) {
      return totalOf(`SELECT COUNT(*) AS total FROM orders INDEXED BY ${index} WHERE ${where}`, values);
    }
    const counts = `order_counts WHERE merchant_id = ?${status === undefined ? '' : ' AND status = ?'}`;
    const scope = [merchantId, ...(status === undefined ? [] : [status])];
    if (createdFrom === undefined && createdTo === undefined) {
      return totalOf(`SELECT TOTAL(orders) AS total FROM ${counts}`, scope);
    }
    const first = createdFrom ?? Number.MIN_SAFE_INTEGER;
    const last = createdTo ?? Number.MAX_SAFE_INTEGER;
    return totalOf(sumWithin(counts), [...scope, first, last]);
  };
}

/** Only the orders of the rows in which the time begins and ends are counted one by one. */
function sumWithin(counts: string): string {
  return `
    WITH
      counts AS (
        SELECT *, LEAD(since, 1, ${Number.MAX_SAFE_INTEGER}) OVER (PARTITION BY status ORDER BY since) - 1 AS until
        FROM ${counts}
      ),
      time (first, last) AS (VALUES (?, ?))
    SELECT TOTAL(
      CASE WHEN since >= first AND until <= last THEN orders
      ELSE (
        SELECT COUNT(*) FROM orders INDEXED BY orders_by_status
        WHERE merchant_id = counts.merchant_id AND status = counts.status
          AND created_at BETWEEN MAX(since, first) AND MIN(until, last)
      ) END
    ) AS total
    FROM time, counts WHERE until >= first AND since <= last
  `;
}
