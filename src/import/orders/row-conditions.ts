import type { Mapping, RowRefusal } from '../map/column.ts';
import { type Condition, isFulfilled } from '../map/condition.ts';
import { type Problem, placeOf } from '../problem.ts';
import type { Row } from '../table/table.ts';
import type { Run } from './row-runs.ts';

type Told = Pick<Problem, 'code' | 'problem' | 'fix'>;

const fix = 'take its rows out, or import the others with --on-invalid skip';
const pickup: Told = {
  code: 'pickup_not_deliverable',
  problem: 'the customer fetches this order; the service only delivers',
  fix,
};
const reasons: Record<RowRefusal['reason'], Told> = {
  pickup,
  // What a mapping refuses is what only the merchant can tell from a delivery.
  mapping: pickup,
  cancelled: { code: 'cancelled_in_shop', problem: 'the shop says that this order is off', fix },
};

/** Rows that say that their order is not to be delivered, or not in the currency of the service. */
export function refusalsOf(
  rows: readonly Row[],
  externalOrderId: string,
  { refuseRowsWhen, currency }: Mapping,
): Problem[] {
  if (refuseRowsWhen.length === 0 && currency === undefined) return [];
  return rows.flatMap((row) => {
    const refused = refuseRowsWhen.filter(({ conditions }) => isFulfilled(conditions, row.cells));
    const problems = refused.map(({ reason, conditions: [condition] }): Problem => {
      const { value, ...place } = placeOf(row, condition);
      return {
        ...{ about: 'order', severity: 'error', externalOrderId },
        ...reasons[reason],
        ...place,
        ...(value === undefined ? {} : { value }),
      };
    });
    const unit = currency === undefined ? '' : (row.cells[currency.index] ?? '');
    if (unit === '' || unit.toUpperCase() === 'MNT') return problems;
    return [
      ...problems,
      {
        ...{ about: 'order', severity: 'warning', code: 'currency_not_mnt', externalOrderId },
        ...placeOf(row, currency),
        problem: 'the service takes every amount for MNT',
        fix: 'leave the amounts out, or give them in MNT',
      },
    ];
  });
}

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
