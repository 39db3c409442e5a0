import { expect, test } from 'vitest';
import { parseMappingFile } from '../../../src/import/map/mapping-file.ts';
import { isSendable } from '../../../src/import/orders/plan-order.ts';
import { invalidOutcome, rejectsOf } from '../../../src/import/results/rejects.ts';
import { parseAssignment } from '../../../src/orders/assignment.ts';
import { fixture, plan, planFile, tableOf } from '../tables.ts';

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

const constants = [parseAssignment('collectionMode=NONE')];

/** A table in which these rows have their own cells beside those for the header. */
function ragged(header: string, rows: string[], own: Record<number, string>) {
  const table = tableOf(header, ...rows);
  const batches = async function* () {
    for await (const batch of table.batches()) {
      yield batch.map((row) => {
        const cells = own[row.row];
        return cells === undefined ? row : { ...row, ownCells: cells.split('|') };
      });
    }
  };
  return { ...table, batches };
}

test('the cells of such a row say nothing about their columns', async () => {
  const header = 'externalOrderId|customer.phone|items[].sku|Quantity|';
  const rows = ['A|99112233|X|1|', 'B|99112234|X|12|text'];
  const whole = await plan(tableOf(header, ...rows), { constants });
  expect(whole.errors.map(({ code }) => code)).toEqual(['header_blank', 'quantity_unread']);
  const { errors } = await plan(ragged(header, rows, { 3: 'B|99112234|X|12|text|more' }), { constants });
  expect(errors.map(({ code, row }) => [code, row])).toEqual([['row_width', 3]]);
});

test('an order with such a row is not left out for a state that may be another cell', async () => {
  const map = parseMappingFile('{"leave_out":{"cancelled":{"State":"cancelled"}}}', 'map.json');
  const header = 'externalOrderId|customer.phone|items[].sku|State';
  const rows = ['A|99112233|X|', 'A||Y|cancelled', 'B|99112234|X|cancelled'];
  const { all } = await plan(ragged(header, rows, { 3: 'A||Y|more|cancelled' }), { constants, map });
  expect(all.map(({ leftOut, problems }) => [leftOut, problems.map(({ code }) => code)])).toEqual([
    [undefined, ['row_width']],
    ['cancelled', []],
  ]);
});

test.each([
  ['a title', ['A|99112233|X|n', 'Хүргэлт|||'], 'Хүргэлт', ['row_unclear']],
  ['a row that gives nothing', ['A|99112233|X|n', 'A|||'], 'A', ['row_width']],
])('%s has one problem', async (_, rows, own, codes) => {
  const table = ragged('externalOrderId|customer.phone|items[].sku|x.note', rows, { 3: own });
  const { all } = await plan(table, { constants });
  expect(all.flatMap(({ problems }) => problems.map(({ code }) => code))).toEqual(codes);
});

test('a footer may have more cells than the header', async () => {
  const table = ragged('externalOrderId|customer.phone', ['A|1', '3|record(s)'], {
    3: '3|record(s)|downloaded',
  });
  expect((await plan(table, { constants })).nonOrderRows.first).toEqual([{ row: 3, kind: 'footer' }]);
});
