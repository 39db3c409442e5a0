import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorIn, runCli, temporaryDirectory } from '../../support/cli.ts';
import { planRows } from '../plan-rows.ts';
import cases from './mapping-file.json' with { type: 'json' };

/** The orders that a mapping makes of rows, without their external order IDs, and the codes of the problems. */
async function read(map: object & { columns?: object }, rows: string[], flags = ['--no-checks']) {
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

  it.each(cases.read)('$name', async ({ map, rows, orders, problems }) => {
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
    const due = { amount_due: 'Due', payment_method: 'Method' };
    const rows = ['Ref|Method|Due', 'A|cash on delivery|500', 'A|cash on delivery|700'];
    expect((await read(due, rows)).problems).toEqual(['row 3 field_conflict']);
  });
});

/** The sentence of the error for a mapping file with this text. */
async function refusal(mapping: object | string) {
  const directory = temporaryDirectory();
  const path = join(directory, 'map.json');
  writeFileSync(path, typeof mapping === 'string' ? mapping : JSON.stringify(mapping));
  writeFileSync(join(directory, 'orders.csv'), 'externalOrderId,total\nA,5\n');
  const run = await runCli(['import', join(directory, 'orders.csv'), '--dry-run', '--json', '--map', path]);
  const error = errorIn(run.stderr);
  if (error.code === 'configuration_invalid') expect(run.exitCode).toBe(2);
  return { ...error, message: error.message.replace(`${directory}/`, '') };
}

describe('a mapping file is refused', () => {
  it.each(cases.refused)('$mapping', async ({ mapping, sentence }) => {
    const { code, message } = await refusal(mapping);
    expect([code, message]).toEqual(['configuration_invalid', expect.stringContaining(sentence)]);
  });

  it('with its first problems, each once, however many there are', async () => {
    const same = { lines: { from: 'A', form: Array(190_000).fill('{items[].n} {items[].n}') } };
    expect((await refusal(same)).message).toBe(
      'map.json is not a valid mapping: lines.form: items[].n is listed twice.',
    );
    const values = { Status: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`s${at}`, 'x'])) };
    expect((await refusal({ values })).message).toMatch(/^.{900,2000}; and 19980 more\.$/s);
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

  it('not for a text that only has a question mark, nor for one field of several columns side by side', async () => {
    const columns = { externalOrderId: 'Order?', 'items[].sku': '?SKU' };
    expect((await read({ columns }, ['Order?|?SKU', '1|X'])).orders).toEqual([{ items: [{ sku: 'X' }] }]);
  });
});
