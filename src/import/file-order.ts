import type { Reject } from './rejects.ts';

/**
 * Rows of orders that come by their first rows → rows as the file has them. Those of an order whose rows lie far
 * apart wait until all orders before them are there.
 */
export function createFileOrder() {
  const waiting = createHeap();
  const takeBefore = (row: number): Reject[] => {
    const ready: Reject[] = [];
    while (waiting.firstRow() < row) ready.push(waiting.take());
    return ready;
  };
  return {
    /** Takes the rows of the next order; gives those that no later order can come before. */
    add: (rows: readonly Reject[]): Reject[] => {
      const ready = takeBefore(rows[0]?.row ?? 0);
      for (const row of rows) waiting.put(row);
      return ready;
    },
    end: (): Reject[] => takeBefore(Number.POSITIVE_INFINITY),
  };
}

/** Rows of which the first of the file is at hand, however many there are: no row comes before its parent. */
function createHeap() {
  const rows: Reject[] = [];
  const rowAt = (place: number) => rows[place]?.row ?? Number.POSITIVE_INFINITY;
  const swap = (place: number, other: number) => {
    [rows[place], rows[other]] = [rows[other] as Reject, rows[place] as Reject];
  };
  return {
    firstRow: () => rowAt(0),
    put: (row: Reject) => {
      let place = rows.push(row) - 1;
      for (
        let parent = (place - 1) >> 1;
        place > 0 && rowAt(parent) > rowAt(place);
        parent = (place - 1) >> 1
      ) {
        swap(place, parent);
        place = parent;
      }
    },
    take: (): Reject => {
      swap(0, rows.length - 1);
      const first = rows.pop() as Reject;
      let place = 0;
      for (;;) {
        const child = 2 * place + (rowAt(2 * place + 2) < rowAt(2 * place + 1) ? 2 : 1);
        if (rowAt(child) >= rowAt(place)) return first;
        swap(place, child);
        place = child;
      }
    },
  };
}
