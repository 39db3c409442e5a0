import { describe, expect, it } from 'vitest';
import { createLookalikeFinder } from '../../../src/import/orders/ids-alike.ts';
import type { PlanOptions } from '../../../src/import/orders/plan-import.ts';
import { foldExternalId } from '../../../src/orders/order-reference.ts';
import { plan, rowsOf, tableOf } from '../tables.ts';

const header = 'externalOrderId|customer.phone|items[].sku|collectionMode';

/** `severity: problem` of the IDs that look alike, found in the first pass over the file and again in the second. */
async function found(rows: string[], more: Partial<PlanOptions> = {}, columns = header) {
  const { problems, read } = await plan(tableOf(columns, ...rows), more);
  const again = read.flatMap(({ planned, isSelected }) => (isSelected ? planned.problems : []));
  const isAlike = ({ code }: { code: string }) => code === 'ids_alike';
  const first = problems.map(({ first }) => first).filter(isAlike);
  const others = problems.flatMap(({ first, others }) => (isAlike(first) ? others : []));
  expect(again.filter(isAlike)).toHaveLength(first.length + others.reduce((sum, count) => sum + count, 0));
  for (const problem of first) expect(again).toContainEqual(problem);
  return first.map(({ severity, row, problem }) => `${severity} ${row}: ${problem}`);
}

const twice = 'The customer is the same too, so it may be one order twice';

describe('IDs that look alike', () => {
  it.each([
    ['#12', '12', 'only zeros or a sign before it differ'],
    ['12.0', '0012', 'only zeros or a sign before it differ'],
    ['ub-1', 'UB-1', 'only upper and lower case differ'],
    ['１２', '12', 'one has full-width characters'],
    ['А-1', 'A-1', 'one has Cyrillic letters where the other has Latin ones'],
  ])(
    '%s and %s are an error when the customers are the same, else a warning',
    async (left, right, difference) => {
      const alike = `"${right}" looks like "${left}" in row 2: ${difference}`;
      expect(await found([`${left}|99112233|X|NONE`, `${right}|+976 9911-2233|Y|NONE`])).toEqual([
        `error 3: ${alike}. ${twice}`,
      ]);
      expect(await found([`${left}|99112233|X|NONE`, `${right}|88112233|Y|NONE`])).toEqual([
        `warning 3: ${alike}`,
      ]);
    },
  );

  it('name the cell and both IDs', async () => {
    const { problems } = await plan(tableOf(header, '#12|99112233|X|NONE', '12|99112233|X|NONE'));
    expect(problems.map(({ first }) => first)).toMatchObject([
      {
        code: 'ids_alike',
        row: 3,
        column: 'A',
        path: 'externalOrderId',
        value: '12',
        externalOrderId: '12',
        fix: 'remove one of them, or give them IDs that differ in more than that',
      },
    ]);
  });

  it('are compared by the external customer ID as well', async () => {
    const columns = 'externalOrderId|customer.externalCustomerId|items[].sku|collectionMode';
    const error = `error 3: "12" looks like "#12" in row 2: only zeros or a sign before it differ. ${twice}`;
    expect(await found(['#12|C-1|X|NONE', '12|C-1|X|NONE'], {}, columns)).toEqual([error]);
    expect(await found(['#12|C-1|X|NONE', '12|C-2|X|NONE'], {}, columns)).toEqual([
      'warning 3: "12" looks like "#12" in row 2: only zeros or a sign before it differ',
    ]);
    const more = `${header}|customer.externalCustomerId`;
    expect(await found(['#12|99112233|X|NONE|', '12||X|NONE|C-1'], {}, more)).toEqual([
      'warning 3: "12" looks like "#12" in row 2: only zeros or a sign before it differ',
    ]);
  });

  it('are compared by the number of a phone, however it is written', async () => {
    const [problem] = await found(['#12|99112233.0|X|NONE', '12|(976) 9911-2233|X|NONE']);
    expect(problem).toMatch(/^error/);
  });

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

  it('are held against every order with such an ID, the one of the same customer first', async () => {
    const rows = [
      '#12|99112233|X|NONE',
      '12|88112233|X|NONE',
      '0012|99112233|X|NONE',
      '12.0|95112233|X|NONE',
    ];
    expect(await found(rows)).toEqual([
      'warning 3: "12" looks like "#12" in row 2: only zeros or a sign before it differ',
      `error 4: "0012" looks like "#12" in row 2: only zeros or a sign before it differ. ${twice}`,
    ]);
    const { read } = await plan(tableOf(header, ...rows));
    expect(read[3]?.planned.problems[0]?.problem).toContain('looks like "0012" in row 4');
  });

  it('are found among orders whose rows are apart, and each order is compared once', async () => {
    const rows = [
      '#12|99112233|X|NONE',
      '7|99112233|X|NONE',
      '12|99112233|X|NONE',
      '7||Y|',
      '#12||Y|',
      '12||Z|',
    ];
    expect(await found(rows)).toEqual([
      `error 4: "12" looks like "#12" in row 2: only zeros or a sign before it differ. ${twice}`,
    ]);
  });

  it('are found whatever part of the file is selected', async () => {
    const rows = ['#12|99112233|X|NONE', '7|99112233|X|NONE', '12|99112233|X|NONE', '9|99112233|X|NONE'];
    const error = `error 4: "12" looks like "#12" in row 2: only zeros or a sign before it differ. ${twice}`;
    expect(await found(rows, { selection: { rows: (row) => row === 4 } })).toEqual([error]);
    const shards = [1, 2, 3].map((number) => found(rows, { selection: { shard: { number, count: 3 } } }));
    expect((await Promise.all(shards)).flat()).toEqual([error]);
    expect(await found(rows, { selection: { limit: 2 } })).toEqual([]);
  });

  it('are found at the two ends of a large file, and nothing else is', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => `UB-${index}|${99_000_000 + index}|X|NONE`);
    expect(await found([...rows, 'ub-7|99000007|X|NONE'])).toEqual([
      `error 3002: "ub-7" looks like "UB-7" in row 9: only upper and lower case differ. ${twice}`,
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

  it('are not looked for in blank and very long IDs, nor with --no-checks', async () => {
    expect(await found(['|99112233|X|NONE', '|99112233|X|NONE'])).toEqual([]);
    const long = 'x'.repeat(300);
    expect(await found([`${long}|99112233|X|NONE`, `${long.toUpperCase()}|99112233|X|NONE`])).toEqual([]);
    expect(await found(['#12|99112233|X|NONE', '12|99112233|X|NONE'], { allRules: false })).toEqual([]);
  });
});
