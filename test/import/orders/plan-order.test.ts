import { describe, expect, it } from 'vitest';
import type { PlanOptions } from '../../../src/import/orders/plan-import.ts';
import { isSendable } from '../../../src/import/orders/plan-order.ts';
import { parseAssignment } from '../../../src/orders/assignment.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { parseJson } from '../../../src/orders/parse-json.ts';
import { fixture, plan, planFile, tableOf } from '../tables.ts';

const header = 'externalOrderId|customer.phone|items[].sku|collectionMode';

describe('planned orders', () => {
  it('have a body and the rows that it comes from', async () => {
    const table = tableOf(`${header}|Tags`, 'A| 99112233 |X|NONE|vip', 'A||Y||', 'B|99112234|X|NONE|');
    const planned = await plan(table);
    expect(planned).toMatchObject({ problems: [], counts: { rows: 3 }, mapping: { unsent: ['Tags'] } });
    expect(planned.all.map(({ order, rows }) => [writeOrderBody(order), rows.map(({ row }) => row)])).toEqual(
      [
        [
          '{"externalOrderId":"A","customer":{"phone":"99112233"},"items":[{"sku":"X"},{"sku":"Y"}],"collectionMode":"NONE"}',
          [2, 3],
        ],
        [
          '{"externalOrderId":"B","customer":{"phone":"99112234"},"items":[{"sku":"X"}],"collectionMode":"NONE"}',
          [4],
        ],
      ],
    );
    expect(planned.all.every(isSendable)).toBe(true);
  });

  it('have no problems in fixtures/orders.csv', async () => {
    const { all, problems, counts } = await planFile(fixture('orders.csv'));
    expect({ problems, rows: counts.rows, orders: all.length }).toEqual({
      problems: [],
      rows: 535,
      orders: 264,
    });
    expect(all.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('have the problems of fixtures/orders-invalid.csv, by row and column', async () => {
    const { all: orders } = await planFile(fixture('orders-invalid.csv'));
    const found = orders.flatMap(({ problems }) =>
      problems.map(({ row, column, code, value }) => `${row}${column ?? ''} ${code} ${value ?? ''}`.trim()),
    );
    expect(found).toEqual([
      '3 customer_missing',
      '4C phone_invalid утасгүй',
      '5C phone_damaged 9.91E+07',
      '8 items_missing',
      '9I collection_mode_invalid collect',
      '10 collection_mode_missing',
      '12J collection_amount_not_allowed 5000',
      '13 collection_amount_required',
      '14J collection_amount_required 0',
      '16K decimal_invalid 1e5',
      '17K decimal_ambiguous 25,000',
      '18J decimal_invalid -5',
      '19K decimal_invalid 100,5',
      '21L date_invalid 2026-02-29',
      '22L date_invalid 2030-04-31',
      '23C phone_implausible +1 212 555 1212',
      '24L date_past 2020-01-15',
      '25J collection_amount_required 0.00',
      '25L date_invalid 2030-06-31',
      '26I collection_mode_invalid CASH',
      '30 external_order_id_missing',
    ]);
    expect(orders.filter(isSendable).map(({ externalOrderId }) => externalOrderId)).toEqual([
      'good-prepaid',
      'good-two-rows',
      'good-collect',
      'good-no-date',
      'good-ad-hoc-line',
      'warn-phone-implausible',
      'warn-date-past',
      'good-known-customer',
    ]);
  });

  it('have the problem of a line at the row of that line', async () => {
    const table = tableOf(`${header}|items[].qty:number`, 'A|99112233|X|NONE|1', 'A||||2|', '|||');
    const { all: orders } = await plan(table, { constants: [parseAssignment('items[].sku= ')] });
    expect(orders[0]?.problems.map(({ code, row, path, header }) => [code, row, path, header])).toEqual([
      ['sku_blank', 2, 'items[0].sku', undefined],
      ['sku_blank', 3, 'items[1].sku', undefined],
    ]);
  });

  it('do not merge overlapping exports, nor a line with another order', async () => {
    const overlapping = await planFile(fixture('import/overlapping-exports.csv'));
    expect(
      overlapping.all.map(({ externalOrderId, rows, repeated, problems }) => [
        externalOrderId,
        ...[rows, repeated].map((some) => some.map(({ row }) => row)),
        problems.map(({ code, row }) => `${row} ${code}`),
      ]),
    ).toEqual([
      ['A-1', [2, 3], [5, 6], ['5 duplicate_row', '6 duplicate_row']],
      ['A-2', [4], [], []],
      ['A-3', [7], [], []],
    ]);
    const { all: orders } = await planFile(fixture('import/lost-id.csv'));
    expect(orders.map(({ externalOrderId, rows }) => [externalOrderId, rows.length])).toEqual([
      ['A-1', 1],
      ['', 2],
      ['A-3', 1],
    ]);
    expect(orders.map(isSendable)).toEqual([true, false, true]);
  });

  it('still need valid amounts and an external order ID when other rules are off', async () => {
    const table = tableOf('externalOrderId|collectionMode|total:number', 'A|CASH|5', '|NONE|');
    const { all: orders } = await plan(table, { allRules: false });
    expect(orders.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
      ['decimal_invalid'],
      ['external_order_id_missing'],
    ]);
  });

  it('have only the damage as the problem of a damaged text', async () => {
    const table = tableOf(`${header}|total`, 'A|#REF!|X|NONE|2.5E+04', 'B|9.9112233E7|X|NONE|5');
    const { all: orders } = await plan(table);
    expect(orders.map(({ problems }) => problems.map(({ code, path }) => [code, path]))).toEqual([
      [
        ['spreadsheet_error', 'customer.phone'],
        ['number_damaged', 'total'],
      ],
      [['phone_damaged', 'customer.phone']],
    ]);
    expect(orders[1]?.problems[0]?.problem).toBe('a spreadsheet replaced this number');
  });

  it('have the value of --set in a problem, not the cell that it replaced', async () => {
    const table = tableOf(`${header}|total`, 'A|99112233|X|NONE|500');
    const { all: orders } = await plan(table, { constants: [parseAssignment('total=5,00')] });
    expect(orders[0]?.problems).toMatchObject([{ code: 'decimal_invalid', value: '5,00', row: 2 }]);
    expect(orders[0]?.problems[0]).not.toHaveProperty('column');
  });
});

describe('header rows among the rows', () => {
  const problem = 'this row repeats the header; it is not an order';
  const idHeaders = 'externalOrderId|customer.externalCustomerId|items[].sku|Note';
  const constants = [parseAssignment('collectionMode=NONE')];

  it('are reported, even if they would be valid orders', async () => {
    const table = tableOf(idHeaders, 'A|1|X|', idHeaders, 'B|2|Y|', idHeaders);
    const { all: orders } = await plan(table, { constants });
    expect(orders.map(({ externalOrderId, problems }) => [externalOrderId, problems])).toEqual([
      ['A', []],
      [
        'externalOrderId',
        [3, 5].map((row) => ({
          about: 'order',
          severity: 'error',
          code: 'header_repeated',
          externalOrderId: 'externalOrderId',
          problem,
          fix: 'remove the row',
          row,
          line: row,
        })),
      ],
      ['B', []],
    ]);
  });

  it('are reported by row', async () => {
    const { all: orders } = await planFile(fixture('import/exports/pasted-exports.csv'), { constants });
    expect(orders.map(({ problems }) => problems.map(({ code, row }) => `${row} ${code}`))).toEqual([
      [],
      ['3 header_repeated'],
      [],
    ]);
  });

  it('are not sent with a line below them', async () => {
    const { all: orders } = await plan(tableOf(idHeaders, idHeaders, '||Z|', 'A|1|X|'), { constants });
    expect(orders.map(isSendable)).toEqual([false, true]);
    expect(orders[0]?.problems[0]).toMatchObject({ code: 'header_repeated', row: 2 });
  });
});

describe('problems of the file', () => {
  it('keep the orders from being read when they are in the header', async () => {
    const planned = await plan(tableOf('customer.phonee|externalOrderId', 'x|A'));
    const problems = [{ first: { code: 'header_near_miss' } }];
    expect(planned).toMatchObject({ all: [], isBroken: true, counts: { rows: 0 }, problems });
  });

  it('include a file without orders', async () => {
    const { errors, isBroken } = await planFile(fixture('import/header-only.csv'));
    expect(isBroken).toBe(true);
    expect(errors).toEqual([
      {
        about: 'file',
        severity: 'error',
        code: 'file_without_orders',
        problem: 'it has no orders',
        fix: 'export it again with orders in it',
      },
    ]);
  });

  it('include text in a column without a name, but not an empty column', async () => {
    const table = (cell: string) => tableOf(`${header}||`, `A|99112233|X|NONE|${cell}|`);
    expect((await plan(table(''))).problems).toEqual([]);
    expect((await plan(table('text'))).errors).toMatchObject([
      { about: 'header', code: 'header_blank', column: 'E' },
    ]);
  });
});

describe('an order that is too deep to be read back', () => {
  const deep = `${'['.repeat(480)}${']'.repeat(480)}`;

  it.each<[string, string, Partial<PlanOptions>]>([
    ['a cell with JSON', `externalOrderId|meta:json,A-1|${deep}`, {}],
    ['--set', 'externalOrderId,A-1', { constants: [{ path: ['meta'], value: parseJson(deep) }] }],
  ])('is an error when it comes from %s', async (_what, text, options) => {
    const [header = '', ...rows] = text.split(',');
    const [order] = (await plan(tableOf(header, ...rows), options)).all;
    expect(order?.problems).toContainEqual(
      expect.objectContaining({ code: 'nested_too_deeply', path: 'meta', severity: 'error' }),
    );
  });
});
