import { describe, expect, it } from 'vitest';
import { createSelector, parseRowList } from '../../../src/import/orders/check-orders.ts';

const order = (externalOrderId: string, rows: number[]) => ({
  externalOrderId,
  rows: rows.map((row) => ({ row, line: row, cells: [] })),
});
const orders = [order('A', [2, 5]), order('B', [3, 4]), order('C', [6, 7]), order('D', [8])];

describe('createSelector', () => {
  it.each([
    ['all without a choice', {}, 'ABCD'],
    ['an order whole when one of its rows is meant', { rows: (row: number) => row === 5 }, 'A'],
    ['an order by a row that repeats another', { rows: (row: number) => row === 7 }, 'C'],
    ['several', { rows: (row: number) => row === 4 || row === 8 }, 'BD'],
    ['none', { rows: () => false }, ''],
    ['the first ones', { limit: 2 }, 'AB'],
    ['the first ones of the rows', { rows: (row: number) => row > 3, limit: 2 }, 'AB'],
    ['all when there are fewer', { limit: 9 }, 'ABCD'],
    ['those of a shard', { shard: { number: 1, count: 2 } }, 'B'],
    ['those of the other', { shard: { number: 2, count: 2 } }, 'ACD'],
    ['the first one of a shard', { shard: { number: 1, count: 2 }, limit: 1 }, 'B'],
    ['the first ones of a shard', { shard: { number: 2, count: 2 }, limit: 2 }, 'AC'],
    [
      'those of a shard in the rows',
      { shard: { number: 2, count: 2 }, rows: (row: number) => row > 5 },
      'CD',
    ],
  ])('takes %s', (_, selection, ids) => {
    const taken = orders.filter(createSelector(selection));
    expect(taken.map(({ externalOrderId }) => externalOrderId).join('')).toBe(ids);
  });
});

describe('parseRowList', () => {
  it.each([
    ['14', [14]],
    ['14,20-23', [14, 20, 21, 22, 23]],
    [' 2 , 4-4 ', [2, 4]],
    ['5-3', []],
  ])('%j', (text, rows) => {
    const isMeant = parseRowList(text);
    expect(Array.from({ length: 30 }, (_, row) => row).filter((row) => isMeant?.(row))).toEqual(rows);
  });

  it.each(['', ',', '14,', 'a', '1-', '-3', '1.5', '1-2-3', '1;2', '1234567890'])('%j is none', (text) => {
    expect(parseRowList(text)).toBeUndefined();
  });
});
