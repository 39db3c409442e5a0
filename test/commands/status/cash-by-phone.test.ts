import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CliOptions } from '../../support/cli.ts';
import { imported } from './shop.ts';

const header =
  'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount,requestedDeliveryDate';

/** Orders of `ID phone amount day`, and what status says of a list with these rows. */
async function withList(orders: readonly string[], rows: readonly string[], options: CliOptions = {}) {
  const cells = orders.map((order) => order.split(' '));
  const service = await imported([
    header,
    ...cells.map(([id, phone, amount, day = '']) => `${id},${phone},TEA-1,COLLECT,${amount},${day}`),
  ]);
  const list = join(service.folder, 'list.csv');
  writeFileSync(list, `${rows.join('\n')}\n`);
  const result = await service.cli(['status', service.file, '--cash', list], options);
  const short = (text: string) => text.replaceAll(`${service.folder}/`, '');
  const cash = () =>
    service
      .rows()
      .slice(1)
      .map((row) => {
        const own = short(row).split(',');
        return [own[0], ...own.slice(-2)].join(' ').trim();
      });
  return { ...result, stderr: short(result.stderr), cash };
}

describe('status --cash of a list without orders', () => {
  it('finds the only order of a phone, however it is written', async () => {
    const orders = ['A-1 99112233 5000', 'A-2 +97688112244 7000', 'A-3 95112244 7000'];
    const rows = ['Утас,Дүн', '+976 9911-2233,5000', '8811 2244,6500', '99009900,100'];
    const { cash, stderr } = await withList(orders, rows);
    expect(cash(), stderr).toEqual([
      'A-1 5000 equal',
      'A-2 6500 differs',
      'A-3  not_in_lists',
      '100 unknown_order',
    ]);
  });

  it('tells the orders of a phone apart by amount, then by day', async () => {
    const orders = [
      'A-1 99112233 5000 2026-11-20',
      'A-2 99112233 5000 2026-11-21',
      'A-3 99112233 7000 2026-11-21',
    ];
    const rows = ['Огноо,Утас,Дүн', '2026.11.21,99112233,5000', '2026.11.20,99112233,7000'];
    const { cash, stderr } = await withList(orders, rows);
    expect(cash(), stderr).toEqual(['A-1  not_in_lists', 'A-2 5000 equal', 'A-3 7000 equal']);
  });

  it('takes as many rows as orders of one amount for these', async () => {
    const orders = ['A-1 99112233 5000', 'A-2 99112233 5000'];
    const { cash, exitCode } = await withList(orders, ['Утас,Дүн', '99112233,5000', '99112233,5000']);
    expect(cash().map((row) => row.split(' ')[2])).toEqual(['equal', 'equal']);
    expect(exitCode).toBe(0);
  });

  it.each([
    ['one row and two orders of its amount', ['99112233,5000']],
    ['an amount of none of them', ['99112233,6000']],
    [
      'more rows than orders of the amount',
      ['99112233,5000', '99112233,5000', '99112233,5000', '88112244,100'],
    ],
  ])('refuses %s where nobody can be asked, naming the orders', async (_, rows) => {
    const orders = ['A-1 99112233 5000', 'A-2 99112233 5000 2026-11-21'];
    const { stderr, exitCode } = await withList(orders, ['Утас,Дүн', ...rows]);
    expect(stderr).toContain('error: The phone does not say which order the lists mean.');
    expect(stderr).toContain(
      'list.csv row 2 "99112233": may be of ORD-2026-000001, A-1, 5000; ORD-2026-000002, A-2, 5000, 2026-11-21',
    );
    expect(stderr).toContain('Nothing was written.');
    expect(exitCode).toBe(2);
  });

  it('asks at a terminal which order is meant', async () => {
    const orders = ['A-1 99112233 5000', 'A-2 99112233 7000'];
    const rows = ['Утас,Дүн', '99112233,6000', '99112233,100'];
    const { cash, stderr, asked } = await withList(orders, rows, {
      answers: [{ pick: 'ORD-2026-000002, A-2' }, 'none'],
    });
    expect(asked[0]).toMatch(/list\.csv row 2: 99112233: 6,000 ₮ collected\. Which order is it\?$/);
    expect(cash(), stderr).toEqual(['A-1  not_in_lists', 'A-2 6000 differs', '100 unknown_order']);
  });

  it('takes the phone where a row names no order', async () => {
    const orders = ['A-1 99112233 5000', 'A-2 88112244 7000'];
    const rows = ['Дугаар,Утас,Дүн', 'A-1,88112244,5000', ',88112244,7000'];
    const { cash, exitCode, stderr } = await withList(orders, rows);
    expect(exitCode, stderr).toBe(0);
    expect(cash()[1]).toBe('A-2 7000 equal');
  });
});

describe('status --cash of a list with the last part of order numbers', () => {
  const orders = ['A-1 99112233 5000', 'A-2 88112244 7000'];

  it('reads the whole column so after one question', async () => {
    const rows = ['Захиалга,Дүн', '1,5000', '002,7000'];
    const { cash, exitCode, stderr, asked } = await withList(orders, rows, { answers: [true] });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/list\.csv: is 1 the order ORD-2026-000001, and so on in all 2 rows\?$/);
    expect(exitCode, stderr).toBe(0);
    expect(cash()[1]).toBe('A-2 7000 equal');
  });

  it.each<[string, string[], CliOptions]>([
    ['nobody can be asked', ['1,5000', '2,7000'], {}],
    ['the answer is no', ['1,5000', '2,7000'], { answers: [false] }],
    ['a row names an order otherwise', ['1,5000', 'A-2,7000'], { answers: [] }],
  ])('does not where %s', async (_, rows, options) => {
    const { stderr, exitCode } = await withList(orders, ['Захиалга,Дүн', ...rows], options);
    expect(stderr).toContain('list.csv row 2 "1": 5,000 ₮ collected (unknown_order)');
    expect(exitCode).toBe(6);
  });
});
