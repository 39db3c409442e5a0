import {
  type Condition,
  locationOf,
  type Mapping,
  meetsAll,
  type NotDeliverableRule,
} from '../map/column.ts';
import type { Problem } from '../problem.ts';
import type { Row } from '../table/read-table.ts';
import type { RowGroup } from './read-orders.ts';

type Reason = Pick<Problem, 'code' | 'problem' | 'fix'>;

const fix = 'remove its rows, or import the other orders with --on-invalid skip';
const pickup: Reason = {
  code: 'pickup_not_deliverable',
  problem: 'the customer picks this order up; the service only delivers',
  fix,
};
const reasons: Record<NotDeliverableRule['reason'], Reason> = {
  pickup,
  mapping: pickup,
  cancelled: { code: 'cancelled_in_shop', problem: 'the order is cancelled in the shop', fix },
};

/** The rows of an order that say it is not to be delivered, or that its amounts are not in MNT. */
export function checkRowConditions(
  { externalOrderId, rows }: RowGroup,
  { notDeliverableWhen, currency }: Mapping,
): Problem[] {
  if (notDeliverableWhen.length === 0 && currency === undefined) return [];
  return rows.flatMap((row) => {
    const problems = notDeliverableWhen
      .filter(({ conditions }) => meetsAll(conditions, row.cells))
      .map(
        ({ reason, conditions: [condition] }): Problem => ({
          about: 'order',
          severity: 'error',
          externalOrderId,
          ...reasons[reason],
          ...locationOf(row, condition),
        }),
      );
    if (currency !== undefined) problems.push(...checkCurrency(row, currency, externalOrderId));
    return problems;
  });
}

function checkCurrency(
  row: Row,
  column: NonNullable<Mapping['currency']>,
  externalOrderId: string,
): Problem[] {
  const currency = row.cells[column.index] ?? '';
  if (currency === '' || currency.toUpperCase() === 'MNT') return [];
  return [
    {
      about: 'order',
      severity: 'warning',
      code: 'currency_not_mnt',
      externalOrderId,
      ...locationOf(row, column),
      problem: 'the service takes every amount as MNT',
      fix: 'leave the amounts out, or give them in MNT',
    },
  ];
}

/**
 * The order without the rows that meet all conditions. A later row with blank cells in these columns is kept or left
 * out with the row above it: shops fill cells of the order on its first row only.
 */
export function withoutSkippedRows(order: RowGroup, conditions: readonly Condition[]): RowGroup {
  if (conditions.length === 0) return order;
  let isSkipped = false;
  const rows = order.rows.filter(({ cells }, index) => {
    const isBlank = conditions.every((condition) => (cells[condition.index] ?? '') === '');
    if (index === 0 || !isBlank) isSkipped = meetsAll(conditions, cells);
    return !isSkipped;
  });
  return { externalOrderId: order.externalOrderId, rows };
}
