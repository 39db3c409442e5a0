import { expect, test } from 'vitest';
import { isSendable } from '../../../src/import/orders/plan.ts';
import { invalidOutcome, rejectsOf } from '../../../src/import/results/files.ts';
import { fixture, planFile } from '../tables.ts';

test('the rejects of an order keep the cells of rows of another width', async () => {
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
