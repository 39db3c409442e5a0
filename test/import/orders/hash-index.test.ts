import { expect, test } from 'vitest';
import {
  createHashIndex,
  createHashSet,
  createNumberList,
  hashCells,
  hashText,
} from '../../../src/import/orders/scattered-orders.ts';

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

test('stores a million similar IDs without a collision', () => {
  const index = createHashIndex();
  const hashes = Array.from({ length: 1_000_000 }, (_, id) => hashText(`UB-${id}`));
  for (const [id, hash] of hashes.entries()) {
    if (index.put(hash, id) !== undefined) throw new Error(`UB-${id} shares a hash`);
  }
  expect(hashes.findIndex((hash, id) => index.put(hash, id) !== id)).toBe(-1);
});

test('stores any hash and replaces values', () => {
  const index = createHashIndex();
  const hashes = [0, 1, 2 ** 32, 2 ** 46 + 1, 2 ** 47, 2 ** 52, 2 ** 53 - 1];
  for (const hash of hashes) expect([hash, index.put(hash, -1)]).toEqual([hash, undefined]);
  index.put(1, 7);
  expect(hashes.map((hash) => index.put(hash, 0))).toEqual([-1, 7, -1, -1, -1, -1, -1]);
});

test.each([0, 100, 2002, 1e12])('tells new hashes from those that a set has, %d expected', (expected) => {
  const set = createHashSet(expected);
  // Each has a twin that differs in its high bits only.
  const ordinary = Array.from({ length: 1000 }, (_, id) => hashText(`UB-${id}`));
  const twins = ordinary.map((hash) => (hash < 2 ** 52 ? hash + 2 ** 52 : hash - 2 ** 40));
  const hashes = [...ordinary, ...twins, 0, 2 ** 53 - 1];
  expect(hashes.filter((hash) => !set.add(hash))).toEqual([]);
  expect(hashes.filter((hash) => set.add(hash))).toEqual([]);
});

test('returns the numbers of a list', () => {
  const list = createNumberList();
  for (let index = 0; index < 5000; index++) list.push(5000 - index);
  expect([list.length, list.at(0), list.at(4999), list.at(5000)]).toEqual([5000, 5000, 1, undefined]);
});
