import { expect, test } from 'vitest';
import { isSendable } from '../../../src/import/orders/plan-order.ts';
import { invalidOutcome, rejectsOf } from '../../../src/import/results/rejects.ts';
import { fixture, planFile } from '../tables.ts';

const tooFew = 'add the delimiter that is missing in the row, or the cells at its end';

test('a row of another width is an error of its order, and of nothing else', async () => {
  const { all, isBroken, counts } = await planFile(fixture('import/rows-of-other-widths.csv'));
  expect(isBroken).toBe(false);
  expect(counts).toMatchObject({ orders: 5, invalid: 3, rows: 6 });
  expect(all.map((planned) => [planned.externalOrderId, isSendable(planned)])).toEqual([
    ['A-1', true],
    ['A-2', false],
    ['A-3', false],
    ['A-4', false],
    ['A-5', true],
  ]);
  expect(all.flatMap(({ problems }) => problems)).toMatchObject([
    {
      about: 'order',
      severity: 'error',
      code: 'row_width',
      externalOrderId: 'A-2',
      row: 3,
      line: 3,
      problem: 'row 3 has 7 cells, but the header has 6',
      fix: 'put the cell with the extra delimiter in quotes, or remove that delimiter',
    },
    { code: 'row_width', row: 4, problem: 'row 4 has 5 cells, but the header has 6', fix: tooFew },
    // Its rows are far apart.
    { code: 'row_width', externalOrderId: 'A-4', row: 7, problem: 'row 7 has 5 cells, but the header has 6' },
  ]);
});

test('the rejects of its order keep the cells that it has', async () => {
  const { all } = await planFile(fixture('import/rows-of-other-widths.csv'));
  const rejects = all
    .filter((planned) => !isSendable(planned))
    .flatMap((planned) => rejectsOf(planned, invalidOutcome(planned)));
  expect(rejects.map(({ row, ownCells, code }) => [row, ownCells?.join('|'), code])).toEqual([
    [3, 'A-2|99112234|TEA-001|NONE|25|000|call', 'row_width'],
    [4, 'A-3|99112235|TEA-002|NONE|300', 'row_width'],
    [5, undefined, 'row_width'],
    [7, 'A-4||MLK-001||', 'row_width'],
  ]);
});
