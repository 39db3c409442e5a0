import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInShard } from '../../../src/import/orders/plan-import.ts';

/** The numbers of the shards that an order is in. */
function shardsOf(externalOrderId: string, count: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return numbers.filter((number) => isInShard(externalOrderId, { number, count }));
}

describe('isInShard', () => {
  // Computed in Python. They must never change: different releases may import shards of one file.
  it.each<[string, Record<number, number>]>([
    ['UB-10001', { 1: 1, 2: 2, 3: 2, 4: 2, 7: 5, 1000: 446, 1024: 798 }],
    ['UB-10002', { 1: 1, 2: 1, 3: 2, 4: 3, 7: 2, 1000: 883, 1024: 443 }],
    ['#1013', { 1: 1, 2: 2, 3: 3, 4: 4, 7: 7, 1000: 680, 1024: 136 }],
    ['1013', { 1: 1, 2: 2, 3: 2, 4: 4, 7: 5, 1000: 560, 1024: 440 }],
    ['Захиалга-7', { 1: 1, 2: 2, 3: 2, 4: 4, 7: 3, 1000: 604, 1024: 132 }],
    ['', { 1: 1, 2: 2, 3: 2, 4: 2, 7: 2, 1000: 550, 1024: 86 }],
  ])('puts %j into the same shards as ever', (externalOrderId, shards) => {
    for (const [count, number] of Object.entries(shards)) {
      expect([count, shardsOf(externalOrderId, Number(count))]).toEqual([count, [number]]);
    }
  });

  it('puts every order into exactly one shard', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 1024 }),
        (externalOrderId, count) => {
          expect(shardsOf(externalOrderId, count)).toHaveLength(1);
        },
      ),
    );
  });
});
