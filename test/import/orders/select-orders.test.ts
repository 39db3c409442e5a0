import { describe, expect, it } from 'vitest';
import { parseRowList } from '../../../src/import/choices.ts';
import { createSelector } from '../../../src/import/orders/check-orders.ts';

const order = (externalOrderId: string, rows: number[]) => ({
  externalOrderId,
  rows: rows.map((row) => ({ row, line: row, cells: [] })),
});
const orders = [order('A', [2, 5]), order('B', [3, 4]), order('C', [6, 7]), order('D', [8])];

describe('createSelector', () => {
  it.each([
    ['all orders by default', {}, 'ABCD'],
    ['a whole order by one of its rows', { rows: (row: number) => row === 5 }, 'A'],
    ['an order by its last row', { rows: (row: number) => row === 7 }, 'C'],
    ['several orders', { rows: (row: number) => row === 4 || row === 8 }, 'BD'],
    ['no orders', { rows: () => false }, ''],
    ['the first orders', { limit: 2 }, 'AB'],
    ['the first orders of the rows', { rows: (row: number) => row > 3, limit: 2 }, 'AB'],
    ['all orders when the limit is higher', { limit: 9 }, 'ABCD'],
    ['the orders of a shard', { shard: { number: 1, count: 2 } }, 'B'],
    ['the orders of the other shard', { shard: { number: 2, count: 2 } }, 'ACD'],
    ['the first order of a shard', { shard: { number: 1, count: 2 }, limit: 1 }, 'B'],
    ['the first orders of a shard', { shard: { number: 2, count: 2 }, limit: 2 }, 'AC'],
    [
      'the orders of a shard in the rows',
      { shard: { number: 2, count: 2 }, rows: (row: number) => row > 5 },
      'CD',
    ],
  ])('selects %s', (_, selection, ids) => {
    const selector = createSelector(selection);
    const selected = orders.filter((order) => {
      const mayTake = selector.mayTake(order);
      if (mayTake) selector.take();
      return mayTake;
    });
    expect(selected.map(({ externalOrderId }) => externalOrderId).join('')).toBe(ids);
  });
});

describe('parseRowList', () => {
  it.each([
    ['14', [14]],
    ['14,20-23', [14, 20, 21, 22, 23]],
    [' 2 , 4-4 ', [2, 4]],
    ['5-3', []],
  ])('%j', (text, rows) => {
    const isListed = parseRowList(text);
    expect(Array.from({ length: 30 }, (_, row) => row).filter((row) => isListed?.(row))).toEqual(rows);
  });

  it.each(['', ',', '14,', 'a', '1-', '-3', '1.5', '1-2-3', '1;2', '1234567890'])('rejects %j', (text) => {
    expect(parseRowList(text)).toBeUndefined();
  });
});
