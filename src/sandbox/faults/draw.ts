import { createHash } from 'node:crypto';

/**
 * From 0 up to, not including, 1: the same for the same seed and circumstances, however many requests are under
 * way and in whatever sequence they come.
 */
export function draw(seed: string, ...circumstances: readonly (string | number)[]): number {
  const text = [seed, ...circumstances].join('\n');
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}
