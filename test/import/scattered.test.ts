import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createScatteredOrders } from '../../src/import/orders/scattered-orders.ts';
import { writeOrderBody } from '../../src/orders/order.ts';
import { openSpill } from '../../src/system/spill.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { plan, planFile, rowsOf, tableOf } from './tables.ts';

const header = 'externalOrderId|customer.phone|items[].sku|collectionMode';
const scattered = [
  ...[
    'A|99112233|X|NONE',
    'B|99112234|Y|NONE',
    'A||Z|',
    '||W|',
    'C|99112235|X|NONE',
    'B||Y2|',
    'A|99112233|V|NONE',
  ],
];

describe('orders whose rows lie far apart', () => {
  it('are one order each, where their first rows are', async () => {
    const { all, survey } = await plan(tableOf(header, ...scattered));
    expect(all.map(({ externalOrderId, rows }) => [externalOrderId, rows.map(({ row }) => row)])).toEqual([
      ['A', [2, 4, 5, 8]],
      ['B', [3, 7]],
      ['C', [6]],
    ]);
    expect(all.flatMap(({ problems }) => problems)).toEqual([]);
    expect(survey).toMatchObject({ orders: 3, selected: 3, invalid: 0, rows: 7, lastRow: 8 });
    expect(survey.totals.lines).toBe(7);
  });

  it('are checked whole, so that no part of one is a problem', async () => {
    const { problems } = await plan(tableOf(header, ...scattered, 'C|99112236||', 'A|99112233|X|NONE'));
    expect(problems.map(({ first }) => `${first.row} ${first.code}`)).toEqual([
      '10 duplicate_row',
      '9 field_conflict',
    ]);
  });

  it.each<[string, { rows?: (row: number) => boolean; limit?: number }, string]>([
    ['the first', { limit: 2 }, 'AB'],
    ['by a later row', { rows: (row) => row === 7 }, 'B'],
    ['the first by rows', { rows: (row) => row > 4, limit: 2 }, 'AB'],
  ])('are selected as others are: %s', async (_, selection, ids) => {
    const { read, survey } = await plan(tableOf(header, ...scattered), { selection });
    const selected = read.filter(({ isSelected }) => isSelected);
    expect(selected.map(({ planned }) => planned.externalOrderId).join('')).toBe(ids);
    expect([survey.selected, survey.totals.orders]).toEqual([ids.length, ids.length]);
  });

  it('may be all of them, each row in another place', async () => {
    const path = join(temporaryDirectory(), 'sorted-by-sku.csv');
    const rows = Array.from({ length: 3 }, (_, line) =>
      Array.from({ length: 2000 }, (_, order) => `${order},99112233,SKU-${line},NONE`),
    );
    writeFileSync(path, `${header.replaceAll('|', ',')}\n${rows.flat().join('\n')}\n`);
    const { all, survey } = await planFile(path);
    expect([survey.orders, survey.invalid, survey.totals.lines]).toEqual([2000, 0, 6000]);
    expect(writeOrderBody(all[1999]?.order ?? {})).toBe(
      '{"externalOrderId":"1999","customer":{"phone":"99112233"},"items":[{"sku":"SKU-0"},{"sku":"SKU-1"},{"sku":"SKU-2"}],"collectionMode":"NONE"}',
    );
  });
});

describe('ids that share a hash', () => {
  it('stay orders of their own', () => {
    const spill = openSpill();
    onTestFinished(spill.remove);
    const orders = createScatteredOrders(Float64Array.of(5, 7), spill);
    const [first, second, third] = rowsOf(['1'], ['2'], ['3']).map((row) => [row]);
    const place = orders.find(7);
    orders.add(place, { externalOrderId: 'A', rows: first ?? [] });
    orders.add(place, { externalOrderId: 'B', rows: second ?? [] });
    orders.add(place, { externalOrderId: 'A', rows: third ?? [] });
    expect(orders.take(place)).toEqual([
      { externalOrderId: 'A', rows: [...(first ?? []), ...(third ?? [])] },
      { externalOrderId: 'B', rows: second },
    ]);
    expect([orders.size, orders.find(5), orders.find(6), place, orders.take(0)]).toEqual([2, 0, -1, 1, []]);
  });
});

it('a spill gives back what was put into it, and leaves nothing', () => {
  const directory = mkdtempSync(join(temporaryDirectory(), 'x'));
  const spill = openSpill(directory);
  // Whoever ends the program leaves nothing behind; Windows keeps the names of open files.
  if (process.platform !== 'win32') expect(readdirSync(directory)).toEqual([]);
  const texts = ['first', 'Өргөө', '', 'x'.repeat(100_000)];
  const places = texts.map((text) => spill.write(text));
  expect(places.map((place) => spill.read(place))).toEqual(texts);
  spill.remove();
  expect(readdirSync(directory)).toEqual([]);
});
