import { type CheckOptions, checkOrder } from '../orders/check-order.ts';
import { formatFieldPath } from '../orders/field-path.ts';
import type { Issue } from '../orders/issue.ts';
import { type Order, tidyOrder } from '../orders/order.ts';
import { type BuildOptions, type BuiltOrder, createOrderBuilder } from './build-order.ts';
import { alternativesOf, type Column, fieldText, type Mapping } from './map/column.ts';
import { isFulfilled } from './map/condition.ts';
import { type Problem, placeOf } from './problem.ts';
import { type RepeatOptions, separateRepeats } from './repeated-rows.ts';
import type { Run } from './row-runs.ts';
import type { Row } from './table.ts';

/** One order of the file: what would be sent, from which rows, and what is wrong with it. */
export interface PlannedOrder {
  externalOrderId: string;
  order: Order;
  rows: Row[];
  /** Rows of this order that were refused as repetitions. */
  repeated: Row[];
  problems: Problem[];
}

export interface OrderOptions
  extends Omit<BuildOptions, 'columns'>,
    RepeatOptions,
    Omit<CheckOptions, 'needsOwnId'> {}

/** Whether an order may be sent. */
export function isSendable({ problems }: PlannedOrder): boolean {
  return problems.every(({ severity }) => severity === 'warning');
}

/** Rows of one order → the order, with all that is wrong with it. */
export function createOrderPlanner(mapping: Mapping, options: OrderOptions): (run: Run) => PlannedOrder {
  const { columns } = mapping;
  const build = createOrderBuilder({ ...options, columns });
  const constants = new Set(options.constants.map(({ path }) => formatFieldPath(path)));
  const ownColumns = columns
    .filter(({ path }) => !constants.has(formatFieldPath(path)))
    .flatMap(alternativesOf);
  const { today, allRules } = options;
  return (run) => {
    const { externalOrderId } = run;
    const { rows, repeated, problems } = separateRepeats(run, options);
    const built = build({ externalOrderId, rows });
    const order = tidyOrder(built.order);
    const issues = checkOrder(order, { today, needsOwnId: true, allRules });
    problems.push(...built.problems, ...refusals(run, mapping));
    for (const issue of issues) problems.push(toProblem(issue, { externalOrderId, rows }, built, ownColumns));
    return { externalOrderId, order, rows, repeated, problems };
  };
}

/** Rows that say that their order is not to be delivered, or not in the currency of the service. */
function refusals({ externalOrderId, rows }: Run, { refuseRowsWhen, currency }: Mapping): Problem[] {
  if (refuseRowsWhen.length === 0 && currency === undefined) return [];
  return rows.flatMap((row) => {
    const refused = refuseRowsWhen.filter((conditions) => isFulfilled(conditions, row.cells));
    const problems: Problem[] = refused.map(([condition]) => ({
      ...{ about: 'order', severity: 'error', code: 'pickup_not_deliverable', externalOrderId },
      ...placeOf(row, condition),
      problem: 'the customer fetches this order; the service only delivers',
      fix: 'take its rows out, or import the others with --on-invalid skip',
    }));
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

function toProblem(
  { path, code, severity, problem, fix, value }: Issue,
  run: Run,
  built: BuiltOrder,
  columns: readonly Column[],
): Problem {
  return {
    ...{ about: 'order', severity, code, problem, fix, path },
    ...(value === undefined ? {} : { value }),
    ...(code === 'phone_damaged' ? { cause: code } : {}),
    externalOrderId: run.externalOrderId,
    ...placeOfField(path, run, built, columns),
  };
}

/** The cell that a field came from; else the row of its line, else the first row. */
function placeOfField(
  path: string,
  { rows }: Run,
  { lineRows }: BuiltOrder,
  columns: readonly Column[],
): Partial<Problem> {
  const line = /^[^.[]+\[(\d+)\]/.exec(path)?.[1];
  const lineRow = line === undefined ? undefined : lineRows[Number(line)];
  for (const column of columns) {
    if (formatFieldPath(column.path, column.isLine ? Number(line) : undefined) !== path) continue;
    const row = (column.isLine && lineRow ? [lineRow] : rows).find(
      ({ cells }) => fieldText(column, cells) !== '',
    );
    if (row !== undefined) return placeOf(row, column);
  }
  return placeOf(lineRow ?? (rows[0] as Row));
}
