import { type Condition, isFulfilled } from './map/condition.ts';
import type { Run } from './row-runs.ts';

/**
 * An order without the rows that fulfil the conditions. A later row that has nothing in the cells asked about goes
 * the way of the row above it: shops tell what holds for an order on its first row only.
 */
export function withoutSkippedRows(order: Run, conditions: readonly Condition[]): Run {
  if (conditions.length === 0) return order;
  let isSkipped = false;
  const rows = order.rows.filter(({ cells }, index) => {
    const saysNothing = conditions.every((condition) => (cells[condition.index] ?? '') === '');
    if (index === 0 || !saysNothing) isSkipped = isFulfilled(conditions, cells);
    return !isSkipped;
  });
  return { ...order, rows };
}
