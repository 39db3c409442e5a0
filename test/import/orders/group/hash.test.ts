import { expect, test } from 'vitest';
import { createHashSet, hashCells, hashText } from '../../../../src/import/orders/group/hash.ts';

test('hashes the boundaries and the order of cells', () => {
  const rows = [
    [],
    [''],
    ['', ''],
    ['ab', 'c'],
    ['a', 'bc'],
    ['c', 'ab'],
    ['ab', '', 'c'],
    ['AB', 'c'],
    ['abc'],
  ];
  const hashes = rows.map(hashCells);
  expect(new Set(hashes).size).toBe(rows.length);
  expect(hashes.every((hash) => Number.isSafeInteger(hash) && hash >= 0)).toBe(true);
  expect(hashCells(['ab', 'c'])).toBe(hashCells(['ab', 'c']));
});

test('tells a million similar IDs apart, and those that differ in their high bits', () => {
  const set = createHashSet();
  const ordinary = Array.from({ length: 1_000_000 }, (_, id) => hashText(`UB-${id}`));
  const twins = ordinary.slice(0, 10_000).map((hash) => (hash < 2 ** 52 ? hash + 2 ** 52 : hash - 2 ** 40));
  const hashes = [...ordinary, ...twins, 0, 1, 2 ** 53 - 2];
  expect(hashes.findIndex((hash) => !set.add(hash))).toBe(-1);
  expect(hashes.findIndex((hash) => set.add(hash))).toBe(-1);
});
