import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInShard } from '../../../src/import/orders/plan-import.ts';
import cases from './shard.json' with { type: 'json' };

/** The numbers of the shards that an order is in. */
function shardsOf(externalOrderId: string, count: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return numbers.filter((number) => isInShard(externalOrderId, { number, count }));
}

describe('isInShard', () => {
  // Computed in Python. They must never change: different releases may import shards of one file.
  it.each<[string, Record<number, number>]>(cases.shards as [string, Record<number, number>][])(
    'puts %j into the same shards as ever',
    (externalOrderId, shards) => {
      for (const [count, number] of Object.entries(shards)) {
        expect([count, shardsOf(externalOrderId, Number(count))]).toEqual([count, [number]]);
      }
    },
  );

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
