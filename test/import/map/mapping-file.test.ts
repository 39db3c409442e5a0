import { describe, expect, it } from 'vitest';
import { parseMappingFile } from '../../../src/import/map/mapping-file.ts';
import { writeJson } from '../../../src/orders/json.ts';
import { plan, tableOf } from '../tables.ts';

const parse = (mapping: object) => parseMappingFile(JSON.stringify(mapping), 'mapping.json');

describe('a mapping file that is none', () => {
  it.each<[string, object, string]>([
    ['a key that nobody reads', { colums: {} }, 'the file: Unrecognized key: "colums"'],
    ['a column without a source', { columns: { total: { join: ' ' } } }, 'columns.total'],
    ['a type that is none', { columns: { total: { from: 'T', type: 'money' } } }, 'columns.total'],
    [
      'an id that several orders would share',
      { columns: { ExternalOrderId: { from: 'A', default: 'X' } } },
      'columns.ExternalOrderId: an order ID',
    ],
    [
      'an id that no cell holds',
      { columns: { externalOrderId: { when: { A: 'x' }, else: 'X' } } },
      'columns.externalOrderId: an order ID',
    ],
    [
      'a constant that no order shares',
      { constants: { externalOrderId: 'A' } },
      'constants.externalOrderId: every',
    ],
    [
      'a constant that is nearly a field',
      { constants: { 'customer.phonee': '99112233' } },
      'constants.customer.phonee: not a field of an order; did you mean customer.phone?',
    ],
    ['a constant nowhere', { constants: { 'a..b': 1 } }, 'constants.a..b: "a..b" is not a field path'],
    ['a constant everywhere', { constants: { 'a.constructor': 1 } }, 'constants.a.constructor'],
    ['a condition that is none', { skip_rows_when: { Status: 5 } }, 'skip_rows_when.Status'],
  ])('%s', (_, mapping, problem) => {
    expect(() => parse(mapping)).toThrow(problem);
    expect(() => parse(mapping)).toThrow(
      expect.objectContaining({ code: 'configuration_invalid', exitCode: 2 }),
    );
  });

  it('no JSON', () => {
    expect(() => parseMappingFile('{', 'mapping.json')).toThrow('mapping.json is not a valid mapping: ');
    expect(() => parseMappingFile('[]', 'mapping.json')).toThrow('the file: ');
  });
});

/** The orders that a mapping makes of rows, without their own ids. */
async function orders(mapping: object, header: string, ...rows: string[]) {
  const map = parse({
    ...mapping,
    columns: { externalOrderId: 'No', ...(mapping as { columns?: object }).columns },
  });
  const { all, counts, problems } = await plan(tableOf(header, ...rows), {
    ...{ map, constants: map.constants, allRules: false },
  });
  return {
    orders: all.map(({ order: { externalOrderId: _, ...order } }) => order),
    skipped: counts.skippedRows,
    problems: problems.map(({ first }) => `${first.row} ${first.column} ${first.code}`),
  };
}

describe('a mapping', () => {
  it('makes the id of an order from the cells that tell its rows apart', async () => {
    const map = parse({
      columns: { externalOrderId: { from: ['Shop', 'No'], join: '-' }, 'items[].sku': 'SKU' },
    });
    const rows = ['UB|1|X', 'UB|1|Y', 'DA|1|X', '||Z', 'UB|1|V'];
    const { all } = await plan(tableOf('Shop|No|SKU', ...rows), { map, allRules: false });
    expect(
      all.map(({ externalOrderId, order, rows }) => [externalOrderId, order.externalOrderId, rows.length]),
    ).toEqual([
      ['UB-1', 'UB-1', 3],
      ['DA-1', 'DA-1', 2],
    ]);
    const either = parse({ columns: { externalOrderId: { from: ['New', 'Old'] }, 'items[].sku': 'SKU' } });
    const found = await plan(tableOf('New|Old|SKU', '|5|X', '5|9|Y', '|6|X', '7|6|X'), {
      map: either,
      allRules: false,
    });
    expect(found.all.map(({ externalOrderId, order }) => [externalOrderId, order.externalOrderId])).toEqual([
      ['5', '5'],
      ['6', '6'],
      ['7', '7'],
    ]);
  });

  it('takes the first column with text that any row of the order has', async () => {
    const columns = { 'customer.phone': { from: ['Shipping Phone', 'Phone'] } };
    const header = 'No|Phone|Shipping Phone';
    expect(await orders({ columns }, header, 'A|1|2', 'A|1|', 'B|3|', 'B||')).toMatchObject({
      orders: [{ customer: { phone: '2' } }, { customer: { phone: '3' } }],
      problems: [],
    });
    expect((await orders({ columns }, header, 'A|1|', 'A|2|')).problems).toEqual(['3 B field_conflict']);
  });

  it('joins cells, and leaves blank ones out', async () => {
    const columns = { 'deliveryAddress.street': { from: ['Street', 'House', 'Flat'], join: ', ' } };
    const { orders: found } = await orders(
      { columns },
      'No|Street|House|Flat',
      'A|Peace|5|12',
      'B|Peace||12',
    );
    expect(found).toEqual([
      { deliveryAddress: { street: 'Peace, 5, 12' } },
      { deliveryAddress: { street: 'Peace, 12' } },
    ]);
  });

  it('takes a prefix off, and gives a type', async () => {
    const columns = {
      externalOrderId: { from: 'No', strip_prefix: '#' },
      weight: { from: 'Weight', type: 'number' },
      'gift:boolean': 'Gift',
    };
    const map = parse({ columns });
    const { all } = await plan(tableOf('No|Weight|Gift', '#1013|1.50|true'), { map });
    expect(all[0]?.externalOrderId).toBe('1013');
    expect(JSON.stringify(all[0]?.order)).toContain('"gift":true');
    expect(String(all[0]?.order.weight)).toBe('1.50');
  });

  it('collects what the shop was not paid, and nothing else', async () => {
    const columns = {
      collectionMode: { from: 'Mode', when: { Payment: ['COD', 'cash on delivery'] }, else: 'NONE' },
      collectionAmount: { from: 'Total', when: { payment: 'cod' } },
    };
    const { orders: found, problems } = await orders(
      { columns },
      'No|Mode|Payment|Total|items[].sku',
      ...['A|COLLECT|COD|500|X', 'A||||Y', 'B|COLLECT|card|700|Z', 'C|COLLECT||900|Z'],
    );
    expect(problems).toEqual([]);
    expect(found).toEqual([
      { collectionMode: 'COLLECT', collectionAmount: '500', items: [{ sku: 'X' }, { sku: 'Y' }] },
      { collectionMode: 'NONE', items: [{ sku: 'Z' }] },
      { collectionMode: 'NONE', items: [{ sku: 'Z' }] },
    ]);
  });

  it('says itself what no cell says', async () => {
    const columns = {
      collectionMode: { when: { Payment: 'cod' }, default: 'COLLECT', else: 'NONE' },
      'items[].kind': { when: { SKU: '*' }, default: 'stock' },
      'items[].sku': 'SKU',
    };
    const rows = ['A|cod|X', 'A||Y', 'B|card|Z', 'C||Z'];
    const { orders: found } = await orders({ columns }, 'No|Payment|SKU', ...rows);
    expect(found.map(({ collectionMode }) => collectionMode)).toEqual(['COLLECT', 'NONE', 'NONE']);
    expect(found[0]?.items).toEqual([
      { sku: 'X', kind: 'stock' },
      { sku: 'Y', kind: 'stock' },
    ]);
    expect(() => parse({ columns: { total: { default: '5' } } })).toThrow('columns.total');
  });

  it('gives what is missing, once for an order and once for each line', async () => {
    const columns = {
      'deliveryAddress.city': { from: 'City', default: 'Улаанбаатар' },
      'items[].name': { from: 'Name', default: 'Goods' },
      'items[].sku': 'SKU',
    };
    const { orders: found } = await orders(
      { columns },
      'No|City|SKU|Name',
      ...['A||X|', 'A|Дархан|Y|Tea', 'B||X|', 'B|||', 'C|||'],
    );
    expect(found).toEqual([
      {
        deliveryAddress: { city: 'Дархан' },
        items: [
          { sku: 'X', name: 'Goods' },
          { sku: 'Y', name: 'Tea' },
        ],
      },
      { deliveryAddress: { city: 'Улаанбаатар' }, items: [{ sku: 'X', name: 'Goods' }] },
      { deliveryAddress: { city: 'Улаанбаатар' } },
    ]);
  });

  it('leaves rows out', async () => {
    const mapping = { skip_rows_when: { Cancelled: '*', Kind: ['gift', 'sample'] } };
    const rows = ['A|1|gift', 'B||gift', 'C|1|tea', 'D|2|SAMPLE', 'E||'];
    const { skipped, orders: left } = await orders(mapping, 'No|Cancelled|Kind', ...rows);
    expect([skipped, left.length]).toEqual([2, 3]);
  });

  it('leaves an order out whole when only its first row says why, wherever its other rows are', async () => {
    const mapping = { columns: { 'items[].sku': 'SKU' }, skip_rows_when: { Cancelled: '*' } };
    const rows = ['A||X', 'B|yes|Y', '||Z', 'C||V', 'B||W', 'C||U'];
    expect(await orders(mapping, 'No|Cancelled|SKU', ...rows)).toEqual({
      orders: [{ items: [{ sku: 'X' }] }, { items: [{ sku: 'V' }, { sku: 'U' }] }],
      ...{ skipped: 3, problems: [] },
    });
  });

  it('leaves single lines out when each row says for itself', async () => {
    const mapping = { columns: { 'items[].sku': 'SKU', total: 'Total' }, skip_rows_when: { SKU: 'GIFT' } };
    const rows = ['A|X|5', 'A|GIFT|', 'A|Y|', 'B|GIFT|7', 'B|X|'];
    expect(await orders(mapping, 'No|SKU|Total', ...rows)).toMatchObject({
      orders: [{ items: [{ sku: 'X' }, { sku: 'Y' }], total: '5' }, { items: [{ sku: 'X' }] }],
      skipped: 2,
    });
  });

  it('refuses what is not to be delivered', async () => {
    const mapping = { refuse_rows_when: { Way: 'Store', Note: '' } };
    const { problems } = await orders(mapping, 'No|Way|Note', 'A|store|', 'B|store|x', 'C||');
    expect(problems).toEqual(['2 B pickup_not_deliverable']);
  });

  it('gives every order its constants', async () => {
    const constants = { collectionMode: 'NONE', 'meta.n': 1.5, tags: ['a'] };
    const { orders: found } = await orders({ constants }, 'No|x.y', 'A|1');
    expect(JSON.stringify(found)).toContain('"collectionMode":"NONE"');
    expect(writeJson(found[0] ?? {})).toContain('"meta":{"n":1.5}');
  });
});
