import { expect, test } from 'vitest';
import { plan, tableOf } from '../../tables.ts';

const header = 'externalOrderId|customer.phone|collectionMode|items[].sku|items[].name';

test.each([
  [['ab|c', 'ab|c'], 1],
  [['ab|c', 'a|bc'], 0],
  [['ab|c', 'c|ab'], 0],
  [['ab|', '|ab'], 0],
  [['ab|c', 'AB|c'], 0],
  [['ab|c', 'a","b|c', 'ab|c'], 1],
])('of the lines %j of an order, %i repeats another', async (lines, count) => {
  const planned = await plan(tableOf(header, ...lines.map((line) => `A|99112233|NONE|${line}`)));
  const codes = planned.all.flatMap(({ problems }) => problems.map(({ code }) => code));
  expect(codes.filter((code) => code === 'duplicate_row')).toHaveLength(count);
  expect(planned.all.flatMap(({ repeated }) => repeated)).toHaveLength(count);
});
