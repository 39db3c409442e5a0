import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { outcomes, planRows } from '../plan-rows.ts';

/** The orders that a mapping makes of rows, without their external order IDs, and the codes of the problems. */
async function read(
  map: { columns?: object; skip_rows_when?: object },
  rows: string[],
  flags = ['--no-checks'],
) {
  const columns = { externalOrderId: 'Ref', ...map.columns };
  const { orders, problems, summary } = await planRows(rows, { flags, map: { ...map, columns } });
  return {
    ids: orders.map(({ id }) => id),
    orders: orders.map(({ order: { externalOrderId: _, ...order } = {} }) => order),
    problems: problems.map(({ at, code }) => `${at.split(',')[0]} ${code}`),
    notes: summary?.plan.notes,
  };
}

describe('a mapping file', () => {
  it('joins cells to the order ID, or takes the first one with text', async () => {
    const sku = { 'items[].sku': 'SKU' };
    const joined = { columns: { externalOrderId: { from: ['Shop', 'Ref'], join: '-' }, ...sku } };
    const found = await read(joined, ['Shop|Ref|SKU', 'UB|1|X', 'UB|1|Y', 'DA|1|X', '||Z', 'UB|1|V']);
    expect([found.ids, found.orders.map(({ items }) => items.length)]).toEqual([
      ['UB-1', 'DA-1'],
      [3, 2],
    ]);
    const either = { columns: { externalOrderId: { from: ['New', 'Old'] }, ...sku } };
    expect((await read(either, ['New|Old|SKU', '|5|X', '5|9|Y', '|6|X', '7|6|X'])).ids).toEqual([
      '5',
      '6',
      '7',
    ]);
    const stripped = { columns: { externalOrderId: { from: 'Ref', strip_prefix: '#' }, ...sku } };
    expect((await read(stripped, ['Ref|SKU', '#1013|X'])).ids).toEqual(['1013']);
  });

  it('reads no column for a field of which it says "none", whatever the columns are called', async () => {
    const rows = [
      'externalOrderId|Phone|SKU|collectionMode|customer.externalCustomerId|total',
      'A|99112233|T|NONE|c1|500',
    ];
    const none = { 'customer.phone': 'none', total: 'none' };
    const { error } = await planRows(rows, { map: { columns: none } });
    expect(error?.code).toBe('columns_undecided');
    const { orders } = await planRows(rows, { map: { columns: none, ignore: ['Phone', 'total'] } });
    expect(orders[0]?.order).toEqual({
      externalOrderId: 'A',
      customer: { externalCustomerId: 'c1' },
      items: [{ sku: 'T' }],
      collectionMode: 'NONE',
    });
    const { orders: byFlag } = await planRows(rows, {
      map: { columns: none, ignore: ['total'] },
      flags: ['--map-column', 'Phone=customer.phone'],
    });
    expect(byFlag[0]?.order?.customer).toEqual({ phone: '99112233', externalCustomerId: 'c1' });
  });

  it('reads a column that has a use although it is also listed as not read', async () => {
    const path = join(temporaryDirectory(), 'orders.csv');
    writeFileSync(path, 'Ref,Phone,SKU,Qty,Saldo\nA,99112233,TEA-1,2,900\nB,99112244,TEA-1,1,0\n');
    writeFileSync(
      `${path}.json`,
      JSON.stringify({
        columns: {
          externalOrderId: 'Ref',
          'customer.phone': 'Phone',
          'items[].sku': 'SKU',
          'items[].quantity:number': 'Qty',
        },
        amount_due: 'Saldo',
        ignore: ['Qty', 'Saldo'],
      }),
    );
    const { stderr, exitCode } = await runCli(['import', path, '--dry-run', '--map', `${path}.json`]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('to 99112233: 2 × TEA-1; collect 900 ₮');
    expect(stderr).not.toMatch(/^(?:not read|ignored) /m);
  });

  it.each<[string, object, string[], object[], string[]?]>([
    [
      'reads the first column with text in any row of the order',
      { columns: { 'customer.phone': { from: ['Shipping Phone', 'Phone'] } } },
      ['Ref|Phone|Shipping Phone', 'A|1|2', 'A|1|', 'B|3|', 'B||'],
      [{ customer: { phone: '2' } }, { customer: { phone: '3' } }],
      ['row 5 line_lost'],
    ],
    [
      'joins the cells that are not blank',
      { columns: { 'deliveryAddress.street': { from: ['Street', 'House', 'Flat'], join: ', ' } } },
      ['Ref|Street|House|Flat', 'A|Peace|5|12', 'B|Peace||12'],
      [{ deliveryAddress: { street: 'Peace, 5, 12' } }, { deliveryAddress: { street: 'Peace, 12' } }],
    ],
    [
      'applies types',
      { columns: { weight: { from: 'Weight', type: 'number' }, 'gift:boolean': 'Gift' } },
      ['Ref|Weight|Gift', 'A|1.5|true'],
      [{ weight: 1.5, gift: true }],
    ],
    [
      'collects the amount of unpaid orders only',
      {
        columns: {
          collectionMode: { from: 'Mode', when: { Payment: ['COD', 'cash on delivery'] }, else: 'NONE' },
          collectionAmount: { from: 'Total', when: { payment: 'cod' } },
        },
      },
      [
        'Ref|Mode|Payment|Total|items[].sku',
        'A|COLLECT|COD|500|X',
        'A||||Y',
        'B|COLLECT|card|700|Z',
        'C|COLLECT||900|Z',
      ],
      [
        { items: [{ sku: 'X' }, { sku: 'Y' }], collectionMode: 'COLLECT', collectionAmount: '500' },
        { items: [{ sku: 'Z' }], collectionMode: 'NONE' },
        { items: [{ sku: 'Z' }], collectionMode: 'NONE' },
      ],
    ],
    [
      'sets fixed texts by conditions',
      {
        columns: {
          collectionMode: { when: { Payment: 'cod' }, default: 'COLLECT', else: 'NONE' },
          'items[].kind': { when: { SKU: '*' }, default: 'stock' },
          'items[].sku': 'SKU',
        },
      },
      ['Ref|Payment|SKU', 'A|cod|X', 'A||Y', 'B|card|Z', 'C||Z'],
      [
        {
          collectionMode: 'COLLECT',
          items: [
            { kind: 'stock', sku: 'X' },
            { kind: 'stock', sku: 'Y' },
          ],
        },
        { collectionMode: 'NONE', items: [{ kind: 'stock', sku: 'Z' }] },
        { collectionMode: 'NONE', items: [{ kind: 'stock', sku: 'Z' }] },
      ],
    ],
    [
      'fills in defaults once per order and once per line',
      {
        columns: {
          'deliveryAddress.city': { from: 'City', default: 'Улаанбаатар' },
          'items[].name': { from: 'Name', default: 'Goods' },
          'items[].sku': 'SKU',
        },
      },
      ['Ref|City|SKU|Name', 'A||X|', 'A|Дархан|Y|Tea', 'B||X|', 'B|||', 'C|||'],
      [
        {
          deliveryAddress: { city: 'Дархан' },
          items: [
            { name: 'Goods', sku: 'X' },
            { name: 'Tea', sku: 'Y' },
          ],
        },
        { deliveryAddress: { city: 'Улаанбаатар' }, items: [{ name: 'Goods', sku: 'X' }] },
        { deliveryAddress: { city: 'Улаанбаатар' } },
      ],
      ['row 5 line_lost', 'row 6 row_unclear'],
    ],
    [
      'skips rows',
      { skip_rows_when: { Cancelled: '*', Kind: ['gift', 'sample'] } },
      ['Ref|Cancelled|Kind', 'A|1|gift', 'B||gift', 'C|1|tea', 'D|2|SAMPLE', 'E||'],
      [{}, {}, {}],
    ],
    [
      'skips a whole order when only its first row meets the condition',
      { columns: { 'items[].sku': 'SKU' }, skip_rows_when: { Cancelled: '*' } },
      ['Ref|Cancelled|SKU', 'A||X', 'B|yes|Y', '||Z', 'C||V', 'B||W', 'C||U'],
      [{ items: [{ sku: 'X' }] }, { items: [{ sku: 'V' }, { sku: 'U' }] }],
    ],
    [
      'skips single lines when each row has a value',
      { columns: { 'items[].sku': 'SKU', total: 'Total' }, skip_rows_when: { SKU: 'GIFT' } },
      ['Ref|SKU|Total', 'A|X|5', 'A|GIFT|', 'A|Y|', 'B|GIFT|7', 'B|X|'],
      [{ items: [{ sku: 'X' }, { sku: 'Y' }], total: '5' }, { items: [{ sku: 'X' }] }],
    ],
    [
      'refuses orders that are not to be delivered',
      { refuse_rows_when: { Way: 'Store', Note: '' } },
      ['Ref|Way|Note', 'A|store|', 'B|store|x', 'C||'],
      [{}, {}, {}],
      ['row 2 pickup_not_deliverable'],
    ],
    [
      'sets constants in every order',
      { constants: { collectionMode: 'NONE', 'meta.n': 1.5, tags: ['a'] } },
      ['Ref|x.y', 'A|1'],
      [{ x: { y: '1' }, collectionMode: 'NONE', meta: { n: 1.5 }, tags: ['a'] }],
    ],
    [
      'takes the texts of several columns for what it lists',
      { columns: { 'deliveryAddress.district': { from: ['A', 'B'], values: { x: 'БЗД' } } } },
      ['Ref|A|B', '1||Данс', '2||X'],
      [{ deliveryAddress: { district: 'Данс' } }, { deliveryAddress: { district: 'БЗД' } }],
      ['row 2 value_unknown'],
    ],
  ])('%s', async (_, map, rows, orders, problems = []) => {
    const found = await read(map, rows);
    expect([found.orders, found.problems]).toEqual([orders, problems]);
  });

  it('reports rows that it skips, and rows of one order that differ', async () => {
    const skip = { skip_rows_when: { Kind: 'gift' } };
    expect((await read(skip, ['Ref|Kind', 'A|gift', 'B|x', 'C|gift'])).notes).toEqual([
      '2 rows are skipped, as the mapping says.',
    ]);
    const columns = { 'customer.phone': { from: ['Shipping Phone', 'Phone'] } };
    expect((await read({ columns }, ['Ref|Phone|Shipping Phone', 'A|1|', 'A|2|'])).problems).toEqual([
      'row 3 field_conflict',
    ]);
  });

  it('lists what a text of a column stands for', async () => {
    const mode = { from: 'Pay', values: { Бэлэн: 'COLLECT', Карт: 'NONE' } };
    const columns = {
      externalOrderId: 'Ref',
      'customer.phone': 'Phone',
      'items[].sku': 'Code',
      collectionMode: mode,
      collectionAmount: 'Sum',
    };
    const rows = [
      'Ref|Phone|Code|Pay|Sum',
      '1|99112233|A|бэлэн|900',
      '2|99112234|A|Карт|',
      '3|99112235|A|Зээл|',
    ];
    expect(outcomes(await planRows(rows, { map: { columns } }))).toEqual([
      'COLLECT 900',
      'NONE',
      'value_unknown collection_mode_invalid',
    ]);
  });
});

/** The sentence of the error for a mapping file with this text. */
async function refusal(mapping: object | string) {
  const directory = temporaryDirectory();
  const path = join(directory, 'map.json');
  writeFileSync(path, typeof mapping === 'string' ? mapping : JSON.stringify(mapping));
  writeFileSync(join(directory, 'orders.csv'), 'externalOrderId,total\nA,5\n');
  const run = await runCli(['import', join(directory, 'orders.csv'), '--dry-run', '--json', '--map', path]);
  const { error } = JSON.parse(run.stderr.trim().split('\n').at(-1) ?? '');
  if (error.code === 'configuration_invalid') expect(run.exitCode).toBe(2);
  return { ...error, message: error.message.replace(`${directory}/`, '') };
}

const form = (form: string | string[]) => ({ lines: { from: 'A', form } });

describe('a mapping file is refused', () => {
  it.each<[object | string, string]>([
    ['{', 'map.json is not a valid mapping: '],
    ['[]', 'the file: '],
    [{ colums: {} }, 'the file: Unrecognized key: "colums"'],
    [{ columns: { total: { join: ' ' } } }, 'columns.total'],
    [{ columns: { total: { default: '5' } } }, 'columns.total'],
    [{ columns: { total: { from: 'T', type: 'money' } } }, 'columns.total'],
    [{ columns: { ExternalOrderId: { from: 'A', default: 'X' } } }, 'columns.ExternalOrderId: an order ID'],
    [
      { columns: { externalOrderId: { when: { A: 'x' }, else: 'X' } } },
      'columns.externalOrderId: an order ID',
    ],
    [{ constants: { externalOrderId: 'A' } }, 'constants.externalOrderId: every'],
    [
      { constants: { 'customer.phonee': '9' } },
      'constants.customer.phonee: not a field of an order; did you mean customer.phone?',
    ],
    [{ constants: { 'a..b': 1 } }, 'constants.a..b: "a..b" is not a field path'],
    [{ constants: { 'a.constructor': 1 } }, 'constants.a.constructor'],
    [{ skip_rows_when: { Status: 5 } }, 'skip_rows_when.Status'],
    [
      form('{items[].skuu} x'),
      'lines.form: items[].skuu is not a field of an order; did you mean items[].sku?',
    ],
    [
      form('{customer.phoneee} x'),
      'lines.form: customer.phoneee is not a field of an order; did you mean customer.phone?',
    ],
    [form('{items[[}'), 'lines.form: "items[[" is not a field path'],
    [form('{__proto__.x}'), 'lines.form: "__proto__" cannot be part'],
    [form('{}'), 'lines.form: "" is not a field path'],
    [form('{items[].sku} x {items[].name'), 'lines.form: "{items[].sku} x {items[].name" needs'],
    [form('{*}'), 'lines.form: "{*}" needs fields'],
    [
      { columns: { total: { from: 'Sum', sum: true, when: { Pay: 'Cash' } } } },
      'columns.total: "sum" adds up all rows of an order',
    ],
    [
      { lines: { wide: { 'SKU {n}': 'items[].sku', 'Gone {n}': 'minus' } } },
      'lines.wide: "minus" needs a column for items[].quantity',
    ],
    [form('{total}'), 'lines.form: "total" is not a field of a line'],
    [form('{items[0].sku}'), 'lines.form: "items[0].sku" is not a field of a line'],
    [form('{items[].n:number} {items[].n}'), 'lines.form: items[].n is listed twice'],
    [form(['{items[].sku}', '{items[].sku} {b}']), 'lines.form: "b" is not'],
    [
      { lines: { from: 'A', parts: '|', fields: { 'items[].constructor': 'a' } } },
      'lines.fields: "constructor"',
    ],
    [
      { lines: { from: 'A', json: true, fields: { 'items[].sku': 'a', 'items[].SKU': 'b' } } },
      'lines.fields: items[].sku is listed twice',
    ],
    [
      { lines: [{ wide: { '{n}': 'items[].sku' } }, { wide: { '{n}': 'sku' } }] },
      'lines.1.wide: "sku" is not',
    ],
  ])('%j', async (mapping, sentence) => {
    const { code, message } = await refusal(mapping);
    expect([code, message]).toEqual(['configuration_invalid', expect.stringContaining(sentence)]);
  });

  it('for its problems in the order of the file', async () => {
    const constants = { 'customer.phonee': '99112233', externalOrderId: 'A', 'a..b': 1 };
    expect((await refusal({ constants })).message).toMatch(/phonee: .*externalOrderId: every.*a\.\.b: /);
  });

  it.each([
    ['{"__proto__":{"columns":{"externalOrderId":"Id"}}}', '__proto__'],
    ['{"columns":{"externalOrderId":"Id","__proto__":"Phone"}}', 'columns.__proto__'],
    ['{"columns":{"constructor":{"from":"Id"}}}', 'columns.constructor'],
    ['{"columns":{"total":{"from":"Sum","values":{"prototype":"1"}}}}', 'columns.total.values.prototype'],
    ['{"constants":{"note":{"deep":[{"__proto__":{"admin":true}}]}}}', 'constants.note.deep.0.__proto__'],
    ['{"skip_rows_when":{"__proto__":"x"}}', 'skip_rows_when.__proto__'],
    ['{"address":[{"street":"A"},{"constructor":"B"}]}', 'address.1.constructor'],
  ])('for a name that is a prototype: %s', async (text, place) => {
    expect((await refusal(text)).message).toBe(
      `map.json is not a valid mapping: ${place}: "${place.split('.').at(-1)}" cannot be a name in a mapping.`,
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('for each open question, by its path', async () => {
    const { message, issues } = await refusal({
      columns: { externalOrderId: '?', 'customer.phone': '? Teléfono | Móvil', 'items[].sku': '? Código' },
      values: { Pago: { Tarjeta: '? prepaid | collect | leave_out', '': '? collect' } },
      unpaid: '? collect | prepaid',
    });
    expect(message).toBe('map.json has 6 open questions.');
    expect(
      issues.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`),
    ).toEqual([
      'columns.externalOrderId: write the name of its column',
      'columns.customer.phone: choose Teléfono or Móvil, and write only that',
      'columns.items[].sku: write Código if that is right',
      'values.Pago.Tarjeta: choose prepaid, collect or leave_out, and write only that',
      'values.Pago.(blank): write collect if that is right',
      'unpaid: choose collect or prepaid, and write only that',
    ]);
  });

  it('not for a text that only has a question mark, nor for one field of several columns side by side', async () => {
    const columns = { externalOrderId: 'Order?', 'items[].sku': '?SKU' };
    expect((await read({ columns }, ['Order?|?SKU', '1|X'])).orders).toEqual([{ items: [{ sku: 'X' }] }]);
  });
});
