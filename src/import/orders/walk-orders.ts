import type { Mapping } from '../map/column.ts';
import type { Row, Table } from '../table/table.ts';
import { hashText } from './repeat-finder.ts';
import { withoutSkippedRows } from './row-conditions.ts';
import { createRunCutter, type Run } from './row-runs.ts';
import type { ScatteredOrders } from './scattered-orders.ts';

export interface WalkOptions {
  mapping: Mapping;
  oneRowPerOrder: boolean;
  /** Aborted: leave the file. */
  stopping: AbortSignal;
  /** Each row, and each run of rows as it lies in the file, before anything is left out. */
  onRow?(row: Row): void;
  onRun?(run: Run): void;
}

/**
 * The orders of a table from the first row to the last, some at a time, without the rows that the mapping leaves
 * out; a scattered one comes whole, where its first row is.
 */
export async function* walkOrders(
  table: Table,
  options: WalkOptions,
  scattered: ScatteredOrders | undefined,
): AsyncGenerator<Run[]> {
  const isTaken = new Uint8Array(scattered?.size ?? 0);
  for await (const runs of walkRuns(table, options)) {
    const orders: Run[] = [];
    const add = (order: Run) => {
      const left = withoutSkippedRows(order, options.mapping.skipRowsWhen);
      if (left.rows.length > 0) orders.push(left);
    };
    for (const run of runs) {
      const place = placeAmong(scattered, run);
      if (scattered === undefined || place < 0) add(run);
      else if (isTaken[place] === 0) {
        isTaken[place] = 1;
        for (const order of scattered.take(place)) add(order);
      }
    }
    yield orders;
  }
}

/** Puts aside every run of the orders that are scattered. */
export async function gatherScattered(table: Table, options: WalkOptions, scattered: ScatteredOrders) {
  for await (const runs of walkRuns(table, options)) {
    for (const run of runs) {
      const place = placeAmong(scattered, run);
      if (place >= 0) scattered.add(place, run);
    }
  }
}

async function* walkRuns(table: Table, options: WalkOptions): AsyncGenerator<Run[]> {
  const { mapping, oneRowPerOrder, stopping, onRow, onRun } = options;
  let runs: Run[] = [];
  const cutter = createRunCutter(mapping.columns, oneRowPerOrder, (run) => {
    onRun?.(run);
    runs.push(run);
  });
  for await (const batch of table.batches()) {
    stopping.throwIfAborted();
    for (const row of batch) {
      onRow?.(row);
      cutter.push(row);
    }
    yield runs;
    runs = [];
  }
  cutter.end();
  yield runs;
}

/** Rows that lost their id are an order for themselves, wherever they are. */
function placeAmong(scattered: ScatteredOrders | undefined, { externalOrderId }: Run): number {
  return scattered === undefined || externalOrderId === '' ? -1 : scattered.find(hashText(externalOrderId));
}
