import { expect, test } from 'vitest';
import { parseMappingFile } from '../../../src/import/map/mapping-file.ts';
import { parseAssignment } from '../../../src/orders/assignment.ts';
import { fixture, plan, planFile, tableOf } from '../tables.ts';

const constants = [parseAssignment('collectionMode=NONE')];

async function lost(header: string, rows: string[], mapping: object = {}) {
  const map = parseMappingFile(JSON.stringify(mapping), 'map.json');
  const { all } = await plan(tableOf(header, ...rows), { constants, map });
  const problems = all.flatMap(({ problems }) => problems);
  return problems.filter(({ code }) => code === 'line_lost').map(({ row }) => row);
}

test('a row that gives its order nothing is an error', async () => {
  const { all } = await planFile(fixture('import/lines-lost.csv'));
  const common = { about: 'order', severity: 'error', code: 'line_lost' };
  const item = { header: 'Lineitem name', column: 'D', cause: 'item' };
  expect(all.map(({ externalOrderId, problems }) => [externalOrderId, problems])).toEqual([
    [
      'A-1',
      [
        {
          ...common,
          externalOrderId: 'A-1',
          row: 3,
          line: 3,
          cause: 'nothing',
          problem: 'this row adds nothing to its order: it has no line, and repeats what other rows say',
          fix: 'fill its SKU or item name, or remove the row',
        },
      ],
    ],
    [
      'A-2',
      [
        {
          ...common,
          ...item,
          externalOrderId: 'A-2',
          row: 4,
          line: 4,
          value: 'Mug',
          problem: 'this row gives its order no line, although it names an item',
          fix: "fill its SKU, or map the column too: --map-column 'Lineitem name=items[].name'",
        },
        expect.objectContaining({ ...common, ...item, row: 6, value: 'Shipping' }),
      ],
    ],
    ['A-3', []],
    ['A-4', [expect.objectContaining({ code: 'items_missing' })]],
  ]);
});

test.each<[string, string, string[], number[]]>([
  ['a repeated row of the order', 'externalOrderId|customer.phone|items[].sku', ['A|1|X', 'A|1|'], [3]],
  ['no mapped line at all', 'externalOrderId|customer.phone|Tags', ['A|1|x', 'A|1|y'], [3]],
  [
    'a new value of the order',
    'externalOrderId|customer.phone|items[].sku|total',
    ['A||X|', 'A|1||', 'A|||5'],
    [],
  ],
  ['another value of the order', 'externalOrderId|customer.phone|items[].sku', ['A|1|X', 'A|2|'], []],
  [
    'a line with other fields',
    'externalOrderId|customer.phone|items[].sku|items[].note',
    ['A|1|X|', 'A|||n'],
    [],
  ],
  ['an item that is mapped', 'externalOrderId|customer.phone|items[].name|SKU', ['A|1|Tea|', 'A||Mug|'], []],
  ['one row', 'externalOrderId|customer.phone|items[].sku|Product', ['A|1||Tea'], []],
  ['text that is no item', 'externalOrderId|customer.phone|items[].sku|Tags', ['A|1||Tea', 'A||X|'], []],
])('%s', async (_, header, rows, found) => {
  expect(await lost(header, rows)).toEqual(found);
});

test('a row is no lost line when a rule says so, or when its lines are in one cell', async () => {
  const header = 'externalOrderId|customer.phone|items[].sku|Kind|Product';
  const rows = ['A|1|X||', 'A|1||sum|all', 'A|1||sent|Mug'];
  expect(await lost(header, rows)).toEqual([3, 4]);
  const rules = { summary_row_when: { Kind: 'sum' }, leave_out_lines: { fulfilled: { Kind: 'sent' } } };
  expect(await lost(header, rows, rules)).toEqual([]);
  const packed = {
    lines: { from: 'Lines', between: ';', form: '{items[].sku} x {items[].quantity:number}' },
  };
  const two = ['A|1|X x 1|', 'A|1|Y x 2|'];
  expect(await lost('externalOrderId|customer.phone|Lines|Tags', two, packed)).toEqual([]);
  expect(await lost('externalOrderId|customer.phone|Lines|Tags', [...two, 'A|1||x'], packed)).toEqual([4]);
});
