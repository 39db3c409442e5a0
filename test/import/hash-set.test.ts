import { expect, test } from 'vitest';
import { createHashSet, hashText } from '../../src/import/hash-set.ts';

test('tells a million similar IDs apart, and those that differ in their high bits', () => {
  const set = createHashSet();
  const ordinary = Array.from({ length: 1_000_000 }, (_, id) => hashText(`UB-${id}`));
  const twins = ordinary.slice(0, 10_000).map((hash) => (hash < 2 ** 52 ? hash + 2 ** 52 : hash - 2 ** 40));
  const hashes = [...ordinary, ...twins, 0, 1, 2 ** 53 - 2];
  expect(hashes.findIndex((hash) => !set.add(hash))).toBe(-1);
  expect(hashes.findIndex((hash) => set.add(hash))).toBe(-1);
});
