import { expect, test } from 'vitest';
import { createFileOrder } from '../../../src/import/results/files.ts';

test('returns rows in file order, as early as possible', () => {
  const order = createFileOrder();
  const rows = (...numbers: number[]) =>
    numbers.map((row) => ({ row, cells: [], code: '', error: '', fix: '' }));
  const given = [[2, 9], [3, 4], [5, 20], [10]].map((numbers) => order.add(rows(...numbers)));
  expect([...given, order.end()].map((some) => some.map(({ row }) => row))).toEqual([
    [],
    [2],
    [3, 4],
    [5, 9],
    [10, 20],
  ]);
});

test('sorts the rows of orders that are all scattered', () => {
  const count = 5_000;
  const order = createFileOrder();
  const found: number[] = [];
  const take = (some: readonly { row: number }[]) => {
    for (const { row } of some) found.push(row);
  };
  // Every order has a row in each half of the file, the second ones in another order.
  for (let row = 2; row < count + 2; row++) {
    const far = count + 2 + ((row * 7919) % count);
    take(order.add([row, far].map((row) => ({ row, cells: [], code: '', error: '', fix: '' }))));
  }
  take(order.end());
  expect(found).toEqual(Array.from({ length: 2 * count }, (_, index) => index + 2));
});
