import { describe, expect, it } from 'vitest';
import { linesOf, outcomes, planRows, type RowsOptions } from '../plan-rows.ts';

const prepaid = ['--set', 'collectionMode=NONE'];

/** `ID: lines` of each order, and `row code` of each problem, further rows with a `+`. */
async function read(rows: string[], { flags = prepaid, ...options }: RowsOptions = {}) {
  const { orders, problems } = await planRows(rows, { flags: [...flags, '--ignore-rest'], ...options });
  return {
    orders: orders.map(({ id, order }) => `${id}: ${linesOf(order)}`),
    problems: problems.map(({ at, code, same = '' }) => {
      const row = /^row (\d+)/.exec(at)?.[1] ?? at;
      return `${row}${same.replace(/^\d+ more rows?: /, '+')} ${code}`;
    }),
  };
}

describe('rows of one order', () => {
  const header = 'externalOrderId|customer.phone|items[].sku|Tags|items[].name';
  const none = ['--no-checks'];
  it.each<[string, string[], string[], string[], object?]>([
    ['one row each', ['A|1|X||', 'B|2|Y||'], ['A: X', 'B: Y'], []],
    ['the same ID, adjacent', ['A|1|X||', 'A|1|Y||', 'B|2|Y||'], ['A: X, Y', 'B: Y'], []],
    ['the same ID, far apart', ['A|1|X||', 'B|2|Y||', 'A||Z||'], ['A: X, Z', 'B: Y'], []],
    ['IDs in another case or spelling', ['A|1|X||', 'a|1|X||', '#A|1|X||'], ['A: X', 'a: X', '#A: X'], []],
    ['a blank ID with line cells', ['A|1|X||', '||Y||', '||||name'], ['A: X, Y, name'], []],
    [
      'a blank ID after scattered rows',
      ['A|1|X||', 'B|2|Y||', 'A|1|Z||', '||V||'],
      ['A: X, Z, V', 'B: Y'],
      [],
    ],
    [
      'a blank ID with order cells',
      ['A|1|X||', '|1|Y||', 'B|2|Z||'],
      ['A: X', ': Y', 'B: Z'],
      ['3 external_order_id_missing'],
    ],
    ['a blank ID without cells that are sent', ['A|1|X||', '|||tag|'], ['A: X', ': '], ['3 row_unclear']],
    [
      'a blank ID without cells that are sent, and a line below it',
      ['A|1|X||', '|||tag|', '||Y||', 'B|2|Z||'],
      ['A: X', ': Y', 'B: Z'],
      ['3 row_unclear'],
    ],
    ['a blank ID at the start', ['||X||', 'A|1|Y||'], [': X', 'A: Y'], ['2 external_order_id_missing']],
    [
      'a line below a row that lost its ID',
      ['A|1|X||', '|2|Y||', '||Z||', 'B|3|V||'],
      ['A: X', ': Y, Z', 'B: V'],
      ['3 external_order_id_missing'],
    ],
    ['two rows that lost their IDs', ['|1|X||', '|2|Y||'], [': X', ': Y'], ['2+3 external_order_id_missing']],
    [
      'repeated rows, wherever they are',
      ['A|1|X||', 'B|2|Y||', 'A|1|X||', 'A|1|X||'],
      ['A: X', 'B: Y'],
      ['4+5 duplicate_row'],
    ],
    [
      'repeated rows that continue an order',
      ['A|1|X||', '||Y||', 'B|2|X||', 'A|1|X||', '||Y||'],
      ['A: X, Y', 'B: X'],
      ['5+6 duplicate_row'],
    ],
    [
      'repeated rows without an ID',
      ['|1|X||', '||Y||', '||Y||'],
      [': X, Y'],
      ['4 duplicate_row', '2 external_order_id_missing'],
    ],
    ['rows that differ in a cell that is not sent', ['A|1|X||', 'A|1|X|tag|'], ['A: X, X'], []],
    [
      'repeated_rows lines',
      ['A|1|X||', 'A|1|X||', '||Y||', '||Y||'],
      ['A: X, X, Y, Y'],
      [],
      { repeated_rows: 'lines' },
    ],
    [
      'one_row_per_order',
      ['A|1|X||', 'B|2|Y||', 'A|1|Z||'],
      ['A: X', 'B: Y'],
      ['4 duplicate_order'],
      { one_row_per_order: true },
    ],
    [
      'both',
      ['A|1|X||', 'A|1|X||'],
      ['A: X'],
      ['3 duplicate_order'],
      { one_row_per_order: true, repeated_rows: 'lines' },
    ],
    [
      'no continuation with one_row_per_order',
      ['A|1|X||', '||Y||'],
      ['A: X', ': Y'],
      ['3 external_order_id_missing'],
      { one_row_per_order: true },
    ],
  ])('%s', async (_, rows, orders, problems, map) => {
    expect(await read([header, ...rows], { flags: none, map })).toEqual({ orders, problems });
  });

  it('are named by the row that they repeat', async () => {
    const problemOf = async (rows: string[], map?: object) => {
      const { problems } = await planRows([header, ...rows], { flags: none, map });
      const { problem, fix } = problems[0] ?? {};
      return [problem, fix];
    };
    const keep =
      'remove one of them, or set "repeated_rows": "lines" in a mapping file if both are meant: --write-map FILE writes one, --map FILE reads it';
    expect(await problemOf(['A|1|X||', 'B|2|Y||', 'A|1|X||'])).toEqual([
      'this row is the same as row 2 of order A',
      keep,
    ]);
    expect((await problemOf(['|1|X||', '||Y||', '||Y||']))[0]).toBe('this row is the same as row 3');
    expect(await problemOf(['A|1|X||', 'A|1|Z||'], { one_row_per_order: true })).toEqual([
      'order A is already in row 2',
      'give the order an ID of its own, or remove the row',
    ]);
  });
});

describe('orders with scattered rows', () => {
  const header = 'externalOrderId|customer.phone|items[].sku|collectionMode';
  const rows = [
    'A|99112233|X|NONE',
    'B|99112234|Y|NONE',
    'A||Z|',
    '||W|',
    'C|99112235|X|NONE',
    'B||Y2|',
    'A|99112233|V|NONE',
  ];
  const joined = ['A: X, Z, W, V', 'B: Y, Y2', 'C: X'];

  it('are joined at their first row and checked as a whole', async () => {
    expect(await read([header, ...rows], { flags: [] })).toEqual({ orders: joined, problems: [] });
    const found = await read([header, ...rows, 'C|99112236||', 'A|99112233|X|NONE'], { flags: [] });
    expect(found.problems).toEqual(['10 duplicate_row', '9 field_conflict']);
    const alike = ['#12|99112233|X|NONE', '7|99112234|X|NONE', '12|99112235|X|NONE', '#12||Y|', '12||Z|'];
    expect((await read([header, ...alike], { flags: [] })).orders).toEqual(['#12: X, Y', '7: X', '12: X, Z']);
    const bySku = [0, 1, 2].flatMap((line) =>
      Array.from({ length: 2000 }, (_, order) => `${order}|99112233|SKU-${line}|NONE`),
    );
    const { orders } = await read([header, ...bySku], { flags: [] });
    expect([orders.length, orders[1999]]).toEqual([2000, '1999: SKU-0, SKU-1, SKU-2']);
  });

  it.each([
    [['--limit', '2'], 'AB'],
    [['--limit', '9'], 'ABC'],
    [['--rows', '7'], 'B'],
    [['--rows', '4,6'], 'AC'],
    [['--rows', '5-9', '--limit', '2'], 'AB'],
    [['--shard', '1/2'], 'B'],
    [['--shard', '2/2'], 'AC'],
    [['--shard', '2/2', '--limit', '1'], 'A'],
    [['--shard', '2/2', '--rows', '6-9'], 'AC'],
    [['--shard', '1/2', '--rows', '6'], ''],
  ])('are selected by %j', async (flags, ids) => {
    const { orders, summary } = await planRows([header, ...rows], { flags });
    expect([orders.map(({ id }) => id).join(''), summary?.orders]).toEqual([
      ids,
      expect.objectContaining({ total: ids.length }),
    ]);
  });
});

describe('rows that are no orders', () => {
  const header = 'externalOrderId|customer.phone|items[].sku|items[].quantity:number|total|Note';
  const three = ['A|1|X|1|5|', 'B|1|X|1|6|', 'C|1|X|1|7|'];
  const seven = ['A|1|X|1|5|', 'B|1|X|1|6|', 'C|1|X|1|8|'];
  const dotted = ['A|1|X|1|1.000,50|', 'B|1|X|1|2.000|', 'C|1|X|1|3.000|', '||||6.000,50|'];
  const told = 'externalOrderId|customer.externalCustomerId|items[].sku|total';
  const kinds = 'externalOrderId|customer.phone|items[].sku|Kind|total';
  const packed = 'externalOrderId|customer.phone|Lines|Kind|total';
  const lines = { from: 'Lines', between: ';', form: '{items[].sku} x {items[].quantity:number}' };
  it.each<[string, string[], string[], RowsOptions?]>([
    ['a word in any column', [header, 'A|1|X|1|5|', '|||||Total'], ['3 total']],
    ['a word in the column of IDs', [header, 'A|1|X|1|5|', 'итого||||5|'], ['3 total']],
    ['a sum of three', [header, ...three, '||||18|'], ['5 total']],
    ['a sum of two', [header, ...three.slice(0, 2), '||||11|'], []],
    ['a sum of cents', [header, 'A|1|X|1|0.10|', 'B|1|X|1|0.20|', 'C|1|X|1|0.7|', '||||1|'], ['5 total']],
    ['almost a sum', [header, 'A|1|X|1|5.01|', ...three.slice(1), '||||18|'], []],
    ['a sum with a label', [header, ...three, 'Төлөх||||18|'], ['5 total']],
    ['a sum with two labels', [header, ...three, 'D||||18|Сараа'], []],
    ['a sum with a phone', [header, ...three, 'D|1|||18|'], []],
    ['a sum with a SKU', [header, ...three, 'D||X||18|'], []],
    ['a sum of quantities', [header, ...seven, '|||3||'], ['5 total']],
    ['a quantity of an order', [header, ...seven, 'C|||3||'], []],
    ['a quantity of an order whose ID is a number', [header, ...seven, '7|||3||'], []],
    ['a quantity with a label', [header, ...seven, '|||3||gift'], []],
    ['only zeros', [header, 'A|1|X|1|0|', 'B|1|X|1|0|', 'C|1|X|1|0|', '||||0|'], []],
    [
      'sums since the last one, and of all',
      [
        header,
        'A|1|X|1|1|',
        'B|1|X|1|2|',
        'C|1|X|1|3|',
        '||||6|',
        'D|1|X|1|4|',
        'E|1|X|1|5|',
        'F|1|X|1|6|',
        '||||15|',
        '||||21|',
      ],
      ['5 total', '9 total', '10 total'],
    ],
    ['a customer whose name is Total', [header, 'A|1|X|1|5|Total', 'B|1|X|1|6|Дүн'], []],
    ['a line whose name is a word for a total', [header, 'A|1|X|1|5|', 'A||Total|2||'], []],
    ['a SKU that is a word for a total', [header, 'A|1|X|1|5|', '||SUM|2||'], []],
    ['comments', [header, '# orders of May|||||', 'A|1|X|1|5|'], ['2 footer']],
    [
      'a sum far from orders with scattered rows',
      [header, 'A|1|X|1|5|', 'B|1|X|1|6|', 'A||Y|1||', 'C|1|X|1|7|', '||||18|'],
      ['6 total'],
    ],
    ['a sum of amounts in the same reading', [header, ...dotted], ['5 total']],
    ['no sum in another one', [header, ...dotted], [], { flags: [...prepaid, '--decimal', 'dot'] }],
    [
      'the word in the column of names',
      [
        'externalOrderId|customer.phone|customer.name|items[].name|total',
        'A|1|Сараа|Tea|5',
        '||Нийт||5',
        '|||TOTAL|5',
        'A|||Total|',
        'Total||Total||',
      ],
      ['3 total', '4 total', '6 total'],
    ],
    ['told by the lines alone', [told, 'A|7|X|5', 'B|8|Y|6', 'Total|||11'], ['4 total']],
    [
      'not where other fields tell of a customer or a line',
      [
        'externalOrderId|customer.externalCustomerId|items[0].sku|items[].barcode|customer.phone|total',
        'A|7|X|||5',
        'B|7|X|||6',
        'C|7|X|||7',
        'D|7||||18',
        'E||X|||36',
        'C|||865||72',
      ],
      [],
    ],
    ['the row of an order', [kinds, 'A|1|X||', 'A|||Total|5', 'B|1|X||6'], ['3 total']],
    [
      'not one that sums up an order by a rule',
      [kinds, 'A|1|X||', 'A|||Total|5', 'B|1|X||6'],
      [],
      { map: { summary_row_when: { Kind: 'Total' } } },
    ],
    [
      'not one with lines in a cell',
      [packed, 'A|1|X x 1||', 'B||Y x 1|Total|', '||Y x 2||', '|||Total|'],
      ['5 total'],
      { map: { lines } },
    ],
  ])('may have %s', async (_, rows, found, options) => {
    const { flags = prepaid, ...others } = options ?? {};
    const { summary, error } = await planRows(rows, { flags: [...flags, '--ignore-rest'], ...others });
    expect(error?.code).not.toBe('file_invalid');
    const notes = (summary?.plan.notes ?? []) as string[];
    const named = notes.flatMap((note) => [...note.matchAll(/row (\d+) \(a (\w+)\)/g)]);
    expect(named.map(([, row, kind]) => `${row} ${kind}`)).toEqual(found);
  });

  const words = [
    ...[
      'Total',
      'TOTAL:',
      ' Grand  total ',
      'Sub-total',
      'sub total',
      'Нийт',
      'НИЙТ ДҮН:',
      'нийлбэр',
      'Итого:',
      'ВСЕГО',
    ],
    ...[
      'Total Général',
      'Summe',
      'RAZEM',
      'ΣΎΝΟΛΟ',
      'الإجمالي',
      'योग',
      'Tổng cộng',
      'ยอดรวม',
      '合计',
      '합계',
    ],
  ];
  const others = [
    'Total Energies',
    'totally',
    'Total 12',
    'Сумка',
    'Дүнжингарав',
    'A-1',
    '45000',
    'कल',
    'sum of all',
  ];
  it.each([
    ['stand for a total', words, words.length],
    ['do not', others, 0],
  ])('may have words that %s', async (_, cells, count) => {
    const rows = cells.flatMap((cell, index) => [`A-${index}|1|X|1|5|`, `${cell}||||7|gift`]);
    const { summary } = await planRows([header, ...rows], { flags: [...prepaid, '--ignore-rest'] });
    expect(summary?.rows).toBe(2 * cells.length);
    const [note = '0'] = (summary?.plan.notes ?? []) as string[];
    expect(Number.parseInt(note, 10)).toBe(count);
  });
});

describe('rows that may be orders and may not', () => {
  const idHeaders = 'externalOrderId|customer.externalCustomerId|items[].sku|Note';
  const four = 'externalOrderId|customer.phone|items[].sku|Note';
  const named = 'externalOrderId|customer.phone|items[].sku|Kind|Product';
  const packed = {
    lines: { from: 'Lines', between: ';', form: '{items[].sku} x {items[].quantity:number}' },
  };
  it.each<[string, string[], string[], RowsOptions?]>([
    [
      'a word for a total where no column tells',
      ['externalOrderId|customer.externalCustomerId|total', 'A|7|5', 'Total||5'],
      ['3 row_unclear'],
      { flags: [...prepaid, '--set', 'items[0].sku=X'] },
    ],
    [
      'not one cell of three',
      ['externalOrderId|customer.phone|items[].sku', 'A||', 'B|1|X'],
      [],
      { flags: ['--no-checks'] },
    ],
    [
      'one cell that lost its ID, of several rows',
      [four, '|1|X|', '|||note', 'C|1|X|'],
      ['2 external_order_id_missing', '3 row_unclear'],
      { flags: ['--no-checks'] },
    ],
    [
      'one cell of four, outside of an order',
      [four, 'A|1|X|', '|||note', 'B|||', 'C|1|X|'],
      ['3+4 row_unclear'],
    ],
    ['one cell of an order', [four, 'A|||', 'A|1|X|', '||Y|', 'B|1|X|', 'B|||'], ['6 line_lost']],
    ['the header again', [idHeaders, 'A|1|X|', idHeaders, 'B|2|Y|', idHeaders], ['3+5 header_repeated']],
    [
      'the header again, with a line below it',
      [idHeaders, idHeaders, '||Z|', 'A|1|X|'],
      ['2 header_repeated'],
    ],
    [
      'a repeated row of the order without its line',
      ['externalOrderId|customer.phone|items[].sku', 'A|1|X', 'A|1|'],
      ['3 line_lost'],
    ],
    [
      'no mapped line at all',
      ['externalOrderId|customer.phone|Tags', 'A|1|x', 'A|1|y'],
      ['3 line_lost'],
      { flags: [...prepaid, '--set', 'items[0].sku=X'] },
    ],
    [
      'an item beside a new value of the order',
      ['externalOrderId|customer.phone|items[].sku|total|Product', 'A|1|X||Tea', 'A|||5|Mug'],
      ['3 line_lost'],
    ],
    [
      'a new value of the order',
      ['externalOrderId|customer.phone|items[].sku|total', 'A||X|', 'A|1||', 'A|||5'],
      [],
    ],
    [
      'another value of the order',
      ['externalOrderId|customer.phone|items[].sku', 'A|1|X', 'A|2|'],
      ['3 field_conflict'],
    ],
    [
      'a line with other fields',
      ['externalOrderId|customer.phone|items[].sku|items[].note', 'A|1|X|', 'A|||n'],
      [],
    ],
    [
      'an item that is mapped',
      ['externalOrderId|customer.phone|items[].name|SKU', 'A|1|Tea|', 'A||Mug|'],
      [],
    ],
    ['text that is no item', ['externalOrderId|customer.phone|items[].sku|Tags', 'A|1||Tea', 'A||X|'], []],
    [
      'rows that nothing says to be none',
      [named, 'A|1|X||', 'A|1||sum|all', 'A|1||part|Mug'],
      ['3+4 line_lost'],
    ],
    [
      'rows that rules say to be none',
      [named, 'A|1|X||', 'A|1||sum|all', 'A|1||sent|Mug'],
      [],
      { map: { summary_row_when: { Kind: 'sum' }, leave_out_lines: { fulfilled: { Kind: 'sent' } } } },
    ],
    [
      'rows with lines in a cell',
      ['externalOrderId|customer.phone|Lines|Tags', 'A|1|X x 1|', 'A|1|Y x 2|'],
      [],
      { map: packed },
    ],
    [
      'a row without its lines in a cell',
      ['externalOrderId|customer.phone|Lines|Tags', 'A|1|X x 1|', 'A|1|Y x 2|', 'A|1||x'],
      ['4 line_lost'],
      { map: packed },
    ],
    [
      'a title with cells that the header has not',
      ['externalOrderId|customer.phone|items[].sku|x.note', 'A|99112233|X|n', 'Хүргэлт||||'],
      ['3 row_unclear'],
    ],
    [
      'a row of another width that gives nothing',
      ['externalOrderId|customer.phone|items[].sku|x.note', 'A|99112233|X|n', 'A||||more', 'B|99112233|X|n'],
      ['3 row_width'],
    ],
  ])('are errors of that row: %s', async (_, rows, problems, options) => {
    const { problems: found } = await read(rows, options);
    const quiet = found.filter((text) => !/phone_|customer_missing/.test(text));
    expect(quiet).toEqual(problems);
  });

  it('say nothing about their columns when they have another width', async () => {
    const header = 'externalOrderId|customer.phone|items[].sku|Quantity|';
    const rows = (last: string) =>
      read([header, 'A|99112233|X|1|', last, 'C|99112235|X|1|', 'D|99112236|X|1|']);
    expect((await rows('B|99112234|X|12|text')).problems).toEqual([
      expect.stringContaining('header_blank'),
      expect.stringContaining('column_unread (quantity)'),
    ]);
    expect((await rows('B|99112234|X|12|text|more')).problems).toEqual(['3 row_width']);
  });

  it('are not left out for a state that may be another cell', async () => {
    const header = 'externalOrderId|customer.phone|items[].sku|State';
    const rows = ['A|99112233|X|', 'A||Y|more|cancelled', 'B|99112234|X|cancelled', 'C|99112235|X|'];
    const map = { leave_out: { cancelled: { State: 'cancelled' } } };
    const plan = await planRows([header, ...rows], { flags: prepaid, map });
    expect(outcomes(plan)).toEqual(['row_width', 'left out: cancelled', 'NONE']);
  });

  it('continue an order unless they name another customer, or stand behind a row that is no order', async () => {
    const map = { columns: { externalOrderId: 'Ref', 'customer.phone': 'Phone', 'items[].sku': 'Code' } };
    const header = 'Ref|Phone|Code|Customer';
    const ids = async (...rows: string[]) => (await read([header, ...rows], { flags: prepaid, map })).orders;
    expect(await ids('1|99112233|A|Болд', '||B|')).toEqual(['1: A, B']);
    expect(await ids('1|99112233|A|Болд', '||B|Дорж')).toEqual(['1: A', ': B']);
    expect(await ids('1|99112233|A|', 'Нийт|||', '||B|')).toEqual(['1: A', ': B']);
  });
});
