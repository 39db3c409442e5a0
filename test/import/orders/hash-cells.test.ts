import { expect, test } from 'vitest';
import { createRepeatFinder, hashCells, hashText } from '../../../src/import/orders/repeat-finder.ts';
import { createNumberList } from '../../../src/import/orders/scattered-orders.ts';

test('other cells, other hash: also when only their borders or their order differ', () => {
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

test('a million ids that are alike have a million hashes', () => {
  const finder = createRepeatFinder();
  for (let index = 0; index < 1_000_000; index++) finder.add(hashText(`UB-${index}`));
  expect([...finder.repeated()]).toEqual([]);
});

test.each([
  [[], []],
  [[1, 2, 3], []],
  [
    [3, 1, 2, 3, 1, 3],
    [1, 3],
  ],
  [
    [2 ** 53 - 1, 0, 2 ** 52, 2 ** 53 - 1, 0],
    [0, 2 ** 53 - 1],
  ],
])('of %j %j come again', (values, repeated) => {
  const finder = createRepeatFinder();
  for (const value of values) finder.add(value);
  expect([...finder.repeated()]).toEqual(repeated);
});

test('a list gives back what was put into it', () => {
  const list = createNumberList();
  for (let index = 0; index < 5000; index++) list.push(5000 - index);
  expect([list.length, list.at(0), list.at(4999), list.at(5000)]).toEqual([5000, 5000, 1, undefined]);
  expect([...list.sort().slice(0, 3)]).toEqual([1, 2, 3]);
});
