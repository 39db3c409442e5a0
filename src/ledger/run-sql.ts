import type { Database } from '../system/sqlite.ts';
import type { Run } from './run-log.ts';

/** A run as the ledger finds its orders. */
export interface RunKey extends Pick<Run, 'id' | 'orders'> {
  client: string;
}

/** What came of an order `o` by now, for a run that did not hear of it: an open attempt may have been settled since. */
const outcomeByNow = `
  CASE o.state
    WHEN 'created' THEN CASE WHEN o.run = :run THEN 'created' ELSE 'already_exists' END
    WHEN 'refused' THEN 'rejected'
    ELSE 'unknown'
  END`;

const columns = `
  o.order_id, o.order_number, o.idempotency_key, o.code AS order_code,
  CASE WHEN o.state = 'created' THEN o.run ELSE '' END AS created_by`;

const lines = `
  FROM run_orders AS l LEFT JOIN orders AS o ON o.client = :client AND o.external_order_id = l.external_order_id
  WHERE l.run = :run`;

/** What was sent, but not told of in a line of its run: it died in between. */
const ordersWithoutLine = `
  FROM orders AS o
  WHERE o.client = :client AND (o.run = :run OR o.holder = :run)
    AND o.external_order_id NOT IN (SELECT external_order_id FROM run_orders WHERE run = :run)`;

export const selectLines = `
  SELECT l.row, l.external_order_id, l.outcome AS told, l.code, l.attempts, ${columns},
    CASE l.outcome WHEN 'unknown' THEN ${outcomeByNow} ELSE l.outcome END AS outcome
  ${lines} ORDER BY l.row`;

export const selectOrdersWithoutLine = `
  SELECT 0 AS row, o.external_order_id, '' AS told, NULL AS code, 0 AS attempts, ${columns},
    ${outcomeByNow} AS outcome
  ${ordersWithoutLine} ORDER BY o.external_order_id`;

/** The lines of a run by outcome. */
export function countLines(database: Database, { id, client }: RunKey): Record<string, number> {
  const counts = toCounts(
    database
      .prepare('SELECT outcome, count(*) AS orders FROM run_orders WHERE run = ? GROUP BY outcome')
      .all(id),
  );
  if (counts.unknown === undefined) return counts;
  const { unknown: _, ...others } = counts;
  const settled = `SELECT ${outcomeByNow} AS outcome, count(*) AS orders ${lines} AND l.outcome = 'unknown' GROUP BY 1`;
  const byNow = toCounts(database.prepare(settled).all({ client, run: id }));
  for (const [outcome, count] of Object.entries(byNow)) others[outcome] = (others[outcome] ?? 0) + count;
  return others;
}

export function countOrdersWithoutLine(database: Database, { id, client }: RunKey): Record<string, number> {
  const select = `SELECT ${outcomeByNow} AS outcome, count(*) AS orders ${ordersWithoutLine} GROUP BY 1`;
  return toCounts(database.prepare(select).all({ client, run: id }));
}

/** The own ids of the orders of a run that were sent, by whatever run, and that nobody knows the end of. */
export function openOrders(database: Database, { id, client }: RunKey): string[] {
  const select = `
    SELECT external_order_id FROM orders
    WHERE client = :client AND state IN ('intent', 'unknown') AND (run = :run OR holder = :run
      OR external_order_id IN (SELECT external_order_id FROM run_orders WHERE run = :run))`;
  const found = database.prepare(select).all({ client, run: id });
  return (found as { external_order_id: string }[]).map((row) => row.external_order_id);
}

function toCounts(rows: unknown[]): Record<string, number> {
  const found = rows as { outcome: string; orders: number }[];
  return Object.fromEntries(found.map(({ outcome, orders }) => [outcome, orders]));
}
