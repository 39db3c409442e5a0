import { describe, expect, it } from 'vitest';
import { createHeader } from '../../../src/import/columns/header.ts';
import type { LinesMapping } from '../../../src/import/map/language.ts';
import { createLineReader } from '../../../src/import/map/lines.ts';
import type { Problem } from '../../../src/import/problem.ts';
import { formatFieldPath } from '../../../src/orders/field-path.ts';
import { headerOf, rowsOf } from '../tables.ts';

/** The lines of one row, as `path=text` pairs; a cell that cannot be read is `!` and its header. */
function linesOf(
  mapping: LinesMapping,
  header: string,
  cells: string,
  isPreset = true,
): string[] | undefined {
  const problems: Problem[] = [];
  const lookup = { header: createHeader(headerOf(...header.split('~'))), isPreset, problems };
  const reader = createLineReader(lookup, mapping);
  if (reader === undefined) return problems.length === 0 ? undefined : problems.map(({ code }) => code);
  const [row] = rowsOf(cells.split('~'));
  const { rows, unread } = reader.read(row ?? { row: 0, line: 0, cells: [] });
  const lines = rows.map((line) =>
    reader.columns
      .map(({ path, index }) => [formatFieldPath(path).replace('items[].', ''), line.cells[index] ?? ''])
      .filter(([, text]) => text !== '')
      .map((pair) => pair.join('='))
      .join(' '),
  );
  return [...lines, ...unread.map((column) => `!${column.header}`)];
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
    ['SKU #1~Quantity #1', 'TEA~2', ['sku=TEA quantity=2']],
    ['SKU #1~Quantity #1~SKU #2~Quantity #2', 'TEA~2~MUG~1', ['sku=TEA quantity=2', 'sku=MUG quantity=1']],
    ['SKU #2~SKU #1', 'MUG~TEA', ['sku=TEA', 'sku=MUG']],
    ['SKU #1~SKU #3~SKU #7', 'TEA~~CUP', ['sku=TEA', 'sku=CUP']],
    ['SKU #9~SKU #10~SKU #100', 'A~B~C', ['sku=A', 'sku=B', 'sku=C']],
    ['sku #1 ~QUANTITY #1', 'TEA~2', ['sku=TEA quantity=2']],
    ['SKU #1~Name #2', 'TEA~Mug', ['sku=TEA', 'name=Mug']],
    ['SKU #1~Quantity #1', '~2', ['quantity=2']],
    ['SKU #1~Quantity #1', '~', []],
    ['SKU #1~SKU #x~SKU #', 'TEA~B~C', ['sku=TEA']],
    ['SKU #01~SKU #0002', 'TEA~MUG', ['sku=TEA', 'sku=MUG']],
    ['SKU #1~SKU #1000', 'TEA~A', ['header_invalid']],
    ['SKU #1~Quantity #1~SKU #01', 'TEA~2~MUG', ['header_duplicate']],
    ['SKU~Quantity', 'TEA~2', undefined],
  ])('%s: %s', (header, cells, lines) => {
    expect(linesOf(wide, header, cells)).toEqual(lines);
  });

  const net = {
    wide: {
      'SKU #{n}': 'items[].sku',
      'Quantity (- Refund) #{n}': 'items[].quantity:number',
      'Quantity #{n}': 'items[].quantity:number',
    },
  };
  it.each([
    ['Quantity #1~Quantity (- Refund) #1', '3~1', ['quantity=1']],
    ['Quantity #1', '3', ['quantity=3']],
  ])('take the first pattern with columns of one field: %s', (header, cells, lines) => {
    expect(linesOf(net, `SKU #1~${header}`, `TEA~${cells}`)).toEqual(lines.map((line) => `sku=TEA ${line}`));
  });

  it('are a problem when a mapping of the user names columns that are not there', () => {
    expect(linesOf(wide, 'SKU~Quantity', 'TEA~2', false)).toEqual(['column_unknown']);
  });
});

describe('a cell with lines of one form', () => {
  const form = {
    from: 'Items',
    between: ';',
    form: ['{items[].sku} x {items[].quantity:number}', '{items[].quantity:number} pieces of {items[].name}'],
  };
  it.each([
    ['TEA x 2; MUG x 1', ['sku=TEA quantity=2', 'sku=MUG quantity=1']],
    ['TEA x 2', ['sku=TEA quantity=2']],
    ['TEA X 2', ['sku=TEA quantity=2']],
    ['TEA  x  2', ['sku=TEA quantity=2']],
    ['TEAx2', ['sku=TEA quantity=2']],
    ['BOX x LID x 12', ['sku=BOX x LID quantity=12']],
    ['(TEA.1+2) x 2', ['sku=(TEA.1+2) quantity=2']],
    ['TEA x 1.5', ['sku=TEA quantity=1.5']],
    ['2 pieces of green tea', ['quantity=2 name=green tea']],
    ['TEA x 2;;', ['sku=TEA quantity=2']],
    ['TEA x 2; MUG', ['!Items']],
    ['TEA x two', ['!Items']],
    ['TEA x 2 MUG x 1, and more', ['!Items']],
    ['TEA x -1', ['!Items']],
    ['TEA x2', ['sku=TEA quantity=2']],
    ['Max 2', ['!Items']],
    ['İx2', ['sku=İ quantity=2']],
    ['TEA x 2\nMUG x 1', ['!Items']],
    ['TEA\nx\n2', ['sku=TEA quantity=2']],
    ['x 2', ['!Items']],
    ['', []],
  ])('%s', (cell, lines) => {
    expect(linesOf(form, 'Items', cell)).toEqual(lines);
  });

  it.each([
    ['{*} {items[].sku} {*} {items[].name} x {items[].quantity:number}', 'a '.repeat(30_000)],
    ['{items[].sku}, {*}, {*}, {*}, {items[].name}, {*}, {items[].quantity:number}.', ', '.repeat(30_000)],
    ['{items[].sku} x {items[].quantity:number} of {*}', 'a x 2 '.repeat(10_000)],
    ['{items[].sku}{items[].quantity:number}', '1a'.repeat(30_000)],
    ['{items[].sku} x {items[].quantity:number}{*}', `TEA x ${'1'.repeat(30_000)}`],
    ['{items[].sku} x {items[].quantity:number}', `${'A'.repeat(65_536)} x 2`],
  ])('%s in a long cell', (form, cell) => {
    expect(linesOf({ from: 'Items', form }, 'Items', cell)).toEqual(['!Items']);
  });

  it.each([
    ['{items[].sku} x {items[].quantity:number}{*}', 'TEA x 2 pcs', 'sku=TEA quantity=2'],
    ['{items[].quantity:number}x {items[].sku}', '2 x TEA', 'quantity=2 sku=TEA'],
    ['{items[].quantity:number} {items[].name}', '2 green tea', 'quantity=2 name=green tea'],
    ['{items[].sku} - {items[].name}', 'TEA-1 - Green - large', 'sku=TEA-1 name=Green - large'],
    ['SKU: {items[].sku}, Name: {items[].name}', 'sku: , NAME: Tea', 'name=Tea'],
    ['({items[].sku}) {*}', '(TEA) 5', 'sku=TEA'],
    ['{items[].sku};{*}', 'TEA;', 'sku=TEA'],
    ['[{items[].name}]', '[green  tea]', 'name=green tea'],
  ])('%s: %s', (form, cell, line) => {
    expect(linesOf({ from: 'Items', form }, 'Items', cell)).toEqual([line]);
  });

  const swallowing = '{items[].sku} x {items[].quantity:number}';
  const words = 'Product ID: {*}, SKU: {items[].sku}, Qty: {items[].quantity:number}, Price: {*}';
  it.each([
    [swallowing, 'TEA-001 x 2, MUG-001 x 1'],
    [swallowing, 'TEA-001 x 2 MUG-001 x 1'],
    [swallowing, 'TEA-001x2, MUG-001 x 1'],
    [swallowing, 'TEA-001 X2,MUG-001x1'],
    ['{items[].quantity:number} x {items[].sku}', '2 x TEA-001, 1 x MUG-001'],
    ['{items[].quantity:number}x {items[].sku}', '2x TEA-001, 1x MUG-001'],
    ['{items[].name} {items[].quantity:number}', 'Tea 2, Mug 1'],
    [words, 'Product ID: 1, SKU: A, Qty: 2, Price: 5 / Product ID: 2, SKU: B, Qty: 1, Price: 5'],
    [words, 'Product ID: 1, SKU: A, Product ID: 2, SKU: B, Qty: 1, Price: 5'],
  ])('that is not split into its lines: %s: %s', (form, cell) => {
    expect(linesOf({ from: 'Items', between: ';', form: [form, '{items[].name}'] }, 'Items', cell)).toEqual([
      '!Items',
    ]);
  });

  it.each([
    [swallowing, 'Tea x large x 2', 'sku=Tea x large quantity=2'],
    [swallowing, 'BOX2 x 3', 'sku=BOX2 quantity=3'],
    [swallowing, 'MAX2 PRO, blue x 3', 'sku=MAX2 PRO, blue quantity=3'],
    ['{items[].quantity:number} x {items[].sku}', '3 x BOX2 XL', 'quantity=3 sku=BOX2 XL'],
    ['{items[].sku}-{items[].quantity:number}', 'TEA-001-2', 'sku=TEA-001 quantity=2'],
    ['{items[].name} {items[].quantity:number}', 'Phone 15 2', 'name=Phone 15 quantity=2'],
    [words, 'Product ID: 1, SKU: Product, Qty: 2, Price: 5', 'sku=Product quantity=2'],
  ])('with a text that looks like its form: %s: %s', (form, cell, line) => {
    expect(linesOf({ from: 'Items', form }, 'Items', cell)).toEqual([line]);
  });

  const legacy = {
    from: 'order_item_{n}',
    form: [
      'product_id:{items[].productId}|{items[].quantity:number}|{*}',
      '{items[].sku}|{items[].quantity:number}|{*}',
    ],
  };
  it.each([
    ['TEA-001|2|17800', ['sku=TEA-001 quantity=2']],
    ['TEA-001|2|17800|Size: L|Colour: red', ['sku=TEA-001 quantity=2']],
    ['product_id:4959|1|30', ['quantity=1 productId=4959']],
    ['TEA-001|2', ['!order_item_1']],
  ])('whose further texts are not read: %s', (cell, lines) => {
    const sorted = linesOf(legacy, 'order_item_1', cell)?.map((line) => line.split(' ').sort().join(' '));
    expect(sorted).toEqual(lines.map((line) => line.split(' ').sort().join(' ')));
  });
});

describe('a cell with lines of named parts', () => {
  const fields = {
    'items[].sku': ['sku', 'code'],
    'items[].name': 'name',
    'items[].quantity:number': 'quantity',
  };
  const parts = { from: 'Lines', between: ';', parts: '|', fields };
  it.each([
    ['name:Tea|sku:TEA|quantity:2', ['sku=TEA name=Tea quantity=2']],
    ['name:Tea|sku:|quantity:2', ['name=Tea quantity=2']],
    ['name:Tea|quantity:2;name:Mug|quantity:1', ['name=Tea quantity=2', 'name=Mug quantity=1']],
    ['Name : Tea | Quantity : 2', ['name=Tea quantity=2']],
    ['name:Tea: green|quantity:2', ['name=Tea: green quantity=2']],
    ['name:Tea|Mug|quantity:2', ['name=Tea|Mug quantity=2']],
    ['code:TEA|quantity:2', ['sku=TEA quantity=2']],
    ['name:Tea\\; green\\|1\\: 2|quantity:2', ['name=Tea; green|1: 2 quantity=2']],
    ['sku:TEA|quantity:2|meta:a|tax_data:{"total":1}', ['sku=TEA quantity=2']],
    ['Tea, two pieces', ['!Lines']],
    ['sku:TEA|quantity:2;Mug', ['!Lines']],
    ['Mug|sku:TEA', ['!Lines']],
    ['price:5|colour:red', ['!Lines']],
    ['[{"sku":"TEA"}]', ['!Lines']],
    ['sku:TEA-001|quantity:2|sku:MUG-001|quantity:1', ['!Lines']],
    ['name:Tea|Quantity:2|quantity :3', ['!Lines']],
    ['sku:TEA|quantity:2|colour:red|colour:blue', ['sku=TEA quantity=2']],
    ['sku:TEA|count:2', ['!Lines']],
    ['sku:TEA|quantity:', ['sku=TEA']],
    ['title:Tea|quantity:2', ['!Lines']],
    ['sku:|quantity:2', ['quantity=2']],
    [`name:Tea|${' '.repeat(60_000)}x|quantity:2`, [`name=Tea|${' '.repeat(60_000)}x quantity=2`]],
    ['', []],
  ])('%s', (cell, lines) => {
    expect(linesOf(parts, 'Lines', cell)).toEqual(lines);
  });

  it('has one column for each line, with holes in the numbers', () => {
    const numbered = { from: 'line_item_{n}', parts: '|', fields };
    const header = 'line_item_1~line_item_2~line_item_10';
    const cells = 'sku:A|quantity:1~~sku:C|quantity:3';
    expect(linesOf(numbered, header, cells)).toEqual(['sku=A quantity=1', 'sku=C quantity=3']);
    expect(linesOf(numbered, header, 'sku:A|quantity:1~broken~')).toEqual([
      'sku=A quantity=1',
      '!line_item_2',
    ]);
    expect(linesOf(numbered, 'line_items', 'sku:A')).toBeUndefined();
    expect(linesOf(numbered, 'line_item_1~line_item_01', '~')).toEqual(['header_duplicate']);
    expect(linesOf(numbered, 'line_item_1~line_item_1000', '~')).toEqual(['header_invalid']);
  });
});

describe('a cell with lines as JSON', () => {
  const json = {
    from: 'Lines',
    json: true as const,
    fields: { 'items[].sku': ['sku', 'product_sku'], 'items[].quantity:number': 'qty' },
  };
  it.each([
    ['[{"sku":"TEA","qty":2}]', ['sku=TEA quantity=2']],
    ['[{"product_sku":"TEA","qty":"2"},{"sku":"MUG","qty":1}]', ['sku=TEA quantity=2', 'sku=MUG quantity=1']],
    ['[{"sku":null,"product_sku":"TEA","qty":1.0}]', ['sku=TEA quantity=1.0']],
    ['[]', []],
    ['[{"sku":"","qty":""}]', ['']],
    ['[{"sku":"TEA","count":2}]', ['!Lines']],
    ['[{"sku":"TEA","qty":null}]', ['!Lines']],
    ['[{"sku":"TEA","qty":2,"sku":"MUG","qty":1}]', ['!Lines']],
    ['[{"sku":"TEA","qty":2,"colour":"red","colour":"blue"}]', ['sku=TEA quantity=2']],
    ['[{"sku":null,"qty":2}]', ['!Lines']],
    ['[{"sku":"TEA","qty":1},{"qty":2}]', ['!Lines']],
    ['{"sku":"TEA"}', ['!Lines']],
    ['["TEA"]', ['!Lines']],
    ['[{"sku":"TEA"', ['!Lines']],
    ['', []],
  ])('%s', (cell, lines) => {
    expect(linesOf(json, 'Lines', cell)).toEqual(lines);
  });
});
