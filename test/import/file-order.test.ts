import { expect, test } from 'vitest';
import { createFileOrder } from '../../src/import/file-order.ts';

test('rows come as the file has them, as soon as they can', () => {
  const order = createFileOrder();
  const rows = (...numbers: number[]) =>
    numbers.map((row) => ({ row, cells: [], code: '', error: '', fix: '' }));
  const given = [[2, 9], [3, 4], [5, 20], [10]].map((numbers) => order.add(rows(...numbers)));
  expect([...given, order.end()].map((some) => some.map(({ row }) => row))).toEqual([
    ...[[], [2], [3, 4], [5, 9]],
    [10, 20],
  ]);
});
