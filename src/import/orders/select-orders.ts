import { hash } from 'node:crypto';
import type { RowGroup } from './row-groups.ts';

export interface Selection {
  /** Selects rows by the number that a spreadsheet shows; an order with a selected row is selected whole. */
  rows?: ((row: number) => boolean) | undefined;
  /** How many orders at most; those of other shards are not counted. */
  limit?: number | undefined;
  shard?: Shard | undefined;
}

/** Returns whether an order is selected, when called with each order of the file in turn. */
export function createSelector({
  rows,
  limit = Number.POSITIVE_INFINITY,
  shard,
}: Selection): (order: RowGroup) => boolean {
  let selected = 0;
  return (order) => {
    const isSelected =
      selected < limit &&
      (rows === undefined || order.rows.some(({ row }) => rows(row))) &&
      (shard === undefined || isInShard(order.externalOrderId, shard));
    if (isSelected) selected += 1;
    return isSelected;
  };
}

/** `14,20-31` → whether a row is listed; undefined when the text is not such a list. */
export function parseRowList(text: string): ((row: number) => boolean) | undefined {
  const ranges = text.split(',').map((part) => /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part.trim()));
  if (ranges.some((range) => range === null)) return undefined;
  const bounds = ranges.map((range) => [Number(range?.[1]), Number(range?.[2] ?? range?.[1])] as const);
  return (row) => bounds.some(([first, last]) => row >= first && row <= last);
}

/** One of several parts of about the same size into which the orders of a file are divided: 1 of 4, say. */
export interface Shard {
  number: number;
  count: number;
}

const maxShards = 1024;

/** `2/4` → a shard, or undefined when the text is not a valid one. */
export function parseShard(text: string): Shard | undefined {
  const [, number, count] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (number === undefined || count === undefined) return undefined;
  return number >= 1 && number <= count && count <= maxShards ? { number, count } : undefined;
}

/**
 * Whether an order belongs to a shard. It depends on the ID alone, so that processes on different machines divide a
 * file in the same way: the shard number is the SHA-256 of the ID, read big-endian, modulo the count, plus 1.
 */
export function isInShard(externalOrderId: string, { number, count }: Shard): boolean {
  return BigInt(`0x${hash('sha256', externalOrderId)}`) % BigInt(count) === BigInt(number - 1);
}
