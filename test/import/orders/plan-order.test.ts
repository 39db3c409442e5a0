import { describe, expect, it } from 'vitest';
import { isSendable } from '../../../src/import/orders/plan-order.ts';
import { parseAssignment } from '../../../src/orders/assignment.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { fixture, plan, planFile, tableOf } from '../tables.ts';

const header = 'externalOrderId|customer.phone|items[].sku|collectionMode';

describe('a plan', () => {
  it('holds every order of the file, what is sent and where it came from', async () => {
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

  it('finds fixtures/orders.csv without a problem', async () => {
    const { all, problems, counts } = await planFile(fixture('orders.csv'));
    expect({ problems, rows: counts.rows, orders: all.length }).toEqual({
      problems: [],
      rows: 535,
      orders: 264,
    });
    expect(all.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('places every problem of fixtures/orders-invalid.csv where a spreadsheet shows it', async () => {
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
      '17K decimal_invalid 25,000',
      '18J decimal_invalid -5',
      '19K decimal_invalid 100.5',
      '21L date_invalid 2026-02-29',
      '22L date_invalid 2030-04-31',
      '23C phone_implausible 12345',
      '24L date_past 2020-01-15',
      '25J collection_amount_required 0.00',
      '25L date_invalid 2030-06-31',
      '26I collection_mode_invalid CASH',
      '30 external_order_id_missing',
    ]);
    expect(orders.filter(isSendable).map(({ externalOrderId }) => externalOrderId)).toEqual([
      ...['good-prepaid', 'good-two-rows', 'good-collect', 'good-no-date', 'good-ad-hoc-line'],
      ...['warn-phone-implausible', 'warn-date-past', 'good-known-customer'],
    ]);
  });

  it('places a problem of a line at the row of that line', async () => {
    const table = tableOf(`${header}|items[].qty:number`, 'A|99112233|X|NONE|1', 'A||||2|', '|||');
    const { all: orders } = await plan(table, { constants: [parseAssignment('items[].sku= ')] });
    expect(orders[0]?.problems.map(({ code, row, path, header }) => [code, row, path, header])).toEqual([
      ['sku_blank', 2, 'items[0].sku', undefined],
      ['sku_blank', 3, 'items[1].sku', undefined],
    ]);
  });

  it('never glues two exports that overlap, nor a line to a foreign order', async () => {
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

  it('lifts the rules of this tool, but neither the types of money nor the own id', async () => {
    const table = tableOf('externalOrderId|collectionMode|total:number', 'A|CASH|5', '|NONE|');
    const { all: orders } = await plan(table, { allRules: false });
    expect(orders.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
      ['decimal_invalid'],
      ['external_order_id_missing'],
    ]);
  });

  it('tells of a damaged text that it is damaged, and nothing else', async () => {
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

  it('shows the value of --set, not that of the cell it replaced', async () => {
    const table = tableOf(`${header}|total`, 'A|99112233|X|NONE|500');
    const { all: orders } = await plan(table, { constants: [parseAssignment('total=5,00')] });
    expect(orders[0]?.problems).toMatchObject([{ code: 'decimal_invalid', value: '5,00', row: 2 }]);
    expect(orders[0]?.problems[0]).not.toHaveProperty('column');
  });
});

describe('the header once more among the rows', () => {
  const problem = 'this row repeats the header; it is not an order';
  const own = 'externalOrderId|customer.externalCustomerId|items[].sku|Note';
  const constants = [parseAssignment('collectionMode=NONE')];

  it('is no order, however well it would pass for one', async () => {
    const table = tableOf(own, 'A|1|X|', own, 'B|2|Y|', own);
    const { all: orders } = await plan(table, { constants });
    expect(orders.map(({ externalOrderId, problems }) => [externalOrderId, problems])).toEqual([
      ['A', []],
      [
        'externalOrderId',
        [3, 5].map((row) => ({
          ...{
            about: 'order',
            severity: 'error',
            code: 'header_repeated',
            externalOrderId: 'externalOrderId',
          },
          ...{ problem, fix: 'remove the row', row, line: row },
        })),
      ],
      ['B', []],
    ]);
  });

  it('is told where it is in a file', async () => {
    const { all: orders } = await planFile(fixture('import/exports/pasted-exports.csv'), { constants });
    expect(orders.map(({ problems }) => problems.map(({ code, row }) => `${row} ${code}`))).toEqual([
      [],
      ['3 header_repeated'],
      [],
    ]);
  });

  it('takes nothing from a line below it', async () => {
    const { all: orders } = await plan(tableOf(own, own, '||Z|', 'A|1|X|'), { constants });
    expect(orders.map(isSendable)).toEqual([false, true]);
    expect(orders[0]?.problems[0]).toMatchObject({ code: 'header_repeated', row: 2 });
  });
});

describe('problems of the file', () => {
  it('are those of the header, and no order is looked at', async () => {
    const planned = await plan(tableOf('customer.phonee|externalOrderId', 'x|A'));
    const problems = [{ first: { code: 'header_near_miss' } }];
    expect(planned).toMatchObject({ all: [], isBroken: true, counts: { rows: 0 }, problems });
  });

  it('are that there is no order', async () => {
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

  it('are texts in a column without a name; an empty one is nothing', async () => {
    const table = (cell: string) => tableOf(`${header}||`, `A|99112233|X|NONE|${cell}|`);
    expect((await plan(table(''))).problems).toEqual([]);
    expect((await plan(table('text'))).errors).toMatchObject([
      { about: 'header', code: 'header_blank', column: 'E' },
    ]);
  });
});
