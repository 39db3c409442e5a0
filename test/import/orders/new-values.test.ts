import { describe, expect, it } from 'vitest';
import { parseMappingFile } from '../../../src/import/mapping/mapping-file.ts';
import type { PlanOptions } from '../../../src/import/orders/plan.ts';
import { plan, tableOf } from '../tables.ts';
import cases from './new-values.json' with { type: 'json' };

const columns = { externalOrderId: 'Ref', 'customer.phone': 'Phone', 'items[].sku': 'Code' };
const map = (ignore: string[]) =>
  parseMappingFile(JSON.stringify({ columns, constants: { collectionMode: 'NONE' }, ignore }), 'map.json');

/** A table with one ignored column and these cells. */
function tableWith(header: string, cells: readonly string[]) {
  const rows = cells.map((cell, index) => `${index}|99112233|TEA-001|${cell}`);
  return tableOf(`Ref|Phone|Code|${header}`, ...rows);
}

async function seenIn(header: string, cells: readonly string[], more: Partial<PlanOptions> = {}) {
  const mapping = map([header]);
  return plan(tableWith(header, cells), { map: mapping, constants: mapping.constants, ...more });
}

/** The values that are new after the first cells were seen. */
async function unseen(header: string, before: readonly string[], now: readonly string[]): Promise<string[]> {
  const { seen } = await seenIn(header, before);
  const { all } = await seenIn(header, now, { remembered: { name: 'shop', seen, newColumns: [] } });
  return all.flatMap(({ problems }) =>
    problems.flatMap(({ code, value = '' }) => (code === 'value_unknown' ? [value] : [])),
  );
}

describe('the values that were seen', () => {
  it.each([
    ['Payment method', ['Card', 'card ', ''], { 'Payment method': ['', 'card'] }],
    ['Amount due', ['0', '0.00', '500', '1,200.50'], { 'Amount due': ['(an amount)', '0'] }],
    ['Paid at', ['2026-11-02', '02.11.2026 10:00', ''], { 'Paid at': ['', '(a date)'] }],
    ['Colour', ['red', 'blue', 'COD', 'cancelled'], { Colour: ['*', 'cancelled', 'cod'] }],
  ])('of %s are kept so that other dates and amounts are no new ones', async (header, cells, expected) => {
    expect((await seenIn(header, cells)).seen).toEqual(expected);
  });

  it('are those of all rows of an order, without blanks beside others', async () => {
    const rows = ['1|99112233|TEA-001|', '1||TEA-002|Card', '2|99112234|TEA-001|Card', '2||TEA-002|'];
    const mapping = map(['Payment method']);
    const options = { map: mapping, constants: mapping.constants };
    const head = 'Ref|Phone|Code|Payment method';
    const { seen } = await plan(tableOf(head, ...rows), options);
    expect(seen).toEqual({ 'Payment method': ['card'] });
    const second = tableOf(head, '1|99112233|TEA-001|Card', '1||TEA-002|Cash');
    const { all } = await plan(second, { ...options, remembered: { name: 'shop', seen, newColumns: [] } });
    expect(all[0]?.problems).toMatchObject([{ code: 'value_unknown', value: 'Cash', row: 3 }]);
  });

  it('are any text when there are more than a hundred, but for words that change what is done', async () => {
    const cells = Array.from({ length: 150 }, (_, index) => (index === 7 ? 'COD' : `Voucher A${index}B`));
    const { seen } = await seenIn('Payment method', cells);
    expect(seen).toEqual({ 'Payment method': ['*', 'cod'] });
  });

  it('are words for cash, pickup or another state in every column that nothing reads', async () => {
    const mapping = map([]);
    const options = { map: mapping, constants: mapping.constants };
    const head = 'Ref|Phone|Code|Extra|Tag';
    const rows = Array.from({ length: 80 }, (_, index) => `${index}|99112233|TEA-001|red|rejected`);
    const { seen } = await plan(tableOf(head, ...rows.slice(0, 2)), options);
    expect(seen.Extra).toEqual(['*']);
    const remembered = { name: 'shop', seen, newColumns: [] };
    const { all } = await plan(tableOf(head, ...rows, '80|99112233|TEA-001|cancelled|rejected'), {
      ...options,
      remembered,
    });
    expect(all.flatMap(({ problems }) => problems)).toMatchObject([
      { code: 'value_unknown', header: 'Extra', value: 'cancelled', externalOrderId: '80' },
    ]);
  });

  it.each(cases.left as [string, string[], string[], string[]][])(
    'of %s %j leave of %j what is new',
    async (header, before, now, expected) => {
      expect(await unseen(header, before, now)).toEqual(expected);
    },
  );

  it('are not asked about where the mapping lists the values of the column', async () => {
    const values = { Pay: { Card: 'prepaid', Bizum: 'collect' } } as const;
    const listed = parseMappingFile(
      JSON.stringify({ columns: { ...columns, total: 'Total' }, values }),
      'map.json',
    );
    const table = tableOf('Ref|Phone|Code|Total|Pay', '1|99112233|TEA-001|9000|Bizum');
    const remembered = { name: 'shop', seen: { Pay: ['card'] }, newColumns: [] };
    const { all } = await plan(table, { map: listed, remembered });
    expect(all.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
