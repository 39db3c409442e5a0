import type { Row } from '../read/read-table.ts';
import { isFooter } from '../read/table.ts';
import { readHundredths } from '../words/money.ts';
import { verdict } from '../words/verdict.ts';
import { type CellFormat, type Column, fieldText, fills } from './column.ts';
import { meetsRule } from './conditions.ts';
import type { Mapping } from './mapping.ts';

/** `description`: what the columns hold, in words, below the header. */
export type NonOrderKind = 'total' | 'footer' | 'description';

export interface NonOrderRows {
  count: number;
  first: { row: number; kind: NonOrderKind }[];
}

/** Whether a whole cell is a word for a total. */
export function isTotal(cell: string): boolean {
  return verdict('total', cell) === 'total';
}

const maxNamed = 6;
const numberLike = /^[-+\d][\d\s.,'₮]*$/;

export function createNonOrderRows() {
  const found: NonOrderRows = { count: 0, first: [] };
  return {
    add: ({ row }: Row, kind: NonOrderKind): void => {
      found.count += 1;
      if (found.first.length < maxNamed) found.first.push({ row, kind });
    },
    value: (): NonOrderRows => found,
  };
}

export type MappedCells = Pick<Mapping, 'columns' | 'lines' | 'rules'>;

/** The order ID, else the first cell with text. */
export function leadCell({ cells }: Row, idColumn: Column | undefined): string {
  const id = idColumn === undefined ? '' : fieldText(idColumn, cells);
  return id === '' ? (cells.find((cell) => cell !== '') ?? '') : id;
}

/** A total has no customer, and no name or SKU. */
function isOrderColumn(column: Column): boolean {
  return column.path[0] === 'customer' || (column.path[0] === 'items' && !isNumberColumn(column));
}

const quantities = new Set(['quantity', 'qty', 'count']);
const amounts = new Set(['total', 'collectionAmount', 'price', 'amount', 'subtotal', 'unitPrice', 'cost']);

export function isNumberColumn({ path }: Column): boolean {
  return isQuantity(path.at(-1)) || amounts.has(String(path.at(-1)));
}

function isQuantity(name: Column['path'][number] | undefined): boolean {
  return quantities.has(String(name));
}

/** Whether a row without phone, SKU and item name is certainly no order; this needs their columns. */
export function canTellOrders({ columns, lines }: MappedCells): boolean {
  return [...columns, ...(lines?.columns ?? [])].some(({ path }) => {
    const name = path.at(-1);
    return path[0] === 'items'
      ? name === 'sku' || name === 'name'
      : path[0] === 'customer' && name === 'phone';
  });
}

/**
 * Call it with every row in file order. Finds comments and footers, a first row that describes the columns, and rows without customer and lines that have a
 * word for a total, or are the sum of at least three rows, or of any where they have no text.
 */
export function createNonOrderFinder(
  mapping: MappedCells,
  cellFormat: Pick<CellFormat, 'decimal'>,
): (row: Row) => NonOrderKind | undefined {
  const { columns, lines, rules } = mapping;
  const orderColumns = columns.filter(isOrderColumn);
  const lineCells = lines?.indexes ?? [];
  const idColumn = columns.find(fills('externalOrderId'));
  const isKnown = canTellOrders(mapping);
  const sums = columns.filter(isNumberColumn).map((column) => createRunningSum(column, cellFormat));
  const idOf = (cells: readonly string[]) => (idColumn === undefined ? '' : fieldText(idColumn, cells));
  const hasOrderCells = (cells: readonly string[]): boolean => {
    if (lineCells.some((index) => (cells[index] ?? '') !== '')) return true;
    return orderColumns.some((column) => {
      const text = fieldText(column, cells);
      const mayHoldTotal = column.path.at(-1) === 'name' || column.path.at(-1) === 'phone';
      if (text === '' || !mayHoldTotal || !isTotal(text)) return text !== '';
      // The word is often in the first column; in a row with an ID it really is a name.
      const id = idOf(cells);
      return id !== '' && !isTotal(id);
    });
  };
  const isTotalRow = ({ cells }: Row): boolean => {
    if (cells.some(isTotal)) return true;
    const texts = cells.filter((cell) => cell !== '' && !numberLike.test(cell)).length;
    // Nothing but numbers is no line, and their sum no chance; beside a text small sums may match by chance.
    const hasOnlyNumbers = texts === 0 && idOf(cells) === '';
    const isSum = (sum: RunningSum) =>
      hasOnlyNumbers ? sum.equals(cells, 1) : !sum.isQuantity && sum.equals(cells, minRows);
    return texts <= 1 && sums.some(isSum);
  };
  const phone = columns.find(fills('customer.phone'));
  const inWords = (column: Column | undefined, cells: readonly string[]) => {
    const text = column === undefined ? '' : fieldText(column, cells).trim();
    return text.includes(' ') && /\p{L}/u.test(text);
  };
  const isDescription = ({ cells }: Row) =>
    cells.every((cell) => !/\d/.test(cell)) && inWords(idColumn, cells) && inWords(phone, cells);
  let isFirst = true;
  return (row) => {
    const isBelowHeader = isFirst;
    isFirst = false;
    if (isFooter(row.ownCells ?? row.cells)) return 'footer';
    if (isBelowHeader && isDescription(row)) return 'description';
    if (!isKnown || meetsRule(rules.summaryRow, row.cells)) return undefined;
    if (!hasOrderCells(row.cells) && isTotalRow(row)) {
      for (const sum of sums) sum.restart();
      return 'total';
    }
    for (const sum of sums) sum.add(row.cells);
    return undefined;
  };
}

const minRows = 3;
const maxKnown = 1000;

type RunningSum = ReturnType<typeof createRunningSum>;

/** The sum of a column since the beginning, and since the last total. */
function createRunningSum(column: Column, { decimal }: Pick<CellFormat, 'decimal'>) {
  let all = 0n;
  let allRows = 0;
  let recent = 0n;
  let recentRows = 0;
  // Quantities and prices repeat.
  const known = new Map<string, bigint | undefined>();
  const read = (cells: readonly string[]): bigint | undefined => {
    const text = fieldText(column, cells);
    const earlier = known.get(text);
    if (earlier !== undefined) return earlier;
    const number = readHundredths(text, decimal);
    if (known.size < maxKnown) known.set(text, number);
    return number;
  };
  return {
    isQuantity: isQuantity(column.path.at(-1)),
    add: (cells: readonly string[]): void => {
      const number = read(cells);
      if (number === undefined) return;
      all += number;
      allRows += 1;
      recent += number;
      recentRows += 1;
    },
    equals: (cells: readonly string[], fewestRows: number): boolean => {
      const number = read(cells);
      if (number === undefined || number === 0n) return false;
      return (recentRows >= fewestRows && number === recent) || (allRows >= fewestRows && number === all);
    },
    restart: (): void => {
      recent = 0n;
      recentRows = 0;
    },
  };
}
