import { type CheckOptions, checkOrder } from '../../orders/check-order.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import type { Issue } from '../../orders/issue.ts';
import { type Order, tidyOrder } from '../../orders/order.ts';
import { damageOf } from '../cells/cell-damage.ts';
import { alternativesOf, type Column, fieldText, type Mapping } from '../map/column.ts';
import { type Problem, placeOf } from '../problem.ts';
import type { Row } from '../table/table.ts';
import { type BuildOptions, type BuiltOrder, createOrderBuilder } from './build-order.ts';
import { type RepeatOptions, repeatedHeaders, separateRepeats } from './repeated-rows.ts';
import { refusalsOf } from './row-conditions.ts';
import type { Run } from './row-runs.ts';

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
    const headers = repeatedHeaders(run, columns);
    if (headers.length === run.rows.length) {
      return { externalOrderId, order: {}, rows: run.rows, repeated: [], problems: headers };
    }
    const { rows, repeated, problems } = separateRepeats(run, repeatOptionsOf(run, options));
    const built = build({ externalOrderId, rows });
    const order = tidyOrder(built.order);
    const issues = checkOrder(order, { today, allRules });
    problems.push(...headers, ...built.problems, ...refusalsOf(run.rows, externalOrderId, mapping));
    const damaged = new Set(built.problems.flatMap(({ code, path }) => (damageCodes.has(code) ? path : [])));
    // What is wrong with a text that is damaged is that it is damaged.
    const others = issues.filter(({ path }) => path === undefined || !damaged.has(path));
    for (const issue of others) problems.push(toProblem(issue, { externalOrderId, rows }, built, ownColumns));
    return { externalOrderId, order, rows, repeated, problems };
  };
}

const damageCodes: ReadonlySet<string> = new Set([
  ...['number_damaged', 'text_damaged', 'spreadsheet_error', 'value_hidden'],
]);

/** Under an id that lost its digits, rows that look alike are those of different orders. */
function repeatOptionsOf({ externalOrderId, rows }: Run, options: RepeatOptions): RepeatOptions {
  const mayBeSeveral = rows.length > 1 && damageOf(externalOrderId)?.code === 'number_damaged';
  return mayBeSeveral ? { oneRowPerOrder: false, repeatedRowsAreLines: true } : options;
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
