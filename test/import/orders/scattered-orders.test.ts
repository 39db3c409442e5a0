import { describe, expect, it, onTestFinished } from 'vitest';
import { createScatteredOrders } from '../../../src/import/orders/scattered-orders.ts';
import { openSpill } from '../../../src/system/temporary-file.ts';
import { rowsOf } from '../tables.ts';

describe('orders whose IDs share', () => {
  const ids = ['A', 'B', 'C', 'A', '', 'D', 'B'];
  const allRows = rowsOf(...ids.map((id) => [id]));
  const groups = ids.map((externalOrderId, index) => ({
    externalOrderId,
    rows: allRows.slice(index, index + 1),
  }));
  const rows = (...indexes: number[]) => indexes.flatMap((index) => groups[index]?.rows ?? []);
  const expected = [
    { externalOrderId: 'A', rows: rows(0, 3) },
    { externalOrderId: 'B', rows: rows(1, 6) },
    { externalOrderId: 'C', rows: rows(2) },
    undefined,
    { externalOrderId: '', rows: rows(4) },
    { externalOrderId: 'D', rows: rows(5) },
    undefined,
  ];

  // The set takes 0 and 2 ** 27 for each other.
  it.each<[string, Record<string, number>, (number | undefined)[]]>([
    ['a hash', { A: 7, B: 7, C: 8, D: 7 }, [3, 3, undefined, 3]],
    [
      'the bits of a hash that the set keeps',
      { A: 0, B: 2 ** 27, C: 8, D: 2 ** 27 },
      [1, 3, undefined, undefined],
    ],
  ])('%s are not joined, and stay where they begin', (_, hashes, numbers) => {
    const spill = openSpill();
    onTestFinished(spill.remove);
    const orders = createScatteredOrders(
      () => spill,
      (id) => hashes[id] ?? 7,
    );
    expect(orders.isEmpty).toBe(true);
    for (const group of groups) orders.add(group);
    expect(orders.isEmpty).toBe(false);
    for (let pass = 0; pass < 2; pass += 1) {
      const { join, lookalikesOf } = orders.createJoiner();
      expect(groups.map(join)).toEqual(expected);
      expect(['A', 'B', 'C', 'Z'].map(lookalikesOf)).toEqual(numbers);
    }
  });
});
