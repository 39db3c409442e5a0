import { type Column, locationOf } from '../map/column.ts';
import type { MappingFile } from '../map/language.ts';
import type { Problem } from '../problem.ts';
import type { Row } from '../table/read-table.ts';
import { hashCells, type RowGroup } from './scattered-orders.ts';

type RepeatRules = Pick<MappingFile, 'one_row_per_order' | 'repeated_rows'>;

export function separateRepeats(
  { externalOrderId, rows }: RowGroup,
  { one_row_per_order: oneRowPerOrder, repeated_rows: repeatedRows }: RepeatRules,
): { rows: Row[]; repeated: Row[]; problems: Problem[] } {
  const [first] = rows;
  if (rows.length === 1 || (repeatedRows === 'lines' && !oneRowPerOrder)) {
    return { rows, repeated: [], problems: [] };
  }
  const kept: Row[] = [];
  const repeated: Row[] = [];
  const problems: Problem[] = [];
  const findOriginal = oneRowPerOrder
    ? (row: Row) => (row === first ? undefined : first)
    : createOriginalFinder();
  for (const row of rows) {
    const original = findOriginal(row);
    if (original === undefined) {
      kept.push(row);
      continue;
    }
    repeated.push(row);
    const problem = oneRowPerOrder
      ? repeatedId(externalOrderId, original)
      : repeatedRow(externalOrderId, original);
    problems.push({ ...problem, externalOrderId, ...locationOf(row) });
  }
  return { rows: kept, repeated, problems };
}

function createOriginalFinder(): (row: Row) => Row | undefined {
  const byHash = new Map<number, Row[]>();
  return (row) => {
    const hash = hashCells(row.cells);
    const alike = byHash.get(hash);
    if (alike === undefined) byHash.set(hash, [row]);
    const original = alike?.find(({ cells }) => cells.every((cell, index) => cell === row.cells[index]));
    if (original === undefined) alike?.push(row);
    return original;
  };
}

function repeatedId(externalOrderId: string, { row }: Row): Problem {
  return {
    about: 'order',
    severity: 'error',
    code: 'duplicate_order',
    cause: 'id',
    problem: `order ${externalOrderId} is already in row ${row}`,
    fix: 'give the order an ID of its own, or remove the row',
  };
}

function repeatedRow(externalOrderId: string, { row }: Row): Problem {
  return {
    about: 'order',
    severity: 'error',
    code: 'duplicate_row',
    cause: 'row',
    problem: `this row is the same as row ${row}${externalOrderId && ` of order ${externalOrderId}`}`,
    fix: 'remove one of them, or add --map FILE with "repeated_rows": "lines" if both are meant; --write-map FILE writes a mapping to begin with',
  };
}

/** Header rows among the rows, as in two exports pasted together: their ID is the name of the ID column. */
export function findRepeatedHeaders(
  { externalOrderId, rows }: RowGroup,
  columns: readonly Column[],
): Problem[] {
  return rows
    .filter((row) => isHeader(row, columns))
    .map((row) => ({
      about: 'order',
      severity: 'error',
      code: 'header_repeated',
      externalOrderId,
      problem: 'this row repeats the header; it is not an order',
      fix: 'remove the row',
      ...locationOf(row),
    }));
}

function isHeader({ cells }: Row, columns: readonly Column[]): boolean {
  return columns.every(({ index, header }) => cells[index] === header);
}
