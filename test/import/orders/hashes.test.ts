import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
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

test.each([0, 100, 20_020, 1e6, 1e12])(
  'tells new hashes from those that a set has, %d expected',
  (expected) => {
    const set = createHashSet(expected);
    const ordinary = Array.from({ length: 100_000 }, (_, id) => hashText(`UB-${id}`));
    // Each has a twin that differs in its high bits only.
    const twins = ordinary.map((hash) => (hash < 2 ** 52 ? hash + 2 ** 52 : hash - 2 ** 40));
    const lowBits = Array.from({ length: 27 }, (_, bit) => 2 ** bit);
    const hashes = [...ordinary, ...twins, ...lowBits, 0, 2 ** 53 - 1];
    expect(hashes.filter((hash) => !set.add(hash))).toEqual([]);
    expect(hashes.filter((hash) => set.add(hash))).toEqual([]);
  },
);

test('tells a million similar IDs apart', () => {
  const set = createHashSet();
  const hashes = Array.from({ length: 1_000_000 }, (_, id) => hashText(`UB-${id}`));
  expect(hashes.findIndex((hash) => !set.add(hash))).toBe(-1);
  expect(hashes.findIndex((hash) => set.add(hash))).toBe(-1);
});

test('finds any number of hashes that are close together', () => {
  const near = fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 300 })).map(([home, low]) => home * 2 ** 39 + low);
  const hashes = fc.array(near, { maxLength: 200, size: 'max' });
  fc.assert(
    fc.property(hashes, fc.boolean(), (all, isFalling) => {
      const inOrder = isFalling ? [...all].sort((left, right) => right - left) : all;
      // All of them have their homes among the first or the last slots.
      for (const top of [0, 2 ** 53 - 41 * 2 ** 39]) {
        const set = createHashSet();
        const before = new Set<number>();
        for (const hash of inOrder) {
          if (set.add(top + hash) === before.has(hash)) throw new Error(`${top + hash}`);
          before.add(hash);
        }
      }
    }),
  );
});

test('returns the numbers of a list', () => {
  const list = createNumberList();
  for (let index = 0; index < 5000; index++) list.push(5000 - index);
  expect([list.length, list.at(0), list.at(4999), list.at(5000)]).toEqual([5000, 5000, 1, undefined]);
});
