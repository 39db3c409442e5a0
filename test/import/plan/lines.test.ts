import { describe, expect, it } from 'vitest';
import { headerErrors, linesOf, planRows } from '../plan-rows.ts';

const columns = { externalOrderId: 'Ref', 'customer.phone': 'Phone' };

/** The lines of one order with these cells, or the codes of its errors, or those of the header. */
async function read(lines: object, header: string, cells: string, more: object = {}) {
  const rows = [`Ref~Phone~${header}`, `1~99112233~${cells}`];
  const flags = ['--set', 'collectionMode=NONE', '--ignore-rest'];
  const plan = await planRows(rows, { between: '~', flags, map: { columns, lines, ...more } });
  const [order] = plan.orders;
  return order === undefined ? headerErrors(plan).join() : (order.invalid ?? linesOf(order.order));
}

describe('lines side by side', () => {
  const wide = {
    wide: {
      'SKU #{n}': 'items[].sku',
      'Quantity #{n}': 'items[].quantity:number',
      'Name #{n}': 'items[].name',
    },
  };
  it.each([
    ['SKU #1~Quantity #1', 'TEA~2', '2 x TEA'],
    ['SKU #1~Quantity #1~SKU #2~Quantity #2', 'TEA~2~MUG~1', '2 x TEA, 1 x MUG'],
    ['SKU #2~SKU #1', 'MUG~TEA', 'TEA, MUG'],
    ['SKU #1~SKU #3~SKU #7', 'TEA~~CUP', 'TEA, CUP'],
    ['SKU #9~SKU #10~SKU #100', 'A~B~C', 'A, B, C'],
    ['sku #1 ~QUANTITY #1', 'TEA~2', '2 x TEA'],
    ['SKU #1~Name #2', 'TEA~Mug', 'TEA, Mug'],
    ['SKU #1~Quantity #1', '~2', '2'],
    ['SKU #1~Quantity #1', '~', 'items_missing'],
    ['SKU #1~SKU #x~SKU #', 'TEA~B~C', 'TEA'],
    ['SKU #01~SKU #0002', 'TEA~MUG', 'TEA, MUG'],
    ['SKU #1~SKU #1000', 'TEA~A', 'header_invalid SKU #1000'],
    ['SKU #1~Quantity #1~SKU #01', 'TEA~2~MUG', 'header_duplicate SKU #01'],
    ['SKU~Quantity', 'TEA~2', 'column_unknown'],
  ])('%s: %s', async (header, cells, lines) => {
    expect(await read(wide, header, cells)).toBe(lines);
  });
});

describe('pieces that are taken off lines side by side', () => {
  const wide = { 'SKU {n}': 'items[].sku', 'Qty {n}': 'items[].quantity:number', 'Gone {n}': 'minus' };
  const header = 'SKU 1~Qty 1~Gone 1~SKU 2~Qty 2~Gone 2';

  it.each([
    ['TEA~3~1~MUG~1~0', '2 x TEA, 1 x MUG'],
    ['TEA~3~~~~', '3 x TEA'],
    ['TEA~3~0~MUG~1~1', '3 x TEA'],
    ['TEA~3~0~~~0', '3 x TEA'],
    ['TEA~3~x~~~', 'quantity_invalid'],
    ['TEA~1~2~~~', 'quantity_invalid'],
    ['TEA~3~1~~~2', '2 x TEA'],
  ])('%s: %s', async (cells, lines) => {
    expect(await read({ wide }, header, cells)).toBe(lines);
  });

  it('twice are both taken off', async () => {
    const both = { ...wide, 'Back {n}': 'minus' };
    expect(await read({ wide: both }, 'SKU 1~Qty 1~Gone 1~Back 1', 'TEA~5~1~2')).toBe('2 x TEA');
  });

  it('leave out an order of which nothing is left', async () => {
    const rows = [`Ref~Phone~${header}`, '1~99112233~TEA~2~2~MUG~1~1', '2~99112233~TEA~1~0~~~'];
    const flags = ['--set', 'collectionMode=NONE'];
    const { orders } = await planRows(rows, { between: '~', flags, map: { columns, lines: { wide } } });
    expect(orders.map(({ leftOut }) => leftOut)).toEqual(['refunded', undefined]);
  });
});

describe('a cell with lines', () => {
  const swallowing = '{items[].sku} x {items[].quantity:number}';
  const words = 'Product ID: {*}, SKU: {items[].sku}, Qty: {items[].quantity:number}, Price: {*}';
  const unreadable = 'lines_unreadable';
  it.each([
    ['{items[].sku} x {items[].quantity:number}{*}', 'TEA x 2 pcs', '2 x TEA'],
    ['{items[].quantity:number}x {items[].sku}', '2 x TEA', '2 x TEA'],
    ['{items[].quantity:number} {items[].name}', '2 green tea', '2 x green tea'],
    ['{items[].sku} - {items[].name}', 'TEA-1 - Green - large', 'TEA-1 Green - large'],
    ['SKU: {items[].sku}, Name: {items[].name}', 'sku: , NAME: Tea', 'Tea'],
    ['({items[].sku}) {*}', '(TEA) 5', 'TEA'],
    ['{items[].sku};{*}', 'TEA;', 'TEA'],
    ['[{items[].name}]', '[green  tea]', 'green tea'],
    [swallowing, 'Tea x large x 2', '2 x Tea x large'],
    [swallowing, 'BOX2 x 3', '3 x BOX2'],
    [swallowing, 'MAX2 PRO, blue x 3', '3 x MAX2 PRO, blue'],
    ['{items[].quantity:number} x {items[].sku}', '3 x BOX2 XL', '3 x BOX2 XL'],
    ['{items[].sku}-{items[].quantity:number}', 'TEA-001-2', '2 x TEA-001'],
    ['{items[].name} {items[].quantity:number}', 'Phone 15 2', '2 x Phone 15'],
    [words, 'Product ID: 1, SKU: Product, Qty: 2, Price: 5', '2 x Product'],
    // Several lines that are not split.
    [swallowing, 'TEA-001 x 2, MUG-001 x 1', unreadable],
    [swallowing, 'TEA-001 x 2 MUG-001 x 1', unreadable],
    [swallowing, 'TEA-001x2, MUG-001 x 1', unreadable],
    [swallowing, 'TEA-001 X2,MUG-001x1', unreadable],
    ['{items[].quantity:number} x {items[].sku}', '2 x TEA-001, 1 x MUG-001', unreadable],
    ['{items[].quantity:number}x {items[].sku}', '2x TEA-001, 1x MUG-001', unreadable],
    ['{items[].name} {items[].quantity:number}', 'Tea 2, Mug 1', unreadable],
    [words, 'Product ID: 1, SKU: A, Qty: 2, Price: 5 / Product ID: 2, SKU: B, Qty: 1, Price: 5', unreadable],
    [words, 'Product ID: 1, SKU: A, Product ID: 2, SKU: B, Qty: 1, Price: 5', unreadable],
  ])('of the form %s: %s', async (form, cell, lines) => {
    expect(await read({ from: 'Items', form }, 'Items', cell)).toBe(lines);
    const more = { from: 'Items', between: ';', form: [form, '{items[].name}'] };
    if (lines === unreadable) expect(await read(more, 'Items', cell)).toBe(lines);
  });

  it.each([
    ['{*} {items[].sku} {*} {items[].name} x {items[].quantity:number}', 'a '.repeat(30_000)],
    ['{items[].sku}, {*}, {*}, {*}, {items[].name}, {*}, {items[].quantity:number}.', ', '.repeat(30_000)],
    ['{items[].sku} x {items[].quantity:number} of {*}', 'a x 2 '.repeat(10_000)],
    ['{items[].sku}{items[].quantity:number}', '1a'.repeat(30_000)],
    ['{items[].sku} x {items[].quantity:number}{*}', `TEA x ${'1'.repeat(30_000)}`],
    ['{items[].sku} x {items[].quantity:number}', `${'A'.repeat(65_536)} x 2`],
  ])('is not read for long when it is long: %s', async (form, cell) => {
    expect(await read({ from: 'Items', form }, 'Items', cell)).toBe(unreadable);
  });

  it.each([
    ['TEA-001|2|17800', '2 x TEA-001'],
    ['TEA-001|2|17800|Size: L|Colour: red', '2 x TEA-001'],
    ['product_id:4959|1|30', '1'],
    ['TEA-001|2', unreadable],
  ])('whose further texts are not read: %s', async (cell, lines) => {
    const form = [
      'product_id:{items[].productId}|{items[].quantity:number}|{*}',
      '{items[].sku}|{items[].quantity:number}|{*}',
    ];
    expect(await read({ from: 'order_item_{n}', form }, 'order_item_1', cell)).toBe(lines);
  });

  it.each([
    ['line_item_1~line_item_2~line_item_10', 'sku:A|quantity:1~~sku:C|quantity:3', '1 x A, 3 x C'],
    ['line_item_1~line_item_2~line_item_10', 'sku:A|quantity:1~broken~', unreadable],
    ['line_items', 'sku:A', 'column_unknown'],
    ['line_item_1~line_item_01', '~', 'header_duplicate line_item_01'],
    ['line_item_1~line_item_1000', '~', 'header_invalid line_item_1000'],
  ])('in one column each: %s: %s', async (header, cells, lines) => {
    const fields = { 'items[].sku': ['sku', 'code'], 'items[].quantity:number': 'quantity' };
    expect(await read({ from: 'line_item_{n}', parts: '|', fields }, header, cells)).toBe(lines);
  });
});
