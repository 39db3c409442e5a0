import type { Column } from '../map/column.ts';
import { type Problem, placeOf } from '../problem.ts';
import type { Row } from '../table/table.ts';
import { hashCells } from './repeat-finder.ts';
import type { Run } from './row-runs.ts';

export interface RepeatOptions {
  /** Each row is an order: an id that comes again is a problem. */
  oneRowPerOrder: boolean;
  /** A row equal to an earlier one of its order is a second line, not a problem. */
  repeatedRowsAreLines: boolean;
}

/** The rows of an order without those that come again, and what is wrong with these. */
export function separateRepeats(
  { externalOrderId, rows }: Run,
  { oneRowPerOrder, repeatedRowsAreLines }: RepeatOptions,
): { rows: Row[]; repeated: Row[]; problems: Problem[] } {
  const [first] = rows;
  if (rows.length === 1 || (repeatedRowsAreLines && !oneRowPerOrder)) {
    return { rows, repeated: [], problems: [] };
  }
  const kept: Row[] = [];
  const repeated: Row[] = [];
  const problems: Problem[] = [];
  const findTwin = oneRowPerOrder ? (row: Row) => (row === first ? undefined : first) : createTwinFinder();
  for (const row of rows) {
    const twin = findTwin(row);
    if (twin === undefined) {
      kept.push(row);
      continue;
    }
    repeated.push(row);
    const about = oneRowPerOrder ? repeatedId(externalOrderId, twin) : repeatedRow(externalOrderId, twin);
    problems.push({ ...about, externalOrderId, ...placeOf(row) });
  }
  return { rows: kept, repeated, problems };
}

/** Finds the earlier row that a row equals in every cell. */
function createTwinFinder(): (row: Row) => Row | undefined {
  const byHash = new Map<number, Row[]>();
  return (row) => {
    const hash = hashCells(row.cells);
    const alike = byHash.get(hash);
    if (alike === undefined) byHash.set(hash, [row]);
    const twin = alike?.find(({ cells }) => cells.every((cell, index) => cell === row.cells[index]));
    if (twin === undefined) alike?.push(row);
    return twin;
  };
}

function repeatedId(externalOrderId: string, { row }: Row): Problem {
  return {
    ...{ about: 'order', severity: 'error', code: 'duplicate_order', cause: 'id' },
    problem: `order ${externalOrderId} is in row ${row} already`,
    fix: 'give the order an id of its own, or take the row out',
  };
}

function repeatedRow(externalOrderId: string, { row }: Row): Problem {
  return {
    ...{ about: 'order', severity: 'error', code: 'duplicate_row', cause: 'row' },
    problem: `this row is the same as row ${row}${externalOrderId && ` of order ${externalOrderId}`}`,
    fix: 'take one of them out, or add --repeated-rows lines when both are meant',
  };
}

/**
 * The rows of an order that are the header once more, as when two exports are pasted together. Such a row looks
 * like an order whose id is the name of the id column.
 */
export function repeatedHeaders({ externalOrderId, rows }: Run, columns: readonly Column[]): Problem[] {
  return rows
    .filter((row) => isHeader(row, columns))
    .map((row) => ({
      ...{ about: 'order', severity: 'error', code: 'header_repeated', externalOrderId },
      problem: 'this row is the header again, not an order',
      fix: 'take the row out',
      ...placeOf(row),
    }));
}

function isHeader({ cells }: Row, columns: readonly Column[]): boolean {
  return columns.every(({ index, header }) => cells[index] === header);
}
