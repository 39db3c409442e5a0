import { describe, expect, it } from 'vitest';
import { headerErrors, planRows, type RowsOptions } from '../plan-rows.ts';

const base = 'externalOrderId|customer.phone|items[].sku|items[].quantity:number';
const today = '2026-11-25';

/** Rows without the phone, whose cells have `|` between them: `A-1 TEA-1 2 ...`. */
function plan(columns: string, rows: readonly string[], flags: readonly string[], map?: RowsOptions['map']) {
  const [, ...others] = base.split('|').slice(1);
  const head = ['externalOrderId', 'customer.phone', ...others, columns].join('|');
  const all = rows.map((row) => row.replace('|', `|9911223${row.at(2)}|`));
  return planRows([head, ...all], { flags: ['--ignore-rest', ...flags], map, today });
}

/** Orders to collect: `1 x 30000` has the quantity 1 and collects 30000. */
function collect(columns: string, rows: readonly string[], map?: RowsOptions['map']) {
  const all = rows.map((row, index) => {
    const [, quantity, due, rest] = /^(\d+) x (\d*)(.*)$/.exec(row) ?? [];
    return `A-${index}|TEA-1|${quantity}|${due === '' ? 'NONE' : 'COLLECT'}|${due}${rest}`;
  });
  return plan(`collectionMode|collectionAmount|${columns}`, all, [], map);
}

/** Prepaid orders of one line each. */
function prepaid(columns: string, rows: readonly string[], map?: RowsOptions['map']) {
  const all = rows.map((row, index) => `A-${index}|TEA-1|${row}`);
  return plan(columns, all, ['--set', 'collectionMode=NONE'], map);
}

describe('--ignore-rest does not cover amounts to collect', () => {
  it.each([
    ['a deposit', ['1 x 30000|10000', '2 x 40000|15000', '1 x 50000|']],
    ['a deposit in one order', ['1 x 30000|', '2 x 40000|', '1 x 50000|20000']],
    ['the same deposit everywhere', ['1 x 30000|10000', '1 x 40000|10000', '1 x 50000|10000']],
    ['a half', ['2 x 30000|15000', '2 x 40000|20000', '2 x 50000|25000']],
    ['a rest to pay', ['1 x 30000|30000', '2 x 40000|25000', '1 x 50000|50,000₮']],
    ['the whole amount in some orders', ['1 x 30000|30000', '2 x 40000|', '1 x 50000|0']],
    ['a price that no header names', ['1 x 30000|30000', '2 x 40000|20000', '3 x 60000|20000']],
    ['the same share everywhere', ['1 x 30000|1500', '2 x 40000|2000', '1 x 54000|2700']],
    ['amounts beside dashes', ['1 x 30000|-', '2 x 40000|15.000', '1 x 50000|n/a']],
  ])('%s', async (_, rows) => {
    expect(headerErrors(await collect('Зурвас', rows))).toEqual(['column_unread (amount) Зурвас']);
  });

  it('what is paid beside what is left', async () => {
    const found = await collect('Зурвас|Дөрөв', ['1 x 30000|10000|20000', '2 x 40000|15000|25000']);
    expect(headerErrors(found)).toEqual(['column_unread (amount) Зурвас', 'column_unread (amount) Дөрөв']);
  });

  it('what is paid under the header of a fee or a discount, when the goods do not add up', async () => {
    const rows = ['1 x 30000|30000|10000', '2 x 40000|20000|15000', '1 x 50000|50000|5000'];
    expect(headerErrors(await collect('Price|Delivery fee', rows))).toEqual([
      'column_unread (amount) Delivery fee',
    ]);
    expect(headerErrors(await collect('Discount', ['1 x 30000|10000', '2 x 40000|15000']))).toEqual([
      'column_unread (amount) Discount',
    ]);
  });
});

describe('--ignore-rest covers amounts that the arithmetic explains', () => {
  it.each([
    ['a price', 'Unit price', ['2 x 30000|15000', '2 x 40000|20000']],
    ['a price beside a line total', 'Price|Line total', ['1 x 35000|30000|30000', '2 x 45000|20000|40000']],
    ['a price and a delivery fee', 'Price|Delivery fee', ['2 x 35000|15000|5000', '2 x 40000|20000|']],
    ['a price and a fee of any name', 'Price|Зурвас', ['2 x 35000|15000|5000', '1 x 47000|40000|7000']],
    ['a delivery fee without prices', 'Delivery fee', ['1 x 30000|5000', '2 x 40000|5000', '1 x 50000|7000']],
    ['a subtotal', 'Subtotal|Delivery fee', ['1 x 35000|30000|5000', '2 x 47000|40000|7000']],
    ['a discount', 'Subtotal|Discount', ['1 x 30000|35000|5000', '2 x 40000|50000|10000']],
    ['a discount of any name', 'Зурвас|Дөрөв', ['1 x 30000|35000|5000', '2 x 40000|50000|10000']],
    ['a tax within the price', 'Price|VAT', ['1 x 33000|33000|3000', '2 x 44000|22000|4000']],
    ['an amount without orders to collect', 'Зурвас', ['1 x |10000', '2 x |15000']],
    ['the amount to collect again', 'Зурвас', ['1 x 30000|30000', '2 x 40000|40000', '1 x |']],
    ['amounts above', 'Зурвас', ['1 x 30000|31000', '2 x 40000|90000', '1 x 50000|51000']],
    ['a price beside a fee that is in no column', 'Price', ['2 x 35000|15000', '1 x 45000|40000']],
    ['postal codes', 'Зурвас', ['1 x 30000|15141', '2 x 40000|14253', '1 x 50000|13376']],
    [
      'amounts that are more often above',
      'Зурвас',
      ['1 x 30000|90000', '2 x 40000|95000', '1 x 50000|20000'],
    ],
    ['small numbers', 'Зурвас', ['1 x 3050|50', '2 x 4070|60', '1 x 5090|70']],
  ])('%s', async (_, columns, rows, refused: string[] = []) => {
    const wanted = refused.map((name) => `column_unread (amount) ${name}`);
    expect(headerErrors(await collect(columns, rows))).toEqual(wanted);
  });

  it('the prices and sums of lines, with a delivery fee in the total', async () => {
    const rows = [
      'A-1|TEA-1|1|COLLECT|65000|10000|10000',
      'A-1|TEA-2|2|COLLECT|65000|25000|50000',
      'A-2|TEA-1|1|COLLECT|15000|10000|10000',
      'A-3|TEA-2|3|COLLECT|80000|25000|75000',
    ];
    expect(headerErrors(await plan('collectionMode|collectionAmount|Price|Line total', rows, []))).toEqual(
      [],
    );
  });

  it('a price in the lines of an order', async () => {
    const rows = [
      'A-1|TEA-1|1|COLLECT|50000|10000',
      'A-1|TEA-2|2|COLLECT|50000|20000',
      'A-2|TEA-1|1|COLLECT|10000|10000',
    ];
    expect(headerErrors(await plan('collectionMode|collectionAmount|Price', rows, []))).toEqual([]);
  });

  it('what is paid already, where less than the total is collected', async () => {
    const found = await collect('total|Зурвас', ['1 x 20000|30000|10000', '2 x 30000|40000|10000']);
    expect(headerErrors(found)).toEqual([]);
  });

  it('a column that a person ignores by name', async () => {
    const rows = ['1 x 30000|10000', '2 x 40000|15000'];
    expect(headerErrors(await collect('Зурвас', rows, { ignore_anyway: ['Зурвас'] }))).toEqual([]);
  });
});

describe('--ignore-rest does not cover', () => {
  it.each([
    ['addresses', 'column_unread (address)', ['1|БЗД 3-р хороо, 12-р байр', '1|СБД 1-р хороо, 5-р байр']],
    ['the address of one order', 'column_unread (address)', ['1|Calle Sol 12, Madrid']],
    ['cities', 'column_unread (address)', ['1|Дархан', '1|Эрдэнэт', '1|Дархан']],
    ['days to come', 'column_unread (date)', ['1|2026-11-28', '1|2026-11-29', '1|2026-11-20']],
    ['days to come with the year last', 'column_unread (date)', ['1|28/11/2026 10:00', '1|30/11/2026 12:00']],
    ['TRUE and FALSE', 'column_unread (ticks)', ['1|TRUE', '1|FALSE', '1|FALSE']],
    ['ticks and blanks', 'column_unread (ticks)', ['1|✓', '1|', '1|']],
    ['x and blanks', 'column_unread (ticks)', ['1|x', '1|', '1|х']],
    ['1 and blanks', 'column_unread (ticks)', ['1|1', '1|', '1|']],
    ['some of the pieces', 'column_unread (quantity)', ['3|2', '1|1', '2|2', '1|0']],
  ])('%s', async (_, code, rows) => {
    const found = await prepaid('Зурвас', rows);
    expect(headerErrors(found)).toEqual([`${code} Зурвас`]);
    expect(found.error?.hint).toContain(`--ignore-column 'Зурвас'\nThat would mean:\n  Зурвас: `);
    expect(headerErrors(await prepaid('Зурвас', rows, { ignore_anyway: ['Зурвас'] }))).toEqual([]);
  });

  it('an address beside a city that is mapped', async () => {
    const rows = ['1|Дархан|3-р баг, 12-р байр', '1|Дархан|5-р баг, 2-р байр'];
    const found = await prepaid('deliveryAddress.city|Зурвас', rows);
    expect(headerErrors(found)).toEqual(['column_unread (address) Зурвас']);
  });

  it('quantities, where no other column has them', async () => {
    const map = { columns: { 'items[].sku': 'items[].sku' } };
    const rows = [
      'externalOrderId|customer.phone|items[].sku|Зурвас',
      'A-1|99112231|T|2',
      'A-2|99112232|T|1',
    ];
    const flags = ['--ignore-rest', '--set', 'collectionMode=NONE'];
    expect(headerErrors(await planRows(rows, { flags, map }))).toEqual(['column_unread (quantity) Зурвас']);
  });
});

describe('--ignore-rest covers', () => {
  it.each([
    ['texts that are no addresses', ['1|ягаан', '1|том хайрцагтай']],
    ['an address in a few notes', ['1|БЗД 1-р байр', '1|', '1|']],
    ['one address for all', ['1|СБД 1-р хороо, 5-р байр', '1|СБД 1-р хороо, 5-р байр']],
    ['days that are past', ['1|2026-11-20', '1|2026-11-21', '1|2026-11-28']],
    ['ticks that are the same everywhere', ['1|✓', '1|x', '1|✓']],
    ['no ticks', ['1|FALSE', '1|', '1|no']],
    ['dashes for blanks', ['1|-', '1|', '1|n/a']],
    ['a stock', ['1|7', '2|3', '1|12', '2|2']],
    ['a count of the rows', ['5|1', '5|2', '5|3', '5|4']],
    ['the quantity again', ['3|3', '1|1', '2|2']],
  ])('%s', async (_, rows) => {
    expect(headerErrors(await prepaid('Зурвас', rows))).toEqual([]);
  });

  it('an address and a day, where others are sent', async () => {
    const rows = ['1|БЗД 1-р байр|2026-11-28|СБД 3-р хороо, 2-р байр|2026-11-30'];
    const found = await prepaid('deliveryAddress.street|requestedDeliveryDate|Зурвас|Дөрөв', rows);
    expect(headerErrors(found)).toEqual([]);
  });
});
