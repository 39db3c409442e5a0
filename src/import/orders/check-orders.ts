import { hash } from 'node:crypto';
import { CliError } from '../../errors.ts';
import { loadChecks } from '../../orders/check-order.ts';
import { createSum } from '../../orders/decimal.ts';
import { type Order, orderLines, textField } from '../../orders/order.ts';
import { createFieldWatch, fieldByDefaultPlace, type UnnamedField } from '../../orders/unnamed-fields.ts';
import type { LeftOutReason, PlanFlags, Shard } from '../choices.ts';
import { type Column, isPathAssumed } from '../mapping/column.ts';
import { blankHeaderProblem } from '../mapping/header.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { createLaterMeanings, type UnreadColumn } from '../mapping/meanings.ts';
import { createNonOrderRows, type NonOrderRows } from '../mapping/non-order-rows.ts';
import { createProblemLog, type Problem, type ProblemLog } from '../problem.ts';
import type { Row, Table } from '../read/read-table.ts';
import { isRejectsFile } from '../read/table.ts';
import { type ColumnFacts, createColumnFacts, createMisreadColumns } from './cells/column-facts.ts';
import { createCutOffCheck } from './cells/cut-off-end.ts';
import { createIgnoredFacts, createUnreadFacts } from './cells/unread-columns.ts';
import type { SumResult } from './control-sums.ts';
import { type Joiner, type RowGroup, readOrders } from './group/group-rows.ts';
import { createSeenValues, type SeenValues } from './known-values.ts';
import { amountColumn } from './payment.ts';
import { createOrderPlanner, type PlanOptions } from './plan-order.ts';
import { isSendable, type PlannedOrder } from './planned-order.ts';

/** Columns that the user's mapping decides about; no other rule reads them. */
export interface FileCheck {
  facts: ColumnFacts;
  log: ProblemLog;
  totals: Totals;
  counts: FileCounts;
  /** Unknown fields that orders carry at places which the user did not name. */
  assumedFields: UnnamedField[];
  nonOrderRows: NonOrderRows;
  ignored: string[];
  /** Checked before anything else, in this order. */
  seen: SeenValues;
  /** Columns of `free` with a meaning that only shows below the first rows. */
  laterMeanings: UnreadColumn[];
  /** An order of the file of `--template` that would be sent. */
  example?: PlannedOrder;
}

const exampleId = /^EXAMPLE-\d$/;

export interface FileCounts {
  orders: number;
  /** Those that the user selected and that are to be delivered. */
  selected: number;
  invalid: number;
  /** Selected orders that are not to be delivered, by reason; they are not among `selected`. */
  leftOut: Partial<Record<LeftOutReason, number>>;
  /** Orders that were paid although their method is cash on delivery. */
  paidOnDelivery: number;
  sums: Record<SumResult, number>;
  rows: number;
  skippedRows: number;
  lastRow: number;
}

export interface MappedTable {
  table: Table;
  mapping: Mapping;
  missing: readonly Problem[];
  free: readonly number[];
}

/** At most as many orders are planned of one file. */
const maxOrders = 5_000_000;

/** Passes the orders of this shard to `keep`, in file order. Errors: those of reading and of `keep`, AbortError. */
export async function checkOrders(
  { table, mapping, missing, free }: MappedTable,
  options: PlanOptions,
  joiner: Joiner,
  keep?: (planned: PlannedOrder) => void,
): Promise<FileCheck> {
  const log = createProblemLog();
  const facts = createColumnFacts(columnsWithFacts(mapping), options);
  const unread = createUnreadFacts(mapping, options.constants);
  const ignoredNames = [...(options.ignoreColumn ?? []), ...(options.map?.ignore ?? [])];
  const ignored = createIgnoredFacts(table.header, ignoredNames);
  const seen = createSeenValues(table.header, mapping, ignoredNames);
  const misread = createMisreadColumns(mapping, options.constants);
  const later = createLaterMeanings(table.header, columnsWithoutMeaning(mapping, free));
  const totals = createTotals();
  const watch = createFieldWatch(assumedFields(mapping), options.places);
  const counts: FileCounts = {
    orders: 0,
    selected: 0,
    invalid: 0,
    leftOut: {},
    paidOnDelivery: 0,
    sums: { agrees: 0, differs: 0, less: 0 },
    rows: 0,
    skippedRows: 0,
    lastRow: table.header.row,
  };
  let example: PlannedOrder | undefined;
  let keptRows = 0;
  const blankColumns = findFilledBlankColumns(table.header);
  const plan = createOrderPlanner(mapping, options, table.header.cells, codesOf(missing));
  const selector = createSelector(options);
  const onRow = (row: Row) => {
    counts.rows += 1;
    counts.lastRow = row.row;
  };
  const nonOrderRows = createNonOrderRows();
  // A rejects file is complete, and its rows may be there because of their width.
  const isWhole = options.endsHere || isRejectsFile(table.header);
  const cutOff = isWhole ? undefined : createCutOffCheck(table.header, columnsWithFacts(mapping));
  const reading = { ...options, onRow, onNonOrder: nonOrderRows.add };
  for await (const orders of readOrders(table, mapping, reading, joiner)) {
    for (const order of orders) {
      // The cells of a row of another width may be in the wrong columns.
      const fitting = order.rows.every(fitsHeader) ? order.rows : order.rows.filter(fitsHeader);
      for (const { cells } of fitting) {
        blankColumns.addRow(cells);
        later.addRow(cells);
      }
      for (const [index, row] of order.rows.entries()) cutOff?.addRow(row, order.externalOrderId, index > 0);
      keptRows += order.rows.length;
      counts.orders += 1;
      if (counts.orders > maxOrders) throw tooManyOrders();
      const isSelected = selector.mayTake(order);
      const isKept = keep !== undefined && selector.isOfShard(order);
      let planned = isSelected || isKept ? plan(order, isSelected) : undefined;
      if ((isSelected || isKept) && planned === undefined) {
        await loadChecks();
        planned = plan(order, isSelected);
      }
      if (planned !== undefined) keep?.(planned);
      if (isSelected && planned?.leftOut !== undefined) {
        counts.leftOut[planned.leftOut] = (counts.leftOut[planned.leftOut] ?? 0) + 1;
        continue;
      }
      for (const { cells } of fitting) facts.addRow(cells);
      if (planned === undefined || !isSelected) continue;
      selector.take();
      counts.selected += 1;
      if (fitting.length === order.rows.length) unread.add(planned);
      misread.add(planned);
      if (planned.sum !== undefined) counts.sums[planned.sum] += 1;
      log.add(planned.problems);
      if (!isSendable(planned)) {
        counts.invalid += 1;
        continue;
      }
      if (planned.isPaidOnDelivery) counts.paidOnDelivery += 1;
      ignored.add(planned);
      seen.add(planned);
      totals.add(planned.order);
      watch.add(planned.order);
      if (exampleId.test(planned.externalOrderId)) example ??= planned;
    }
  }
  counts.skippedRows = counts.rows - keptRows - nonOrderRows.value().count;
  log.add([
    ...(counts.orders === 0 ? [noOrders] : missing),
    ...(cutOff?.problems() ?? []),
    ...facts.problems(table.header),
    ...blankColumns.problems(),
    ...unread.problems(table.header),
    ...misread.problems(table.header),
  ]);
  return {
    facts,
    log,
    totals: totals.value(),
    counts,
    assumedFields: watch.carried(),
    nonOrderRows: nonOrderRows.value(),
    ignored: ignored.sentences(),
    seen: seen.value(),
    laterMeanings: later.value(),
    ...(example === undefined ? {} : { example }),
  };
}

const fitsHeader = ({ ownCells }: Row) => ownCells === undefined;

function assumedFields({ columns, lines, addresses }: Mapping): UnnamedField[] {
  return [...columns, ...(lines?.columns ?? []), ...addresses.flat()].flatMap((column) =>
    isPathAssumed(column) ? (fieldByDefaultPlace(column.path) ?? []) : [],
  );
}

function codesOf(problems: readonly Problem[]): ReadonlySet<string> {
  return new Set(problems.map(({ code }) => code));
}

function columnsWithoutMeaning({ unread }: Mapping, free: readonly number[]): number[] {
  const meant = new Set(unread.map(({ index }) => index));
  return free.filter((index) => !meant.has(index));
}

function columnsWithFacts({ columns, addresses, rules }: Mapping): Column[] {
  return [...columns, ...addresses.flat(), ...(rules.payment?.due ?? []).map(amountColumn)];
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

interface Totals {
  orders: number;
  lines: number;
  /** Decimal strings; undefined when no order has the field. */
  total: string | undefined;
  toCollect: string | undefined;
  collecting: number;
  firstDate: string | undefined;
  lastDate: string | undefined;
  /** The first two, to show. */
  firstOrders: Order[];
}

function createTotals() {
  const total = createSum();
  const toCollect = createSum();
  const unknown = { total: undefined, toCollect: undefined, firstDate: undefined, lastDate: undefined };
  const totals: Totals = { orders: 0, lines: 0, collecting: 0, firstOrders: [], ...unknown };
  return {
    add: (order: Order) => {
      if (totals.orders < 2) totals.firstOrders.push(order);
      totals.orders += 1;
      totals.lines += orderLines(order).length;
      if (textField(order, 'collectionMode') === 'COLLECT') totals.collecting += 1;
      total.add(textField(order, 'total'));
      toCollect.add(textField(order, 'collectionAmount'));
      const date = textField(order, 'requestedDeliveryDate');
      if (date === undefined) return;
      if (totals.firstDate === undefined || date < totals.firstDate) totals.firstDate = date;
      if (totals.lastDate === undefined || date > totals.lastDate) totals.lastDate = date;
    },
    value: (): Totals => ({ ...totals, total: total.value(), toCollect: toCollect.value() }),
  };
}

function tooManyOrders(): CliError {
  const sentence = `The file has more than ${maxOrders.toLocaleString('en')} orders. Nothing was sent.`;
  const hint = 'Divide it into several files, and import them one after the other.';
  return new CliError('file_invalid', sentence, { hint, outcome: 'not_sent' });
}

/** Called with the orders in file order; one that is left out does not count. */
function createSelector({
  rows,
  limit = Number.POSITIVE_INFINITY,
  shard,
}: Pick<PlanFlags, 'rows' | 'limit' | 'shard'>) {
  let taken = 0;
  const isOfShard = ({ externalOrderId }: RowGroup) =>
    shard === undefined || isInShard(externalOrderId, shard);
  return {
    isOfShard,
    mayTake: (order: RowGroup): boolean =>
      taken < limit && (rows === undefined || order.rows.some(({ row }) => rows(row))) && isOfShard(order),
    take: (): void => {
      taken += 1;
    },
  };
}

/**
 * It depends on the ID alone, so that several machines divide a file the same way: the shard number is the SHA-256 of
 * the ID, read big-endian, modulo the count, plus 1.
 */
export function isInShard(externalOrderId: string, { number, count }: Shard): boolean {
  return BigInt(`0x${hash('sha256', externalOrderId)}`) % BigInt(count) === BigInt(number - 1);
}
