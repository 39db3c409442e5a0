import { describe, expect, it } from 'vitest';
import { headerErrors, planRows, type RowsOptions } from '../plan-rows.ts';
import cases from './unread-rest.json' with { type: 'json' };

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
  it.each(cases.amountsToCollect as [string, string[]][])('%s', async (_, rows) => {
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
  it.each(cases.explainedAmounts as [string, string, string[]][])(
    '%s',
    async (_, columns, rows, refused: string[] = []) => {
      const wanted = refused.map((name) => `column_unread (amount) ${name}`);
      expect(headerErrors(await collect(columns, rows))).toEqual(wanted);
    },
  );

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
  it.each(cases.notCovered as [string, string, string[]][])('%s', async (_, code, rows) => {
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
  it.each(cases.covered as [string, string[]][])('%s', async (_, rows) => {
    expect(headerErrors(await prepaid('Зурвас', rows))).toEqual([]);
  });

  it('an address and a day, where others are sent', async () => {
    const rows = ['1|БЗД 1-р байр|2026-11-28|СБД 3-р хороо, 2-р байр|2026-11-30'];
    const found = await prepaid('deliveryAddress.street|requestedDeliveryDate|Зурвас|Дөрөв', rows);
    expect(headerErrors(found)).toEqual([]);
  });
});
