import type { Run } from './row-runs.ts';
import { isInShard, type Shard } from './shard.ts';

export interface Selection {
  /** Rows as a spreadsheet numbers them; an order with one of them is taken whole. */
  rows?: ((row: number) => boolean) | undefined;
  /** The most orders; those of other shards do not count. */
  limit?: number | undefined;
  shard?: Shard | undefined;
}

/** Asked of each order of a file in turn: whether it is one of those that are meant. */
export function createSelector({
  rows,
  limit = Number.POSITIVE_INFINITY,
  shard,
}: Selection): (order: Run) => boolean {
  let taken = 0;
  return (order) => {
    const isMeant =
      taken < limit &&
      (rows === undefined || order.rows.some(({ row }) => rows(row))) &&
      (shard === undefined || isInShard(order.externalOrderId, shard));
    if (isMeant) taken += 1;
    return isMeant;
  };
}

/** `14,20-31` → whether a row is one of them; undefined when it is no such list. */
export function parseRowList(text: string): ((row: number) => boolean) | undefined {
  const ranges = text.split(',').map((part) => /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part.trim()));
  if (ranges.some((range) => range === null)) return undefined;
  const bounds = ranges.map((range) => [Number(range?.[1]), Number(range?.[2] ?? range?.[1])] as const);
  return (row) => bounds.some(([first, last]) => row >= first && row <= last);
}
