import { type Column, fieldText } from '../map/column.ts';
import type { Row } from '../table/table.ts';

/** Rows of one order that follow one another in the file. A blank id is that of rows which lost theirs. */
export interface Run {
  externalOrderId: string;
  rows: Row[];
}

/**
 * Cuts rows, as they come, into runs: a row without an id continues the order above it when it carries line
 * cells only; otherwise it lost its id and begins a run of its own.
 */
export function createRunCutter(
  columns: readonly Column[],
  oneRowPerOrder: boolean,
  onRun: (run: Run) => void,
) {
  const idColumn = columns.find(({ path }) => path.length === 1 && path[0] === 'externalOrderId');
  let current: Run | undefined;
  const end = () => {
    if (current !== undefined) onRun(current);
    current = undefined;
  };
  return {
    push: (row: Row) => {
      const id = idColumn === undefined ? '' : fieldText(idColumn, row.cells);
      const isSame = id !== '' && current?.externalOrderId === id;
      if (current !== undefined && (isSame || (id === '' && !oneRowPerOrder && isLineOnly(row, columns)))) {
        current.rows.push(row);
        return;
      }
      end();
      current = { externalOrderId: id, rows: [row] };
    },
    end,
  };
}

function isLineOnly({ cells }: Row, columns: readonly Column[]): boolean {
  let hasLineCell = false;
  for (const column of columns) {
    if (fieldText(column, cells) === '') continue;
    if (!column.isLine) return false;
    hasLineCell = true;
  }
  return hasLineCell;
}
