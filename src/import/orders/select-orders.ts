import { hash } from 'node:crypto';
import type { Run } from './row-runs.ts';

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

/** One of the equal parts that the orders of a file fall into: number 1 of 4, say. */
export interface Shard {
  number: number;
  count: number;
}

const mostShards = 1024;

/** `2/4` → a shard; undefined when there is no such shard. */
export function parseShard(text: string): Shard | undefined {
  const [, number, count] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (number === undefined || count === undefined) return undefined;
  return number >= 1 && number <= count && count <= mostShards ? { number, count } : undefined;
}

/**
 * Whether an order belongs to a shard: by its id alone, so that processes on any machine divide a file alike
 * without talking to each other. The number is the SHA-256 of the id, read big-endian, modulo the count, plus 1.
 */
export function isInShard(externalOrderId: string, { number, count }: Shard): boolean {
  return BigInt(`0x${hash('sha256', externalOrderId)}`) % BigInt(count) === BigInt(number - 1);
}
