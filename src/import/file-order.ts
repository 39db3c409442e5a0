import type { Reject } from './rejects.ts';

/**
 * Rows of orders that come by their first rows → rows as the file has them. Those of an order whose rows lie far
 * apart wait until all orders before them are there.
 */
export function createFileOrder() {
  let waiting: Reject[] = [];
  return {
    /** Takes the rows of the next order; gives those that no later order can come before. */
    add: (rows: readonly Reject[]): Reject[] => {
      const first = rows[0]?.row ?? 0;
      const ready = waiting.filter(({ row }) => row < first);
      waiting = [...waiting.filter(({ row }) => row >= first), ...rows];
      return ready.sort(byRow);
    },
    end: (): Reject[] => waiting.sort(byRow),
  };
}

function byRow(left: Reject, right: Reject): number {
  return left.row - right.row;
}
