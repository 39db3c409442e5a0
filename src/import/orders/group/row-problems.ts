import { foldHeader, type NamedColumn } from '../../columns/header.ts';
import { roles } from '../../columns/roles.ts';
import { type Column, fieldText, fills, orderProblem } from '../../mapping/column.ts';
import { foldCell, meetsRule } from '../../mapping/conditions.ts';
import type { MappingFile } from '../../mapping/language.ts';
import { type Mapping, type ReasonRule, type RestColumn, unreadColumns } from '../../mapping/mapping.ts';
import {
  canTellOrders,
  isNumberColumn,
  isTotal,
  leadCell,
  type MappedCells,
} from '../../mapping/non-order-rows.ts';
import {
  differsFromOtherRow,
  headerRepeated,
  idRepeated,
  lineLost,
  loneCell,
  otherWidth,
  rowRepeated,
  rowsPartlyLeftOut,
  totalRow,
} from '../../order-texts.ts';
import type { Problem } from '../../problem.ts';
import type { Row } from '../../read/read-table.ts';
import { fitsHeader } from '../../read/table.ts';
import type { PlannedOrder, RowGroup } from '../plan.ts';
import { type OrderRows, orderIndexes } from './group-rows.ts';

/** Most orders have no problem, so that this takes less time than `flatMap`. */
function collectProblems<Item>(items: readonly Item[], find: (item: Item) => Problem | undefined): Problem[] {
  const problems: Problem[] = [];
  for (const item of items) {
    const problem = find(item);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

/** Rows of another width, whose cells may be in the wrong columns; not those with an `unclear` problem. */
export function findOtherWidths({ externalOrderId, rows }: RowGroup, unclear: readonly Problem[]): Problem[] {
  if (rows.every(fitsHeader)) return [];
  const unclearRows = new Set(unclear.map(({ row }) => row));
  const others = rows.filter(({ row, ownCells }) => ownCells !== undefined && !unclearRows.has(row));
  return others.map((row) => {
    const { ownCells = [], cells } = row;
    return orderProblem(externalOrderId, row, undefined, otherWidth(row.row, ownCells.length, cells.length));
  });
}

/** A narrower table may well have rows with one cell. */
const minColumns = 4;

export function createUnclearRowFinder(mapping: MappedCells): (group: RowGroup) => Problem[] {
  const { columns, lines } = mapping;
  const idColumn = columns.find(fills('externalOrderId'));
  const others = columns.filter((column) => column !== idColumn);
  const find = ({ externalOrderId, rows }: RowGroup, row: Row): Problem | undefined => {
    const { cells } = row;
    const word = leadCell(row, idColumn);
    if (isTotal(word)) {
      return orderProblem(externalOrderId, row, undefined, totalRow(word, canTellOrders(mapping)));
    }
    const isAlone = rows.length === 1 || externalOrderId === '';
    const mayBeLone = row === rows[0] && isAlone && cells.length >= minColumns;
    if (!mayBeLone || !hasOneText(cells) || hasLines(lines, row)) return undefined;
    if (others.some((column) => fieldText(column, cells) !== '')) return undefined;
    const text = cells.find((cell) => cell !== '') ?? '';
    return orderProblem(externalOrderId, row, undefined, loneCell(text));
  };
  return (group) => collectProblems(group.rows, (row) => find(group, row));
}

function hasOneText(cells: readonly string[]): boolean {
  let texts = 0;
  for (const cell of cells) {
    if (cell !== '') texts += 1;
    if (texts > 1) return false;
  }
  return texts === 1;
}

const itemHeaders = new Set(
  (
    'Item|Item Name|Items|Product|Product Name|Products|Lineitem name|Line item|Name of item|' +
    'Quantity|Qty|Lineitem quantity|Item quantity|SKU|Item SKU|Product SKU|Lineitem sku|' +
    'Бараа|Барааны нэр|Бүтээгдэхүүн|Бүтээгдэхүүний нэр|Барааны код|Тоо|Тоо ширхэг|Ширхэг|' +
    'Товар|Название товара|Наименование|Количество|Кол-во|Артикул'
  )
    .split('|')
    .map(foldHeader),
);

function hasLines(lines: Mapping['lines'], { cells }: Row): boolean {
  return lines?.indexes.some((index) => (cells[index] ?? '') !== '') ?? false;
}

export function createLostLineFinder(mapping: Mapping): (group: RowGroup) => Problem[] {
  const { columns, addresses, lines, rules, rest } = mapping;
  const lineColumns = columns.filter(({ isLine }) => isLine);
  const orderColumns = [...columns.filter(({ isLine }) => !isLine), ...addresses.flat()];
  const { sums: _, ...read } = rules;
  const ruleCells = [...orderIndexes({ ...mapping, rules: read, rest: [] })];
  const notLines = [rules.summaryRow, ...rules.leaveOutLines.map(({ rule }) => rule)];
  const isOpen = ({ use }: RestColumn) => use === 'open' || use === 'values';
  const unread = rest.filter((column) => isOpen(column) && itemHeaders.has(foldHeader(column.header)));
  const idColumn = columns.find(fills('externalOrderId'));
  const isKnown = canTellOrders(mapping);
  // Without an ID, a number alone may be the sum of others.
  const saysNothing = (column: Column, { cells }: Row) =>
    fieldText(column, cells) === '' ||
    (isKnown && isNumberColumn(column) && idColumn !== undefined && fieldText(idColumn, cells) === '');
  const mayBeLost = (row: Row) =>
    lineColumns.every((column) => saysNothing(column, row)) &&
    !hasLines(lines, row) &&
    !notLines.some((rule) => meetsRule(rule, row.cells));
  return ({ externalOrderId, rows }) => {
    if (rows.length === 1) return [];
    const withoutLine = new Set(rows.filter(mayBeLost));
    if (withoutLine.size === 0) return [];
    const known = new Map<Column | number, string>();
    return rows.flatMap((row) => {
      const { cells } = row;
      const givesValue = addValues(known, [
        ...orderColumns.map((column) => [column, fieldText(column, cells)] as const),
        ...ruleCells.map((index) => [index, cells[index] ?? ''] as const),
      ]);
      const item = unread.find(({ index }) => cells[index] !== '');
      if (!withoutLine.has(row) || (givesValue && item === undefined)) return [];
      return orderProblem(externalOrderId, row, item, lineLost(item?.header));
    });
  };
}

/** Returns whether a text of the row is new to its order. */
function addValues<Place>(known: Map<Place, string>, texts: readonly (readonly [Place, string])[]): boolean {
  const added = texts.filter(([place, text]) => text !== '' && known.get(place) !== text);
  for (const [place, text] of added) known.set(place, text);
  return added.length > 0;
}

type RepeatRules = Pick<MappingFile, 'one_row_per_order' | 'repeated_rows'>;

/** Moves the rows that repeat others, and returns their problems. */
export function separateRepeats(
  order: Pick<PlannedOrder, 'externalOrderId' | 'rows' | 'repeated'>,
  { one_row_per_order: oneRowPerOrder, repeated_rows: repeatedRows }: RepeatRules,
): Problem[] {
  const { externalOrderId, rows } = order;
  if (rows.length === 1 || (repeatedRows === 'lines' && !oneRowPerOrder)) return [];
  const [first] = rows;
  const findOriginal = oneRowPerOrder
    ? (row: Row) => (row === first ? undefined : first)
    : createOriginalFinder();
  const repeat = oneRowPerOrder ? idRepeated : rowRepeated;
  order.rows = [];
  return collectProblems(rows, (row) => {
    const original = findOriginal(row);
    (original === undefined ? order.rows : order.repeated).push(row);
    return original && orderProblem(externalOrderId, row, undefined, repeat(externalOrderId, original.row));
  });
}

function createOriginalFinder(): (row: Row) => Row | undefined {
  const known = new Map<string, Row>();
  return (row) => {
    const text = JSON.stringify(row.cells);
    const original = known.get(text);
    if (original === undefined) known.set(text, row);
    return original;
  };
}

/** Header rows among the rows, as in two exports pasted together: their ID is the name of the ID column. */
export function findRepeatedHeaders(
  { externalOrderId, rows }: RowGroup,
  columns: readonly Column[],
): Problem[] {
  return collectProblems(rows, (row) => {
    const isHeader = columns.every(({ index, header }) => row.cells[index] === header);
    return isHeader ? orderProblem(externalOrderId, row, undefined, headerRepeated) : undefined;
  });
}

/** Rows of one order that contradict each other. */
export function createConflictFinder(mapping: Mapping) {
  const { rules } = mapping;
  const states = [...rules.states, ...rules.decided.filter(({ isPayment }) => !isPayment)];
  const findSplitRules = createSplitCheck(rules.leaveOut);
  const ofOrder = columnsOfOrder(mapping);
  return {
    /** About whether it is to be delivered. */
    inState: (order: OrderRows): Problem[] => {
      if (order.rows.length === 1) return [];
      const problems = findConflicts(states, order);
      return problems.length > 0 ? problems : findSplitRules(order);
    },
    /** About the rest; of each column there is one problem. */
    inOthers: (order: OrderRows, known: readonly Problem[]): Problem[] => {
      if (order.rows.length === 1) return [];
      const others = ofOrder.filter(({ header }) => known.every((problem) => problem.header !== header));
      return findConflicts(others, order);
    },
  };
}

function findConflicts(
  columns: readonly NamedColumn[],
  { rows, cells, externalOrderId }: OrderRows,
): Problem[] {
  return columns.flatMap((column): Problem[] => {
    const text = cells[column.index] ?? '';
    const other = rows.find(({ cells: own }) => {
      const cell = own[column.index] ?? '';
      return cell !== '' && foldCell(cell) !== foldCell(text);
    });
    return other === undefined
      ? []
      : [orderProblem(externalOrderId, other, column, differsFromOtherRow(text))];
  });
}

/** Rules that leave out one row of an order and not another: then the state is that of the lines. */
function createSplitCheck(leaveOut: readonly ReasonRule[]): (order: OrderRows) => Problem[] {
  const conditions = leaveOut
    .flatMap(({ rule }) => rule.flatMap((all) => (all.length === 1 ? all : [])))
    .filter(({ matches }) => !matches(''));
  return ({ rows, externalOrderId }) =>
    conditions.flatMap((condition): Problem[] => {
      const texts = rows.map(({ cells }) => cells[condition.index] ?? '');
      const held = texts.findIndex(condition.matches);
      const other = texts.findIndex((text, row) => !condition.matches(text) && (text !== '' || row === 0));
      if (held < 0 || other < 0) return [];
      const row = rows[Math.max(held, other)];
      return [orderProblem(externalOrderId, row, condition, rowsPartlyLeftOut(condition.index))];
    });
}

/** The columns, apart from those of the state, that must say the same in all rows of an order. */
function columnsOfOrder(mapping: Mapping): NamedColumn[] {
  const { rules, columns } = mapping;
  const { payment, currency, shippingMethod } = rules;
  const { decided = [], states = [], methods = [], due = [], alreadyPaid = [] } = payment ?? {};
  // The states include those that list whole values.
  const searches = [payment?.paid, payment?.partlyPaid, payment?.open].flatMap((rule) =>
    (rule ?? []).flat().filter(({ values }) => values === undefined),
  );
  const ofUnread = unreadColumns(mapping).filter(({ role }) => roles[role].agrees);
  const isSum = ({ index }: NamedColumn) =>
    columns.some((column) => column.index === index && column.rule?.sums);
  const ofPayment = [
    searches,
    decided,
    states,
    methods,
    due.filter((column) => !isSum(column)),
    alreadyPaid,
  ].flat();
  const all = [...ofPayment, ...currency, ...shippingMethod, ...ofUnread];
  return [...new Map(all.map((column) => [column.index, column])).values()];
}
