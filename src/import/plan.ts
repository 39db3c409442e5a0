import type { Assignment } from '../orders/assignment.ts';
import { checkOrder } from '../orders/check-order.ts';
import type { Issue } from '../orders/issue.ts';
import { type Order, tidyOrder } from '../orders/order.ts';
import { type BuiltOrder, buildOrder } from './build-order.ts';
import type { Mapping } from './column.ts';
import { type GroupOptions, groupRows, type RowGroup } from './group-rows.ts';
import { blankHeaderProblem, mapHeader } from './map-header.ts';
import { type Problem, placeOf } from './problem.ts';
import type { Row, Table } from './table.ts';

export interface PlanOptions extends Omit<GroupOptions, 'columns'> {
  /** Fields that every order gets. */
  constants: readonly Assignment[];
  /** Today where the user is, `YYYY-MM-DD`. */
  today: string;
  /** Aborted: leave the file. */
  stopping: AbortSignal;
  /** False lifts every check but those that keep an order whole. */
  allRules: boolean;
}

/** One order of the file: what would be sent, from which rows, and what is wrong with it. */
export interface PlannedOrder {
  externalOrderId: string;
  order: Order;
  rows: Row[];
  /** Rows of this order that were refused as repetitions. */
  repeated: Row[];
  problems: Problem[];
}

/** A file that was read to its end and checked whole; nothing of it was sent. */
export interface Plan {
  header: string[];
  mapping: Mapping;
  orders: PlannedOrder[];
  /** Problems of the file and its header: with one of them no order is sent. */
  problems: Problem[];
  /** Rows with data, without the header. */
  rows: number;
  /** The number of the last of them, as a spreadsheet shows it. */
  lastRow: number;
}

/** Reads, maps, groups and checks a whole table. Errors: those of reading, AbortError; all else is in the plan. */
export async function planImport(table: Table, options: PlanOptions): Promise<Plan> {
  const { columns, unsent, problems } = mapHeader(table.header);
  const mapping = { columns, unsent };
  if (problems.length > 0)
    return { header: table.header, mapping, orders: [], problems, rows: 0, lastRow: 1 };
  let rows = 0;
  let lastRow = 1;
  const filledBlankColumns = new Set<number>();
  const counted = tap(table.rows, ({ row, cells }) => {
    options.stopping.throwIfAborted();
    rows += 1;
    lastRow = row;
    for (const [index, name] of table.header.entries()) {
      if (name === '' && cells[index] !== '') filledBlankColumns.add(index);
    }
  });
  const groups = await groupRows(counted, { ...options, columns });
  const orders = groups.map((group) => planOrder(group, mapping, options));
  if (orders.length === 0) problems.push(withoutOrders());
  problems.push(...[...filledBlankColumns].map(blankHeaderProblem));
  return { header: table.header, mapping, orders, problems, rows, lastRow };
}

/** Whether an order may be sent. */
export function isSendable({ problems }: PlannedOrder): boolean {
  return problems.every(({ severity }) => severity === 'warning');
}

function planOrder(group: RowGroup, { columns }: Mapping, options: PlanOptions): PlannedOrder {
  const built = buildOrder(group, columns, options.constants);
  const order = tidyOrder(built.order);
  const { today, allRules } = options;
  const issues = checkOrder(order, { today, needsOwnId: true, allRules });
  const found = issues.map((issue) => toProblem(issue, group, built));
  const { externalOrderId, rows, repeated, problems } = group;
  return { externalOrderId, order, rows, repeated, problems: [...problems, ...built.problems, ...found] };
}

function toProblem(
  { path, code, severity, problem, fix, value }: Issue,
  group: RowGroup,
  built: BuiltOrder,
): Problem {
  const origin = built.origins.get(path);
  const place =
    origin === undefined
      ? placeOf(rowOfLine(path, built) ?? (group.rows[0] as Row))
      : placeOf(origin.row, origin.column);
  return {
    about: 'order',
    severity,
    code,
    problem,
    fix,
    path,
    ...(value === undefined ? {} : { value }),
    externalOrderId: group.externalOrderId,
    ...place,
  };
}

/** The row of the line that a path goes through, when the field itself is in no cell. */
function rowOfLine(path: string, { origins }: BuiltOrder): Row | undefined {
  const line = /^items\[\d+\]/.exec(path)?.[0];
  if (line === undefined) return undefined;
  for (const [other, { row }] of origins) if (other.startsWith(line)) return row;
  return undefined;
}

function withoutOrders(): Problem {
  const fix = 'export it again with orders in it';
  return {
    about: 'file',
    severity: 'error',
    code: 'file_without_orders',
    problem: 'there is no order in it',
    fix,
  };
}

async function* tap(rows: AsyncIterable<Row>, see: (row: Row) => void): AsyncGenerator<Row> {
  for await (const row of rows) {
    see(row);
    yield row;
  }
}
