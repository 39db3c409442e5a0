import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import cases from './draft-columns.json' with { type: 'json' };

/** What `--write-map` drafts for a file whose cells stand between `|`. */
async function draft(...lines: string[]) {
  const path = join(temporaryDirectory(), 'orders.csv');
  const rows = lines.map((line) =>
    line
      .split('|')
      .map((cell) => `"${cell.replaceAll('"', '""')}"`)
      .join(),
  );
  writeFileSync(path, `${rows.join('\n')}\n`);
  const { stdout, exitCode } = await runCli(['import', path, '--write-map', '-']);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

/** The draft of three orders with one more column, or with several. */
async function draftWith(header: string, ...cells: string[]) {
  const orders = cells.map((cell, index) => `P-${index}|Name ${'ABCDEFGH'[index]}|${cell}`);
  return draft(`Pedido|Who|${header}`, ...orders);
}

const field = async (name: string, header: string, ...cells: string[]) =>
  (await draftWith(header, ...cells)).columns[name];

describe('the order ID', () => {
  const id = async (header: string, ...orders: string[]) =>
    (
      await draft(
        `${header}|Mobile no|SKU`,
        ...orders.map((cells, index) => `${cells}|9911224${index}|T-${index}`),
      )
    ).columns.externalOrderId;

  it.each<[why: string, header: string, orders: string[], expected: string]>([
    [
      'of the system, with one of the shop beside it',
      'Name|Id',
      ['#2001|6634244374001', '#2001|', '#2002|6634244374002', '#2003|6634244374003'],
      '? (choose) | Id | Name',
    ],
    [
      'beside texts',
      'Name|Id',
      ['Bold O|6634244374001', 'Sara 2|6634244374002', 'Bat 3|6634244374003'],
      '? (choose) | Id',
    ],
    [
      'beside numbers that repeat',
      'Name|Id',
      ['#20|6634244374001', '#21|6634244374002', '#20|6634244374003'],
      '? (choose) | Id',
    ],
    [
      'beside days',
      'When|Id',
      ['2026-11-20|6634244374001', '2026-11-21|6634244374002', '2026-11-22|6634244374003'],
      '? (choose) | Id',
    ],
    [
      'beside times and addresses',
      'When|Where',
      ['10:30|БЗД 3-р хороо', '11:00|СБД 1-р хороо', '12:15|ХУД 2-р хороо'],
      '? (choose)',
    ],
    [
      'beside amounts of orders',
      'Order Id|Discount (Per Order)',
      ['SR-1|500', 'SR-2|300', 'SR-3|700'],
      'Order Id',
    ],
    ['by its name', 'Name|Order ID', ['#2001|663424', '#2002|663425', '#2003|663426'], 'Order ID'],
  ])('%s', async (_, header, orders, expected) => {
    expect(await id(header, ...orders)).toBe(expected);
  });
});

describe('the phone', () => {
  const phone = (header: string, ...cells: string[]) => field('customer.phone', header, ...cells);

  it.each(cases.phones as [why: string, header: string, cells: string[], expected: string][])(
    'of %s',
    async (_, header, cells, expected) => {
      expect(await phone(header, ...cells)).toBe(expected);
    },
  );
});

describe('the quantity', () => {
  const name = 'items[].quantity:number';

  it.each<[why: string, header: string, cells: string[], expected: unknown]>([
    ['counts under any header', 'xx', ['1', '3', '1'], '? (choose) | xx | none'],
    ['counts under the name of goods', 'Product|Items', ['Tea|1', 'Mug|3'], '? (choose) | Items | none'],
    ['ones only', 'xx', ['1', '1', '1'], undefined],
    ['ranks', 'Rank', ['1', '3', '1'], undefined],
    ['numbers of lines', '№', ['1', '3', '1'], undefined],
    [
      'ordered and cancelled pieces',
      'QuantityOrdered|QuantityCancelled',
      ['3|1', '2|0', '4|4'],
      { from: 'QuantityOrdered', minus: ['QuantityCancelled'] },
    ],
    [
      'ordered and returned pieces in Mongolian',
      'Тоо ширхэг|Буцаасан тоо',
      ['3|1', '2|', '4|'],
      { from: 'Тоо ширхэг', minus: ['Буцаасан тоо'] },
    ],
    [
      'cancelled pieces that are more than the ordered',
      'Qty|Qty cancelled',
      ['1|2', '2|0', '4|0'],
      '? (choose) | Qty | Qty cancelled | none',
    ],
    [
      'two kinds of such pieces',
      'Qty|Qty cancelled|Qty returned',
      ['3|1|0', '2|0|1', '4|0|0'],
      '? (choose) | Qty | Qty cancelled | Qty returned | none',
    ],
    ['a day, not pieces', 'Qty|Cancelled at', ['3|', '2|2026-11-20', '4|'], 'Qty'],
  ])('of %s', async (_, header, cells, expected) => {
    expect(await field(name, header, ...cells)).toEqual(expected);
  });
});

describe('the SKU', () => {
  it.each<[why: string, header: string, cells: string[], expected: unknown]>([
    [
      'products beside a code of each order',
      'id_order|reference|product_reference',
      ['1|XKB|TEA-1', '2|OHS|MUG-1'],
      'product_reference',
    ],
    [
      'codes that repeat, beside one that does not',
      'Ref|Code',
      ['AA-1|TEA-1', 'AB-2|MUG-1', 'AC-3|TEA-1'],
      '? (choose) | Code | none',
    ],
    ['a constant that its header does not name', 'Model', ['X-1', 'X-1', 'X-1'], undefined],
    ['a constant of a shop with one product', 'Item code', ['X-1', 'X-1', 'X-1'], 'Item code'],
  ])('of %s', async (_, header, cells, expected) => {
    expect(await field('items[].sku', header, ...cells)).toEqual(expected);
  });
});

describe('a column without a header that names it', () => {
  it.each<[what: string, name: string, header: string, cells: string[]]>([
    ['postal codes are no total', 'total', 'PIN|Pago', ['14201|COD', '15172|COD', '16063|COD']],
    ['cities are no product', 'items[].name', 'Where', ['Дархан', 'Эрдэнэт', 'Дархан']],
    [
      'addresses are no product',
      'items[].name',
      'Where',
      ['БЗД 3-р хороо 12', 'СБД 1-р хороо 4', 'ХУД 2-р хороо 1'],
    ],
  ])('%s', async (_, name, header, cells) => {
    expect(JSON.stringify((await field(name, header, ...cells)) ?? '')).not.toContain(header.split('|')[0]);
  });
});

describe('a column that nothing reads is asked about', () => {
  it.each<[what: string, header: string, cells: string[], open: string]>([
    ['a size, which the name may lack', 'Product|Size', ['Coat|M', 'Shirt|L', 'Coat|XL'], 'Size'],
    [
      'a fee that is free for one order',
      'Total|Shipping',
      ['9000|5000', '8000|free', '7000|5000'],
      'Shipping',
    ],
  ])('%s', async (_, header, cells, open) => {
    const { ignore, values } = await draftWith(header, ...cells);
    expect({ open: ignore.includes(`? (choose) | ${open}`), values }).toEqual({
      open: true,
      values: undefined,
    });
  });

  it('but not the size beside a SKU', async () => {
    expect((await draftWith('SKU|Size', 'T-M|M', 'T-L|L', 'T-XL|XL')).ignore).toContain('? Size');
  });
});

describe('the amount to collect', () => {
  it('is written in thousands', async () => {
    const { amount_due: due } = await draftWith('Хэдээр', '45к', '90k', '25 мянга');
    expect(due).toBe('? (choose) | Хэдээр | none');
  });

  it.each<[what: string, header: string, cells: string[], expected: string]>([
    [
      'a sum of others under any header',
      'Aa|Bb|Cc',
      ['60000|5000|65000', '25000|5000|30000', '41000|0|41000'],
      '? (choose) | Cc | Aa | Bb | none',
    ],
    [
      'a total beside the parts that its header names',
      'Shipping cost (inc tax)|Subtotal (inc tax)|Order total (inc tax)',
      ['5000|60000|65000', '5000|25000|30000', '6000|41000|47000'],
      '? (choose) | Order total (inc tax) | Shipping cost (inc tax) | Subtotal (inc tax) | none',
    ],
    ['no weight', 'Aa|Kk', ['60000|0.300', '25000|0.250', '41000|0.450'], '? (choose) | Aa | none'],
  ])('is %s', async (_, header, cells, expected) => {
    expect((await draftWith(header, ...cells)).amount_due).toBe(expected);
  });
});

describe('the address', () => {
  const street = (header: string, ...cells: string[]) => field('deliveryAddress.street', header, ...cells);
  const texts = ['БЗД 3-р хороо, 12-р байр', 'СБД 1-р хороо, 4 тоот', 'ХУД 11-р хороо, 7-р байр'];

  it.each(['Where to', 'Info', 'Adress'])('is asked about under %s', async (header) => {
    expect(await street(header, ...texts)).toBe(`? (choose) | ${header} | none`);
  });

  it.each(['Sender address', 'Billing address', 'Store address'])('is not %s', async (header) => {
    expect(await street(header, ...texts)).not.toBe(header);
  });

  it.each<[what: string, header: string, rows: string[], expected: unknown]>([
    [
      'two of one kind are not joined',
      'Хаяг|Хүргэх хаяг',
      texts.map((text) => `${text}|${text}`).with(1, `${texts[1]}|БГД 5-р хороо, 3-р байр`),
      '? (choose) | Хаяг | Хүргэх хаяг | none',
    ],
    [
      'its lines are joined',
      'Address line 1|Address line 2',
      ['Main street 4|door 5', 'Main street 6|door 7', 'Main street 9|door 1'],
      { from: ['Address line 1', 'Address line 2'], join: ', ' },
    ],
  ])('%s', async (_, header, rows, expected) => {
    expect((await draftWith(header, ...rows)).columns['deliveryAddress.street']).toEqual(expected);
  });

  it('of one order in another column is asked about', async () => {
    const { ignore } = await draftWith(
      'Хаяг|Шинэ хаяг',
      `${texts[0]}|`,
      `${texts[1]}|${texts[2]}`,
      `${texts[2]}|`,
    );
    expect(ignore).toContain('? (choose) | Шинэ хаяг');
  });

  it('is joined with the number of the house, and has its city and name beside it', async () => {
    const header = 'destino_nombre(obligatorio)|calle_destino|altura_destino|localidad_destino';
    const { columns } = await draft(
      `numero_orden(opcional)|cel(opcional)|${header}`,
      '501|99110001|Ana Prueba|Calle Falsa|123|Ciudad Uno',
      '502|99110002|Luis Prueba|Calle Nueva|45|Ciudad Dos',
    );
    expect(columns).toMatchObject({
      externalOrderId: 'numero_orden(opcional)',
      'customer.phone': 'cel(opcional)',
      'customer.name': 'destino_nombre(obligatorio)',
      'deliveryAddress.street': { from: ['calle_destino', 'altura_destino'], join: ', ' },
      'deliveryAddress.city': 'localidad_destino',
    });
  });
});

describe('lines in one cell', () => {
  it.each(cases.packedLines as [header: string, cells: string[], expected: object][])(
    '%s: %j',
    async (header, cells, expected) => {
      expect((await draftWith(header, ...cells)).lines).toMatchObject(expected);
    },
  );
});
