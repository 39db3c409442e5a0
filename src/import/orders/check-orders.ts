import { createSum } from '../../orders/decimal.ts';
import { type Order, orderLines, textField } from '../../orders/order.ts';
import { type ColumnFacts, createColumnFacts } from '../cells/column-facts.ts';
import type { Mapping } from '../map/column.ts';
import { blankHeaderProblem } from '../map/header.ts';
import { createProblemLog, type Problem, type ProblemLog } from '../problem.ts';
import type { Row, Table } from '../table/table.ts';
import { createOrderPlanner, isSendable, type OrderOptions, type PlannedOrder } from './plan-order.ts';
import { readOrders } from './read-orders.ts';
import type { RowGroup } from './row-groups.ts';
import { createSelector, type Selection } from './select-orders.ts';

export interface CheckOptions extends OrderOptions {
  selection: Selection;
  stopping: AbortSignal;
}

/** What one pass over a whole file finds. Its size does not depend on the number of orders. */
export interface FileCheck {
  facts: ColumnFacts;
  log: ProblemLog;
  /** Sums over the selected orders that may be sent. */
  totals: Totals;
  counts: FileCounts;
}

export interface FileCounts {
  /** Orders of the file, those that are selected, and how many of the selected have errors. */
  orders: number;
  selected: number;
  invalid: number;
  rows: number;
  skippedRows: number;
  lastRow: number;
}

/**
 * Reads and checks every order of a table; each selected order that may be sent is passed to `onSendable`.
 * Errors: those of reading, AbortError; whatever is wrong with orders is in the log.
 */
export async function checkOrders(
  table: Table,
  mapping: Mapping,
  options: CheckOptions,
  join: (group: RowGroup) => RowGroup[],
  onSendable: (planned: PlannedOrder) => void,
): Promise<FileCheck> {
  const log = createProblemLog();
  const facts = createColumnFacts(mapping.columns, options);
  const totals = createTotals();
  const counts = { orders: 0, selected: 0, invalid: 0, rows: 0, skippedRows: 0, lastRow: table.header.row };
  let keptRows = 0;
  const blankColumns = findFilledBlankColumns(table.header);
  const plan = createOrderPlanner(mapping, options);
  const isSelected = createSelector(options.selection);
  const onRow = (row: Row) => {
    counts.rows += 1;
    counts.lastRow = row.row;
  };
  const { oneRowPerOrder, stopping } = options;
  for await (const orders of readOrders(table, mapping, { oneRowPerOrder, stopping, onRow }, join)) {
    for (const order of orders) {
      for (const { cells } of order.rows) {
        facts.addRow(cells);
        blankColumns.addRow(cells);
      }
      keptRows += order.rows.length;
      counts.orders += 1;
      if (!isSelected(order)) continue;
      counts.selected += 1;
      const planned = plan(order);
      log.add(planned.problems);
      if (!isSendable(planned)) {
        counts.invalid += 1;
        continue;
      }
      totals.add(planned.order);
      onSendable(planned);
    }
  }
  counts.skippedRows = counts.rows - keptRows;
  log.add([...facts.problems(table.header), ...blankColumns.problems()]);
  if (counts.orders === 0) log.add([noOrders]);
  return { facts, log, totals: totals.value(), counts };
}

function findFilledBlankColumns(header: Row) {
  const filled = new Set<number>();
  const blank = [...header.cells.keys()].filter((index) => header.cells[index] === '');
  return {
    addRow: (cells: readonly string[]) => {
      for (const index of blank) if (cells[index] !== '') filled.add(index);
    },
    problems: () => [...filled].map((index) => blankHeaderProblem(header, index)),
  };
}

const noOrders: Problem = {
  about: 'file',
  severity: 'error',
  code: 'file_without_orders',
  problem: 'it has no orders',
  fix: 'export it again with orders in it',
};

export interface Totals {
  orders: number;
  lines: number;
  /** Decimal strings; undefined when no order has the field. */
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
      orders,
      lines,
      total: total.value(),
      toCollect: toCollect.value(),
      firstDate,
      lastDate,
      firstOrder: firstOrder ?? {},
    }),
  };
}
