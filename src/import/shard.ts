import { hash } from 'node:crypto';

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
