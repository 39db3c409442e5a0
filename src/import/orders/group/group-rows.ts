import { CliError } from '../../../errors.ts';
import { formatCount } from '../../../orders/decimal.ts';
import type { NamedColumn } from '../../columns/header.ts';
import type { UnreadColumn } from '../../columns/header-roles.ts';
import { roles } from '../../columns/roles.ts';
import {
  type CellFormat,
  type Column,
  fieldText,
  fills,
  kindOfCells,
  orderProblem,
} from '../../mapping/column.ts';
import { type Condition, meetsAll, type Rule } from '../../mapping/conditions.ts';
import { type Mapping, unreadColumns } from '../../mapping/mapping.ts';
import { createNonOrderFinder, type NonOrderKind } from '../../mapping/non-order-rows.ts';
import type { Problem, ProblemText } from '../../problem.ts';
import type { Row, Table } from '../../read/read-table.ts';
import type { PlanOptions, RowGroup } from '../plan.ts';

/** An order is planned as a whole. In a sheet with ten columns these are 25,000 rows. */
const maxCellsOfOrder = 250_000;

/** Error: `file_invalid`, when the rows of an order have more cells. */
export function checkOrderSize([first]: readonly Row[], count: { rows: number; cells: number }): void {
  if (count.cells <= maxCellsOfOrder) return;
  const rows = formatCount(count.rows);
  const sentence = `${rows} rows or more belong to the order that begins in row ${first?.row}.`;
  throw new CliError('file_invalid', sentence, {
    hint: "If they are several orders, name the column of their IDs: --map-column 'Header=externalOrderId'. Nothing was sent.",
  });
}

/** Makes whole orders of groups; called in file order. */
export interface Joiner {
  /** The order that begins with a group, whole; undefined when its order began before. */
  join(group: RowGroup): RowGroup | undefined;
  /** The problem of an order whose ID is like an earlier one. */
  problemsOf(order: RowGroup): readonly Problem[];
}

interface RowWatch {
  onRow(row: Row): void;
  /** Called for rows that are no orders, which are left out. */
  onNonOrder(row: Row, kind: NonOrderKind): void;
}

/** The orders of the file, in file order. Errors: those of reading, AbortError. */
export async function* readOrders(
  table: Table,
  mapping: Mapping,
  options: CellFormat & Pick<PlanOptions, 'map' | 'stopping'>,
  { join, problemsOf }: Joiner,
  { onRow, onNonOrder }: RowWatch,
): AsyncGenerator<RowGroup[]> {
  let orders: RowGroup[] = [];
  const ofOrder = unreadColumns(mapping).filter(({ role }) => roles[role].begins);
  const orderAndLineColumns = [...mapping.columns, ...mapping.addresses.flat(), ...ofOrder.map(orderColumn)];
  const oneRowPerOrder = options.map?.one_row_per_order ?? false;
  const cellsOf = { columns: orderAndLineColumns, lineCells: mapping.lines?.indexes ?? [] };
  const grouper = createRowGrouper(cellsOf, oneRowPerOrder, (group) => {
    const order = join(group);
    const left = order && withoutSkippedRows(order, mapping.skipRowsWhen);
    if (left === undefined || left.rows.length === 0) return;
    left.problems = problemsOf(left);
    orders.push(left);
  });
  const kindOf = createNonOrderFinder(mapping, options);
  for await (const batch of table.batches()) {
    options.stopping.throwIfAborted();
    for (const row of batch) {
      onRow(row);
      const kind = kindOf(row);
      if (kind === undefined) {
        grouper.push(row);
      } else {
        grouper.end();
        onNonOrder(row, kind);
      }
    }
    yield orders;
    orders = [];
  }
  grouper.end();
  yield orders;
}

function orderColumn({ index, header }: UnreadColumn): Column {
  return { index, header, path: ['unread', index], type: 'text', isLine: false, isExtra: true };
}

interface OrderCells {
  columns: readonly Column[];
  /** The columns of several lines each. */
  lineCells: readonly number[];
}

/** A row without an ID continues the order above when only its line cells have text; else its ID is missing. */
function createRowGrouper(cellsOf: OrderCells, oneRowPerOrder: boolean, onGroup: (group: RowGroup) => void) {
  const idColumn = cellsOf.columns.find(fills('externalOrderId'));
  let current: RowGroup | undefined;
  let cells = 0;
  const end = () => {
    if (current !== undefined) onGroup(current);
    current = undefined;
  };
  return {
    push: (row: Row) => {
      const id = idColumn === undefined ? '' : fieldText(idColumn, row.cells);
      const hasSameId = id !== '' && current?.externalOrderId === id;
      const continues = hasSameId || (id === '' && !oneRowPerOrder && hasLineCellsOnly(row, cellsOf));
      // Without an ID column the header has an error, and it does not matter where orders end.
      const isFull = idColumn === undefined && cells > maxCellsOfOrder;
      if (current !== undefined && continues && !isFull) {
        current.rows.push(row);
        cells += row.cells.length;
        if (idColumn !== undefined) checkOrderSize(current.rows, { rows: current.rows.length, cells });
        return;
      }
      end();
      current = { externalOrderId: id, rows: [row] };
      cells = row.cells.length;
    },
    end,
  };
}

/** Shops write the amount of a line below that of its order; without a quantity it may sum up rows above. */
function hasLineCellsOnly({ cells }: Row, { columns, lineCells }: OrderCells): boolean {
  let hasLineCell = lineCells.some((index) => (cells[index] ?? '') !== '');
  let hasAmount = false;
  let hasQuantity = false;
  for (const column of columns) {
    if (fieldText(column, cells) === '') continue;
    const kind = kindOfCells(column);
    if (!column.isLine && kind !== 'money') return false;
    hasLineCell ||= column.isLine;
    hasAmount ||= kind === 'money';
    hasQuantity ||= kind === 'quantity';
  }
  return hasLineCell && (hasQuantity || !hasAmount);
}

/**
 * A later row with blank cells in these columns is treated like the row above it: shops fill cells of the order on
 * its first row only.
 */
function withoutSkippedRows(order: RowGroup, conditions: readonly Condition[]): RowGroup {
  if (conditions.length === 0) return order;
  let isSkipped = false;
  const rows = order.rows.filter(({ cells }, index) => {
    const isBlank = conditions.every((condition) => (cells[condition.index] ?? '') === '');
    if (index === 0 || !isBlank) isSkipped = meetsAll(conditions, cells);
    return !isSkipped;
  });
  return { externalOrderId: order.externalOrderId, rows };
}

/** The rows of an order with the first text of each column that has one text for the whole order. */
export interface OrderRows extends RowGroup {
  cells: readonly string[];
}

/** The columns that have one text for the whole order. */
export function orderIndexes(mapping: Mapping): ReadonlySet<number> {
  const { rules, addresses, columns } = mapping;
  const { leaveOut, partlyFulfilled, quantitiesNotFinal, payment } = rules;
  const { currency, shippingMethod, states, sums, decided } = rules;
  const all: Rule[] = [...leaveOut.map(({ rule }) => rule), partlyFulfilled, quantitiesNotFinal];
  if (payment !== undefined) {
    const { paid, partlyPaid, open, onDelivery, unclear } = payment;
    all.push(paid, partlyPaid, open, onDelivery, unclear);
  }
  const named: readonly NamedColumn[] = [
    ...all.flat(2),
    ...currency,
    ...shippingMethod,
    ...states,
    ...decided,
    ...unreadColumns(mapping),
    ...addresses.flat().flatMap((column) => [column, ...(column.rule?.others ?? [])]),
    ...columns.filter(({ path }) => path[0] === 'deliveryAddress'),
    ...Object.values(sums ?? {}),
    ...columns.filter(fills('total')),
    ...(payment === undefined ? [] : [...payment.methods, ...payment.due, ...payment.alreadyPaid]),
  ];
  return new Set(named.map(({ index }) => index));
}

/** Shops fill cells of the order on its first row only, or repeat them. */
export function firstTexts(rows: readonly Row[], needed: ReadonlySet<number>): readonly string[] {
  if (rows.length <= 1) return rows[0]?.cells ?? [];
  const cells = [...(rows[0] as Row).cells];
  for (const index of needed) {
    if (cells[index] === '') cells[index] = rows.find((row) => row.cells[index] !== '')?.cells[index] ?? '';
  }
  return cells;
}

/** A problem of an order, at the first row that has text in the column. */
export function problemIn(
  { externalOrderId, rows }: OrderRows,
  column: NamedColumn | undefined,
  text: ProblemText,
): Problem {
  const row = column && rows.find(({ cells }) => (cells[column.index] ?? '') !== '');
  return orderProblem(externalOrderId, row ?? rows[0], column, text);
}
