import { describe, expect, it } from 'vitest';
import { parseMappingFile } from '../../../src/import/map/mapping-file.ts';
import { writeJson } from '../../../src/orders/json.ts';
import { plan, tableOf } from '../tables.ts';

const parse = (mapping: object) => parseMappingFile(JSON.stringify(mapping), 'mapping.json');

const form = (form: string | string[]) => ({ lines: { from: 'A', form } });

describe('parseMappingFile', () => {
  it('names the problems in the order of the file', () => {
    const constants = { 'customer.phonee': '99112233', externalOrderId: 'A', 'a..b': 1 };
    expect(() => parse({ constants })).toThrow(/phonee: .*externalOrderId: every.*a\.\.b: /);
  });

  it.each<[string, object, string]>([
    ['an unknown key', { colums: {} }, 'the file: Unrecognized key: "colums"'],
    ['a column without a source', { columns: { total: { join: ' ' } } }, 'columns.total'],
    ['an unknown type', { columns: { total: { from: 'T', type: 'money' } } }, 'columns.total'],
    [
      'a default for the order ID',
      { columns: { ExternalOrderId: { from: 'A', default: 'X' } } },
      'columns.ExternalOrderId: an order ID',
    ],
    [
      'an order ID without a cell',
      { columns: { externalOrderId: { when: { A: 'x' }, else: 'X' } } },
      'columns.externalOrderId: an order ID',
    ],
    ['a constant order ID', { constants: { externalOrderId: 'A' } }, 'constants.externalOrderId: every'],
    [
      'a misspelled constant',
      { constants: { 'customer.phonee': '99112233' } },
      'constants.customer.phonee: not a field of an order; did you mean customer.phone?',
    ],
    [
      'an invalid path of a constant',
      { constants: { 'a..b': 1 } },
      'constants.a..b: "a..b" is not a field path',
    ],
    ['an unsafe path of a constant', { constants: { 'a.constructor': 1 } }, 'constants.a.constructor'],
    ['an invalid condition', { skip_rows_when: { Status: 5 } }, 'skip_rows_when.Status'],
    [
      'a misspelled field of a form',
      form('{items[].skuu} x'),
      'lines.form: items[].skuu is not a field of an order; did you mean items[].sku?',
    ],
    [
      'a field of a form with two letters too many',
      form('{customer.phoneee} x'),
      'lines.form: customer.phoneee is not a field of an order; did you mean customer.phone?',
    ],
    ['an invalid field of a form', form('{items[[}'), 'lines.form: "items[[" is not a field path'],
    ['an unsafe field of a form', form('{__proto__.x}'), 'lines.form: "__proto__" cannot be part'],
    ['a field of a form without a name', form('{}'), 'lines.form: "" is not a field path'],
    [
      'a form that is not closed',
      form('{items[].sku} x {items[].name'),
      'lines.form: "{items[].sku} x {items[].name" needs',
    ],
    ['a form without a field', form('{*}'), 'lines.form: "{*}" needs fields'],
    ['a field of the order in a form', form('{total}'), 'lines.form: "total" is not a field of a line'],
    ['one line in a form', form('{items[0].sku}'), 'lines.form: "items[0].sku" is not a field of a line'],
    [
      'a field twice in a form',
      form('{items[].n:number} {items[].n}'),
      'lines.form: items[].n is listed twice',
    ],
    ['an invalid second form', form(['{items[].sku}', '{items[].sku} {b}']), 'lines.form: "b" is not'],
    [
      'an invalid field of named parts',
      { lines: { from: 'A', parts: '|', fields: { 'items[].constructor': 'a' } } },
      'lines.fields: "constructor"',
    ],
    [
      'a field of JSON twice',
      { lines: { from: 'A', json: true, fields: { 'items[].sku': 'a', 'items[].SKU': 'b' } } },
      'lines.fields: items[].sku is listed twice',
    ],
    [
      'an invalid field side by side',
      { lines: [{ wide: { '{n}': 'items[].sku' } }, { wide: { '{n}': 'sku' } }] },
      'lines.1.wide: "sku" is not',
    ],
  ])('rejects %s', (_, mapping, problem) => {
    expect(() => parse(mapping)).toThrow(problem);
    expect(() => parse(mapping)).toThrow(
      expect.objectContaining({ code: 'configuration_invalid', exitCode: 2 }),
    );
  });

  it('takes one field for several columns side by side', () => {
    const lines = {
      wide: { 'Quantity {n}': 'items[].quantity:number', 'Net {n}': 'items[].quantity:number' },
    };
    expect(parse({ lines }).lines).toEqual(lines);
  });

  it('rejects text that is not JSON', () => {
    expect(() => parseMappingFile('{', 'mapping.json')).toThrow('mapping.json is not a valid mapping: ');
    expect(() => parseMappingFile('[]', 'mapping.json')).toThrow('the file: ');
  });
});

/** The orders that a mapping makes of rows, without their external order IDs. */
async function orders(mapping: object, header: string, ...rows: string[]) {
  const map = parse({
    ...mapping,
    columns: { externalOrderId: 'No', ...(mapping as { columns?: object }).columns },
  });
  const { all, counts, problems } = await plan(tableOf(header, ...rows), {
    map,
    constants: map.constants,
    allRules: false,
  });
  return {
    orders: all.map(({ order: { externalOrderId: _, ...order } }) => order),
    skipped: counts.skippedRows,
    problems: problems.map(({ first }) => `${first.row} ${first.column} ${first.code}`),
  };
}

describe('a mapping file', () => {
  it('joins cells to the order ID, or uses the first one with text', async () => {
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

  it('reads the first column with text in any row of the order', async () => {
    const columns = { 'customer.phone': { from: ['Shipping Phone', 'Phone'] } };
    const header = 'No|Phone|Shipping Phone';
    expect(await orders({ columns }, header, 'A|1|2', 'A|1|', 'B|3|', 'B||')).toMatchObject({
      orders: [{ customer: { phone: '2' } }, { customer: { phone: '3' } }],
      problems: ['5 undefined line_lost'],
    });
    expect((await orders({ columns }, header, 'A|1|', 'A|2|')).problems).toEqual(['3 B field_conflict']);
  });

  it('joins the cells that are not blank', async () => {
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

  it('strips prefixes and applies types', async () => {
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

  it('collects the amount of unpaid orders only', async () => {
    const columns = {
      collectionMode: { from: 'Mode', when: { Payment: ['COD', 'cash on delivery'] }, else: 'NONE' },
      collectionAmount: { from: 'Total', when: { payment: 'cod' } },
    };
    const { orders: found, problems } = await orders(
      { columns },
      'No|Mode|Payment|Total|items[].sku',
      'A|COLLECT|COD|500|X',
      'A||||Y',
      'B|COLLECT|card|700|Z',
      'C|COLLECT||900|Z',
    );
    expect(problems).toEqual([]);
    expect(found).toEqual([
      { collectionMode: 'COLLECT', collectionAmount: '500', items: [{ sku: 'X' }, { sku: 'Y' }] },
      { collectionMode: 'NONE', items: [{ sku: 'Z' }] },
      { collectionMode: 'NONE', items: [{ sku: 'Z' }] },
    ]);
  });

  it('sets fixed texts by conditions', async () => {
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

  it('fills in defaults once per order and once per line', async () => {
    const columns = {
      'deliveryAddress.city': { from: 'City', default: 'Улаанбаатар' },
      'items[].name': { from: 'Name', default: 'Goods' },
      'items[].sku': 'SKU',
    };
    const { orders: found } = await orders(
      { columns },
      'No|City|SKU|Name',
      'A||X|',
      'A|Дархан|Y|Tea',
      'B||X|',
      'B|||',
      'C|||',
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

  it('skips rows', async () => {
    const mapping = { skip_rows_when: { Cancelled: '*', Kind: ['gift', 'sample'] } };
    const rows = ['A|1|gift', 'B||gift', 'C|1|tea', 'D|2|SAMPLE', 'E||'];
    const { skipped, orders: left } = await orders(mapping, 'No|Cancelled|Kind', ...rows);
    expect([skipped, left.length]).toEqual([2, 3]);
  });

  it('skips a whole order when only its first row meets the condition', async () => {
    const mapping = { columns: { 'items[].sku': 'SKU' }, skip_rows_when: { Cancelled: '*' } };
    const rows = ['A||X', 'B|yes|Y', '||Z', 'C||V', 'B||W', 'C||U'];
    expect(await orders(mapping, 'No|Cancelled|SKU', ...rows)).toEqual({
      orders: [{ items: [{ sku: 'X' }] }, { items: [{ sku: 'V' }, { sku: 'U' }] }],
      skipped: 3,
      problems: [],
    });
  });

  it('skips single lines when each row has a value', async () => {
    const mapping = { columns: { 'items[].sku': 'SKU', total: 'Total' }, skip_rows_when: { SKU: 'GIFT' } };
    const rows = ['A|X|5', 'A|GIFT|', 'A|Y|', 'B|GIFT|7', 'B|X|'];
    expect(await orders(mapping, 'No|SKU|Total', ...rows)).toMatchObject({
      orders: [{ items: [{ sku: 'X' }, { sku: 'Y' }], total: '5' }, { items: [{ sku: 'X' }] }],
      skipped: 2,
    });
  });

  it('reports orders that are not to be delivered', async () => {
    const mapping = { refuse_rows_when: { Way: 'Store', Note: '' } };
    const { problems } = await orders(mapping, 'No|Way|Note', 'A|store|', 'B|store|x', 'C||');
    expect(problems).toEqual(['2 B pickup_not_deliverable']);
  });

  it('sets the constants in every order', async () => {
    const constants = { collectionMode: 'NONE', 'meta.n': 1.5, tags: ['a'] };
    const { orders: found } = await orders({ constants }, 'No|x.y', 'A|1');
    expect(JSON.stringify(found)).toContain('"collectionMode":"NONE"');
    expect(writeJson(found[0] ?? {})).toContain('"meta":{"n":1.5}');
  });
});

describe('a name that is a prototype', () => {
  it.each([
    ['{"__proto__":{"columns":{"externalOrderId":"Id"}}}', '__proto__'],
    ['{"columns":{"externalOrderId":"Id","__proto__":"Phone"}}', 'columns.__proto__'],
    ['{"columns":{"constructor":{"from":"Id"}}}', 'columns.constructor'],
    ['{"columns":{"total":{"from":"Sum","values":{"prototype":"1"}}}}', 'columns.total.values.prototype'],
    ['{"constants":{"note":{"deep":[{"__proto__":{"admin":true}}]}}}', 'constants.note.deep.0.__proto__'],
    ['{"skip_rows_when":{"__proto__":"x"}}', 'skip_rows_when.__proto__'],
    ['{"address":[{"street":"A"},{"constructor":"B"}]}', 'address.1.constructor'],
  ])('is an error that names it: %s', (text, place) => {
    const name = place.split('.').at(-1);
    expect(() => parseMappingFile(text, 'map.json')).toThrow(
      expect.objectContaining({
        code: 'configuration_invalid',
        exitCode: 2,
        message: `map.json is not a valid mapping: ${place}: "${name}" cannot be a name in a mapping.`,
      }),
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
