import type { Mapping } from '../map/column.ts';
import type { Row, Table } from '../table/table.ts';
import { withoutSkippedRows } from './row-conditions.ts';
import { createRowGrouper, type RowGroup } from './row-groups.ts';

export interface ReadOptions {
  oneRowPerOrder: boolean;
  stopping: AbortSignal;
  /** Called with each row before any is left out. */
  onRow?(row: Row): void;
}

/**
 * Reads the orders of a table, some at a time, without the rows that the mapping leaves out. `join` turns the row
 * groups of the file, in their order, into whole orders. Errors: those of reading, AbortError.
 */
export async function* readOrders(
  table: Table,
  mapping: Mapping,
  { oneRowPerOrder, stopping, onRow }: ReadOptions,
  join: (group: RowGroup) => RowGroup[],
): AsyncGenerator<RowGroup[]> {
  let orders: RowGroup[] = [];
  const grouper = createRowGrouper(mapping.columns, oneRowPerOrder, (group) => {
    for (const order of join(group)) {
      const left = withoutSkippedRows(order, mapping.skipRowsWhen);
      if (left.rows.length > 0) orders.push(left);
    }
  });
  for await (const batch of table.batches()) {
    stopping.throwIfAborted();
    for (const row of batch) {
      onRow?.(row);
      grouper.push(row);
    }
    yield orders;
    orders = [];
  }
  grouper.end();
  yield orders;
}
