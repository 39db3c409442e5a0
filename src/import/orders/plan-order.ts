import { type CheckOptions, checkOrder } from '../../orders/check-order.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import type { Issue } from '../../orders/issue.ts';
import { type Order, tidyOrder } from '../../orders/order.ts';
import { alternativesOf, type Column, fieldText, locationOf, type Mapping } from '../map/column.ts';
import type { Problem } from '../problem.ts';
import type { Row } from '../table/read-table.ts';
import { findDamage } from '../text-damage.ts';
import { type BuildOptions, type BuiltOrder, createOrderBuilder } from './build-order.ts';
import type { RowGroup } from './read-orders.ts';
import { findRepeatedHeaders, type RepeatOptions, separateRepeats } from './repeated-rows.ts';
import { checkRowConditions } from './row-conditions.ts';

export interface PlannedOrder {
  externalOrderId: string;
  order: Order;
  rows: Row[];
  /** Further rows of the order that repeat others. */
  repeated: Row[];
  problems: Problem[];
}

export interface OrderOptions
  extends Omit<BuildOptions, 'columns'>,
    RepeatOptions,
    Omit<CheckOptions, 'needsOwnId'> {}

export function isSendable({ problems }: PlannedOrder): boolean {
  return problems.every(({ severity }) => severity === 'warning');
}

export function createOrderPlanner(
  mapping: Mapping,
  options: OrderOptions,
): (group: RowGroup) => PlannedOrder {
  const { columns } = mapping;
  const build = createOrderBuilder({ ...options, columns });
  const constants = new Set(options.constants.map(({ path }) => formatFieldPath(path)));
  const readColumns = columns
    .filter(({ path }) => !constants.has(formatFieldPath(path)))
    .flatMap(alternativesOf);
  const { today, allRules } = options;
  return (group) => {
    const { externalOrderId } = group;
    const headers = findRepeatedHeaders(group, columns);
    if (headers.length === group.rows.length) {
      return { externalOrderId, order: {}, rows: group.rows, repeated: [], problems: headers };
    }
    const { rows, repeated, problems } = separateRepeats(group, repeatOptionsOf(group, options));
    const built = build({ externalOrderId, rows });
    const order = tidyOrder(built.order);
    const issues = checkOrder(order, { today, allRules });
    problems.push(...headers, ...built.problems, ...checkRowConditions(group, mapping));
    const damaged = new Set(built.problems.flatMap(({ code, path }) => (damageCodes.has(code) ? path : [])));
    // Other checks of a damaged text would only repeat that it is damaged.
    const others = issues.filter(({ path }) => path === undefined || !damaged.has(path));
    for (const issue of others)
      problems.push(toProblem(issue, { externalOrderId, rows }, built, readColumns));
    return { externalOrderId, order, rows, repeated, problems };
  };
}

const damageCodes: ReadonlySet<string> = new Set([
  'number_damaged',
  'text_damaged',
  'spreadsheet_error',
  'value_hidden',
]);

/** Equal rows under an ID that lost its digits may belong to different orders, so they are not repetitions. */
function repeatOptionsOf({ externalOrderId, rows }: RowGroup, options: RepeatOptions): RepeatOptions {
  const mayBeSeveral = rows.length > 1 && findDamage(externalOrderId)?.code === 'number_damaged';
  return mayBeSeveral ? { oneRowPerOrder: false, repeatedRowsAreLines: true } : options;
}

function toProblem(
  { path, code, severity, problem, fix, value }: Issue,
  group: RowGroup,
  built: BuiltOrder,
  columns: readonly Column[],
): Problem {
  return {
    about: 'order',
    severity,
    code,
    problem,
    fix,
    path,
    ...(value === undefined ? {} : { value }),
    ...(code === 'phone_damaged' ? { cause: code } : {}),
    externalOrderId: group.externalOrderId,
    ...locateField(path, group, built, columns),
  };
}

/** The cell that fills a field; without one the row of its line, or the first row. */
function locateField(
  path: string,
  { rows }: RowGroup,
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
    if (row !== undefined) return locationOf(row, column);
  }
  return locationOf(lineRow ?? (rows[0] as Row));
}
