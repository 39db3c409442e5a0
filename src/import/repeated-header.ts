import type { Column } from './map/column.ts';
import { type Problem, placeOf } from './problem.ts';
import type { Run } from './row-runs.ts';
import type { Row } from './table.ts';

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
