import { describe, expect, it } from 'vitest';
import { createLookalikeFinder } from '../../../src/import/orders/ids-alike.ts';
import { foldExternalId } from '../../../src/orders/order-reference.ts';
import { rowsOf } from '../tables.ts';

describe('IDs that look alike', () => {
  it('are told from others with the same hash', () => {
    const find = createLookalikeFinder([], () => 1);
    const [row] = rowsOf([]);
    const rows = row === undefined ? [] : [row];
    const problems = ['A', 'B', '7', 'a'].map((externalOrderId) => find({ externalOrderId, rows }));
    expect(problems.map((found) => found.map(({ problem }) => problem))).toEqual([
      [],
      [],
      [],
      ['"a" looks like "A" in row 2: only upper and lower case differ'],
    ]);
  });

  it.each([1, 10, 238, 239, 250])(
    'are found among the longest IDs, %i characters after a number',
    (length) => {
      const idOf = (index: number) => `${10_000 + index}${'A'.repeat(length)}`;
      const numbers = new Map<string, number>();
      const find = createLookalikeFinder([], (id) => {
        const folded = foldExternalId(id);
        if (!numbers.has(folded)) numbers.set(folded, numbers.size);
        return numbers.get(folded);
      });
      const rows = rowsOf([]).slice(0, 1);
      const count = Math.ceil(600_000 / (length + 22));
      for (let index = 0; index < count; index += 1) {
        expect(find({ externalOrderId: idOf(index), rows })).toEqual([]);
      }
      for (const index of [0, 1000, count - 1]) {
        const [problem] = find({ externalOrderId: idOf(index).toLowerCase(), rows });
        expect(problem?.problem).toContain(`looks like "${idOf(index)}"`);
      }
    },
  );
});
