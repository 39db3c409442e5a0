import { createSum } from '../../orders/decimal.ts';
import { type Order, orderLines, textField } from '../../orders/order.ts';
import { type ColumnFacts, createColumnFacts } from '../cells/column-facts.ts';
import type { Mapping } from '../map/column.ts';
import { blankHeaderProblem } from '../map/header.ts';
import { createProblemLog, type Problem, type ProblemLog } from '../problem.ts';
import type { Row, Table } from '../table/table.ts';
import { createOrderPlanner, isSendable, type OrderOptions } from './plan-order.ts';
import { createRepeatFinder, hashText, type RepeatFinder } from './repeat-finder.ts';
import type { Run } from './row-runs.ts';
import type { ScatteredOrders } from './scattered-orders.ts';
import { createSelector, type Selection } from './select-orders.ts';
import { walkOrders } from './walk-orders.ts';

export interface SurveyOptions extends OrderOptions {
  selection: Selection;
  /** Aborted: leave the file. */
  stopping: AbortSignal;
}

/** What one walk through a whole file finds; a few bytes for each order, whatever its rows hold. */
export interface Survey {
  facts: ColumnFacts;
  log: ProblemLog;
  /** What the orders amount to that are meant and may be sent. */
  totals: Totals;
  /** Orders of the file, those that are meant, and those of them that need mending. */
  orders: number;
  selected: number;
  invalid: number;
  /** Rows with data, those that the mapping leaves out, and the number of the last. */
  rows: number;
  skippedRows: number;
  lastRow: number;
  /** Has seen the hash of the id of each run of rows; what comes again is an order whose rows lie apart. */
  ids: RepeatFinder;
}

/** Reads, groups and checks every order of a table. Errors: those of reading, AbortError; all else is in the log. */
export async function surveyTable(
  table: Table,
  mapping: Mapping,
  options: SurveyOptions,
  scattered: ScatteredOrders | undefined,
): Promise<Survey> {
  const log = createProblemLog();
  const facts = createColumnFacts(mapping.columns, options);
  const totals = createTotals();
  const ids = createRepeatFinder();
  const counts = { orders: 0, selected: 0, invalid: 0, rows: 0, lastRow: table.header.row };
  let keptRows = 0;
  const blankColumns = watchBlankColumns(table.header);
  const plan = createOrderPlanner(mapping, options);
  const isSelected = createSelector(options.selection);
  const onRow = (row: Row) => {
    counts.rows += 1;
    counts.lastRow = row.row;
  };
  const onRun = ({ externalOrderId }: Run) => {
    if (externalOrderId !== '') ids.add(hashText(externalOrderId));
  };
  const { oneRowPerOrder, stopping } = options;
  for await (const runs of walkOrders(
    table,
    { mapping, oneRowPerOrder, stopping, onRow, onRun },
    scattered,
  )) {
    for (const run of runs) {
      for (const { cells } of run.rows) {
        facts.see(cells);
        blankColumns.see(cells);
      }
      keptRows += run.rows.length;
      counts.orders += 1;
      if (!isSelected(run)) continue;
      counts.selected += 1;
      const planned = plan(run);
      log.add(planned.problems);
      if (isSendable(planned)) totals.add(planned.order);
      else counts.invalid += 1;
    }
  }
  log.add([...facts.problems(table.header), ...blankColumns.problems()]);
  if (counts.orders === 0) log.add([withoutOrders]);
  return { facts, log, totals: totals.value(), ...counts, skippedRows: counts.rows - keptRows, ids };
}

/** Columns without a name that turn out to hold something. */
function watchBlankColumns(header: Row) {
  const filled = new Set<number>();
  const blank = [...header.cells.keys()].filter((index) => header.cells[index] === '');
  return {
    see: (cells: readonly string[]) => {
      for (const index of blank) if (cells[index] !== '') filled.add(index);
    },
    problems: () => [...filled].map((index) => blankHeaderProblem(header, index)),
  };
}

const withoutOrders: Problem = {
  about: 'file',
  severity: 'error',
  code: 'file_without_orders',
  problem: 'there is no order in it',
  fix: 'export it again with orders in it',
};

/** What orders amount to, for a person to confirm. */
export interface Totals {
  orders: number;
  lines: number;
  /** Decimal strings; undefined when no order says. */
  total: string | undefined;
  toCollect: string | undefined;
  firstDate: string | undefined;
  lastDate: string | undefined;
  firstOrder: Order;
}

export function createTotals() {
  const total = createSum();
  const toCollect = createSum();
  let firstOrder: Order | undefined;
  let orders = 0;
  let lines = 0;
  let firstDate: string | undefined;
  let lastDate: string | undefined;
  return {
    add: (order: Order) => {
      firstOrder ??= order;
      orders += 1;
      lines += orderLines(order).length;
      total.add(textField(order, 'total'));
      toCollect.add(textField(order, 'collectionAmount'));
      const date = textField(order, 'requestedDeliveryDate');
      if (date === undefined) return;
      if (firstDate === undefined || date < firstDate) firstDate = date;
      if (lastDate === undefined || date > lastDate) lastDate = date;
    },
    value: (): Totals => ({
      ...{ orders, lines, total: total.value(), toCollect: toCollect.value() },
      ...{ firstDate, lastDate, firstOrder: firstOrder ?? {} },
    }),
  };
}
