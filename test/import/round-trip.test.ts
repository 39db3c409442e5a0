import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planImport } from '../../src/import/plan.ts';
import { readTable } from '../../src/import/read-table.ts';
import { writeOrderBody } from '../../src/orders/order-body.ts';
import { csvRow, protectCell } from '../../src/output/csv.ts';
import { temporaryDirectory } from '../support/cli.ts';

const text = fc
  .string({
    unit: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'абвӨөҮүЁё') },
      {
        weight: 3,
        arbitrary: fc.constantFrom(',', '"', '\n', '\r\n', ';', "'", '=', '-', '+', '@', ' ', '0'),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
    ),
    minLength: 1,
    maxLength: 12,
  })
  .map((text) => `x${text}x`.replace(/^x(?=[=+\-@'0])/, ''))
  .filter((text) => !/^'/.test(text));

const line = fc.record({ sku: text, name: fc.option(text), quantity: fc.option(fc.nat()) });
const fields = fc.record({
  phone: text,
  note: fc.option(text),
  city: fc.option(text),
  lines: fc.uniqueArray(line, { minLength: 1, maxLength: 4, selector: ({ sku }) => sku }),
});
const orders = fc.uniqueArray(fc.tuple(text, fields), { minLength: 1, maxLength: 6, selector: ([id]) => id });

const header = [
  ...['externalOrderId', 'customer.phone', 'deliveryAddress.note', 'deliveryAddress.city'],
  ...['items[].sku', 'items[].name', 'items[].quantity:number'],
];

/** How an order is told: with its id on every row or only on the first, its fields repeated or left blank. */
type Manner = 'repeated' | 'blank' | 'continued';

function rowsOf([id, { phone, note, city, lines }]: [string, Fields], manner: Manner): string[][] {
  return lines.map(({ sku, name, quantity }, index) => {
    const isToldAgain = index === 0 || manner === 'repeated';
    const own = isToldAgain ? [phone, note ?? '', city ?? ''] : ['', '', ''];
    const first = index === 0 || manner !== 'continued' ? id : '';
    return [first, ...own, sku, name ?? '', quantity === null ? '' : String(quantity)];
  });
}
type Fields = typeof fields extends fc.Arbitrary<infer Value> ? Value : never;

function bodyOf([id, { phone, note, city, lines }]: [string, Fields]): string {
  const address = { ...(note === null ? {} : { note }), ...(city === null ? {} : { city }) };
  return writeOrderBody({
    externalOrderId: id,
    customer: { phone },
    items: lines.map(({ sku, name, quantity }) => ({
      sku,
      ...(name === null ? {} : { name }),
      ...(quantity === null ? {} : { quantity }),
    })),
    ...(Object.keys(address).length === 0 ? {} : { deliveryAddress: address }),
  });
}

/** Rows of several orders dealt into one file; those of one order keep their order, continuations stay below. */
function deal(groups: string[][][], picks: number[]): string[][] {
  const left = groups.map((rows) => [...rows]).filter((rows) => rows.length > 0);
  const dealt: string[][] = [];
  for (let turn = 0; left.length > 0; turn++) {
    const place = (picks[turn % picks.length] ?? 0) % left.length;
    const rows = left[place] ?? [];
    do dealt.push(rows.shift() ?? []);
    while (rows[0]?.[0] === '');
    if (rows.length === 0) left.splice(place, 1);
  }
  return dealt;
}

test('any orders, in any order of rows and columns, read back as they were', async () => {
  const path = join(temporaryDirectory(), 'orders.csv');
  await fc.assert(
    fc.asyncProperty(
      orders,
      fc.array(fc.constantFrom<Manner>('repeated', 'blank', 'continued'), { minLength: 6, maxLength: 6 }),
      fc.array(fc.nat(), { minLength: 1 }),
      fc.shuffledSubarray([...header.keys()], { minLength: header.length }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      async (given, manners, picks, columns, lineEnd, hasMark) => {
        const groups = given.map((order, index) => rowsOf(order, manners[index] ?? 'blank'));
        const rows = [header, ...deal(groups, picks)].map((cells) =>
          csvRow(columns.map((column) => protectCell(cells[column] ?? ''))),
        );
        writeFileSync(path, `${hasMark ? '\uFEFF' : ''}${rows.join(lineEnd)}${lineEnd}`);
        const plan = await planImport(await readTable(path, path, ','), {
          ...{ constants: [], oneRowPerOrder: false, repeatedRowsAreLines: false },
          ...{ today: '2026-11-20', allRules: false, stopping: new AbortController().signal },
        });
        expect(plan.problems).toEqual([]);
        expect(plan.orders.flatMap(({ problems }) => problems)).toEqual([]);
        expect(plan.orders.map(({ order }) => writeOrderBody(order)).sort()).toEqual(
          given.map(bodyOf).sort(),
        );
      },
    ),
    { numRuns: 300 },
  );
});
