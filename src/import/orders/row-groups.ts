import { type Column, fieldText } from '../map/column.ts';
import type { Row } from '../table/table.ts';

/** Consecutive rows of one order. The ID is blank when the rows have none. */
export interface RowGroup {
  externalOrderId: string;
  rows: Row[];
}

/**
 * Groups rows as they come. A row without an ID continues the order above it when it has cells of a line only;
 * otherwise its ID is missing and it starts a group of its own.
 */
export function createRowGrouper(
  columns: readonly Column[],
  oneRowPerOrder: boolean,
  onGroup: (group: RowGroup) => void,
) {
  const idColumn = columns.find(({ path }) => path.length === 1 && path[0] === 'externalOrderId');
  let current: RowGroup | undefined;
  const end = () => {
    if (current !== undefined) onGroup(current);
    current = undefined;
  };
  return {
    push: (row: Row) => {
      const id = idColumn === undefined ? '' : fieldText(idColumn, row.cells);
      const hasSameId = id !== '' && current?.externalOrderId === id;
      const continues = hasSameId || (id === '' && !oneRowPerOrder && hasLineCellsOnly(row, columns));
      if (current !== undefined && continues) {
        current.rows.push(row);
        return;
      }
      end();
      current = { externalOrderId: id, rows: [row] };
    },
    end,
  };
}

function hasLineCellsOnly({ cells }: Row, columns: readonly Column[]): boolean {
  let hasLineCell = false;
  for (const column of columns) {
    if (fieldText(column, cells) === '') continue;
    if (!column.isLine) return false;
    hasLineCell = true;
  }
  return hasLineCell;
}
