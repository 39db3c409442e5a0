import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createScatteredOrders } from '../../../src/import/orders/scattered-orders.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { openSpill } from '../../../src/system/spill.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import { plan, planFile, rowsOf, tableOf } from '../tables.ts';

const header = 'externalOrderId|customer.phone|items[].sku|collectionMode';
const scattered = [
  'A|99112233|X|NONE',
  'B|99112234|Y|NONE',
  'A||Z|',
  '||W|',
  'C|99112235|X|NONE',
  'B||Y2|',
  'A|99112233|V|NONE',
];

describe('orders with scattered rows', () => {
  it('are joined at their first row', async () => {
    const { all, counts, totals } = await plan(tableOf(header, ...scattered));
    expect(all.map(({ externalOrderId, rows }) => [externalOrderId, rows.map(({ row }) => row)])).toEqual([
      ['A', [2, 4, 5, 8]],
      ['B', [3, 7]],
      ['C', [6]],
    ]);
    expect(all.flatMap(({ problems }) => problems)).toEqual([]);
    expect(counts).toMatchObject({ orders: 3, selected: 3, invalid: 0, rows: 7, lastRow: 8 });
    expect(totals.lines).toBe(7);
  });

  it('stay where they begin, also when their IDs look alike', async () => {
    const rows = ['#12|99112233|X|NONE', '7|99112234|X|NONE', '12|99112235|X|NONE', '#12||Y|', '12||Z|'];
    const { all, read } = await plan(tableOf(header, ...rows));
    const placesOf = (orders: readonly { externalOrderId: string; rows: readonly { row: number }[] }[]) =>
      orders.map(({ externalOrderId, rows }) => [externalOrderId, rows.map(({ row }) => row)]);
    const expected = [
      ['#12', [2, 5]],
      ['7', [3]],
      ['12', [4, 6]],
    ];
    expect(placesOf(all)).toEqual(expected);
    expect(placesOf(read.map(({ planned }) => planned))).toEqual(expected);
  });

  it('are checked as a whole', async () => {
    const { problems } = await plan(tableOf(header, ...scattered, 'C|99112236||', 'A|99112233|X|NONE'));
    expect(problems.map(({ first }) => `${first.row} ${first.code}`)).toEqual([
      '10 duplicate_row',
      '9 field_conflict',
    ]);
  });

  it.each<[string, { rows?: (row: number) => boolean; limit?: number }, string]>([
    ['a limit', { limit: 2 }, 'AB'],
    ['a later row', { rows: (row) => row === 7 }, 'B'],
    ['rows and a limit', { rows: (row) => row > 4, limit: 2 }, 'AB'],
  ])('are selected by %s', async (_, selection, ids) => {
    const { read, counts, totals } = await plan(tableOf(header, ...scattered), { selection });
    const selected = read.filter(({ isSelected }) => isSelected);
    expect(selected.map(({ planned }) => planned.externalOrderId).join('')).toBe(ids);
    expect([counts.selected, totals.orders]).toEqual([ids.length, ids.length]);
  });

  it('are joined in a file sorted by SKU', async () => {
    const path = join(temporaryDirectory(), 'sorted-by-sku.csv');
    const rows = Array.from({ length: 3 }, (_, line) =>
      Array.from({ length: 2000 }, (_, order) => `${order},99112233,SKU-${line},NONE`),
    );
    writeFileSync(path, `${header.replaceAll('|', ',')}\n${rows.flat().join('\n')}\n`);
    const { all, counts, totals } = await planFile(path);
    expect([counts.orders, counts.invalid, totals.lines]).toEqual([2000, 0, 6000]);
    expect(writeOrderBody(all[1999]?.order ?? {})).toBe(
      '{"externalOrderId":"1999","customer":{"phone":"99112233"},"items":[{"sku":"SKU-0"},{"sku":"SKU-1"},{"sku":"SKU-2"}],"collectionMode":"NONE"}',
    );
  });
});

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
