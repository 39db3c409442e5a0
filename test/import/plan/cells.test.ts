import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { startPlainService } from '../../support/plain-service.ts';
import { planFile } from '../../support/plan-file.ts';
import { sheetOf, workbookOf } from '../../support/workbook.ts';
import { headerErrors, planColumn, planRows } from '../plan-rows.ts';

/** The text that is sent of each cell, or the code of its problem. */
async function sent(header: string, cells: readonly string[], flags: string[] = []) {
  const plan = await planColumn(header, cells, { flags });
  expect(headerErrors(plan)).toEqual([]);
  const [path = ''] = header.split(':');
  return plan.orders.map(({ order = {}, invalid }) => invalid ?? valueAt(order, path));
}

function valueAt(order: object, path: string): unknown {
  return path
    .replace('[]', '.0')
    .split('.')
    .reduce((value: unknown, step) => (value as Record<string, unknown> | undefined)?.[step], order);
}

const invalid = 'decimal_invalid';
const foreign = 'currency_not_mnt';
const marks = [[], ['--decimal', 'dot'], ['--decimal', 'comma']];
const small = '45.00';

describe('an amount', () => {
  /** Each has one reading; a flag changes only that of three digits after one mark. */
  const table: [cell: string, read: unknown, dot?: string, comma?: string][] = [
    ['45000', '45000'],
    ['45,000', '45000', '45000', small],
    ['45.000', '45000', small, '45000'],
    ['7.500', '7500', '7.50', '7500'],
    ['999,990', '999990', '999990', '999.99'],
    ['45.000₮', '45000', small, '45000'],
    ['₮45,000', '45000', '45000', small],
    ['45,123', '45123', '45123', invalid],
    ['1.234.567', '1234567'],
    ['1,234,567', '1234567'],
    ['45000,00', '45000.00'],
    ['45000.00', '45000.00'],
    ['45,00', '45.00'],
    ['12.5', '12.50'],
    ['0.5', '0.50'],
    ['0,5', '0.50'],
    ['1,234.50', '1234.50'],
    ['1.234,50', '1234.50'],
    ['1,234,567.00', '1234567.00'],
    ['100.000,00', '100000.00'],
    ['45 000', '45000'],
    ['1 234 567,5', '1234567.50'],
    ['45\u00a0000', '45000'],
    ['45\u202f000.00', '45000.00'],
    ["45'000", '45000'],
    ['45’000.5', '45000.50'],
    ['45000.0000', '45000.00', '45000.00', invalid],
    ['45.0000', '45.00', '45.00', invalid],
    ['1.234,5000', invalid, invalid, '1234.50'],
    ['2,5000', invalid, invalid, '2.50'],
    ['45000.000', '45000.00'],
    ['45000,000', '45000.00'],
    ['12.345,000', '12345.00'],
    ['1 234.500', '1234.50'],
    ['0.500', '0.50'],
    ['0,000', '0.00'],
    ['90к', '90000'],
    ['90k ₮', '90000'],
    ['25 мянга', '25000'],
    ['25 мянган төгрөг', '25000'],
    ['1.5 сая', '1500000'],
    ['45,000 төг.', '45000', '45000', small],
    ['MNT 45000.5', '45000.50'],
    ['45000 т', '45000'],
    ['0', '0'],
    ['', undefined],
    ['12.345,678', invalid],
    ['1234.567', invalid],
    ['0.333', invalid],
    ['45000.1250', invalid],
    ['.50', invalid],
    ['45.', invalid],
    ['45,000,00', invalid],
    ['45.000.00', invalid],
    ['1.234,567.00', invalid],
    ['1,250 000', invalid],
    ['12,34,567', invalid],
    ['1,2345', invalid],
    ['045.000', invalid],
    ['045000.0', invalid],
    ['007', invalid],
    ['-45,000', invalid],
    ['(45,000)', invalid],
    ['1e5', invalid],
    ['1.500к', invalid],
    ['45-50', invalid],
    ['₮', invalid],
    ['free', invalid],
    ['25 төгрөг!', invalid],
    ['$36.39', foreign],
    ['25 USD', foreign],
    ['25usd', foreign],
    ['€', foreign],
    ['EUR 90', foreign],
    ['AU $3,013.00', foreign],
    ['¥100', foreign],
    ['100 юань', foreign],
    ['25 US dollars', foreign],
    ['MNT 25 USD', foreign],
  ];

  /** Beside these, three digits after a mark are unclear. */
  const hasThree = (cell: string) => /(?:^0|\d{4}|[., ]\d{3})[.,]\d{3}$/.test(cell);

  it.each([0, 1, 2])('has one reading under each --decimal (%i)', async (flag) => {
    for (const isThree of [true, false]) {
      const rows = table.filter(([cell]) => hasThree(cell) === isThree);
      const found = await sent(
        'total',
        rows.map(([cell]) => cell),
        marks[flag],
      );
      const expected = rows.map(([cell, read, dot = read, comma = read]) => [cell, [read, dot, comma][flag]]);
      expect(found.map((text, index) => [rows[index]?.[0], text])).toEqual(expected);
    }
  });

  it.each(['dot', 'comma'])('keeps its value when it is written with a %s', async (mark) => {
    const [thousands, point] = mark === 'dot' ? [',', '.'] : ['.', ','];
    const amounts = fc.tuple(
      fc.bigInt({ min: 0n, max: 10n ** 30n }),
      fc.stringMatching(/^\d\d$/),
      fc.stringMatching(/^0{0,6}$/),
      fc.boolean(),
    );
    const drawn = fc.sample(amounts, { numRuns: 500, seed: 1 });
    const cells = drawn.map(([whole, fraction, zeros, isGrouped]) => {
      const digits = isGrouped ? String(whole).replace(/\B(?=(?:\d{3})+$)/g, thousands) : String(whole);
      return `${digits}${point}${fraction}${zeros}`;
    });
    const found = await sent('total', cells, ['--decimal', mark]);
    expect(found).toEqual(drawn.map(([whole, fraction]) => `${whole}.${fraction}`));
  });

  it('has thousands before three digits, and decimals before fewer', async () => {
    const cells = fc.sample(fc.stringMatching(/^[1-9]\d{0,6}(?:[.,]\d{1,6}){0,2}$/), {
      numRuns: 60,
      seed: 1,
    });
    for (const cell of cells) {
      const [read] = await sent('total', [cell]);
      if (read === invalid) continue;
      const [whole = '', ...parts] = cell.split(/[.,]/);
      const last = parts.at(-1) ?? '';
      const isWhole = last.length === 3 && whole.length < 4 && new Set(cell.replace(/\d/g, '')).size < 2;
      const digits = [whole, ...(isWhole ? parts : parts.slice(0, -1))].join('');
      const decimals = isWhole || last === '' ? '' : `.${last.padEnd(2, '0').slice(0, 2)}`;
      expect([cell, read]).toEqual([cell, `${digits}${decimals}`]);
    }
  });

  it.each([[], ['--decimal', 'comma'], ['--decimal', 'dot']])(
    'of a workbook has a decimal dot in its numbers (%j)',
    async (...flags) => {
      const cells = [18500.5, 0.1 + 0.2, 45.125, 45, '1.500', '1.500,5', 100 / 3];
      const header = ['externalOrderId', 'customer.phone', 'items[].sku', 'collectionMode', 'total'];
      const rows = cells.map((cell, index) => [`A-${index}`, '99112233', 'TEA-1', 'NONE', cell]);
      const bytes = workbookOf({ sheets: [sheetOf([header, ...rows])] });
      const { orders } = await planFile({ text: bytes }, flags);
      expect(orders.map(({ order = {}, invalid: code }) => code ?? valueAt(order, 'total'))).toEqual([
        ...['18500.50', '0.30', invalid, '45', flags[1] === 'dot' ? '1.50' : '1500', '1500.50', invalid],
      ]);
    },
  );
});

it.each([
  ['45000.000', '30.000', true],
  ['45000.000', '30,000', false],
  ['45,000.000', '30,000', false],
  ['45,000.000', '30.000', true],
  ['0,500', '30,000', true],
  ['0,500', '30.000', false],
])('beside %s, %s is unclear: %s', async (shown, cell, isUnclear) => {
  const { problems, orders } = await planColumn('total', [shown, cell]);
  const codes = problems.map(({ code }) => code);
  expect(codes).toEqual(isUnclear ? ['decimal_ambiguous'] : []);
  if (!isUnclear) expect(orders[1]?.order?.total).toBe('30000');
});

describe('a price of one piece', () => {
  it.each(['items[].unitPrice', 'items[].unitPrice:number'])('is read as an amount: %s', async (header) => {
    const cells = [
      '45.000',
      '1.234.567',
      '30к',
      '10,000₮',
      '25 мянга',
      '45000',
      '8900.5',
      '12.34',
      '8900.5000',
    ];
    const read = ['45000', '1234567', '30000', '10000', '25000', '45000', '8900.5', '12.34', '8900.5000'];
    const prices = header.endsWith('number') ? read.map(Number) : read;
    expect(await sent(header, cells)).toEqual(prices);
  });
});

describe('a date', () => {
  const wrong = 'date_invalid';
  const unclear = 'date_unclear';
  const day = '2026-11-25';
  const table: [cell: string, plain: unknown, dmy: unknown, mdy: unknown][] = [
    ['2026-11-25', day, day, day],
    ['2026/11/25', day, day, day],
    ['2026.1.5', '2026-01-05', '2026-01-05', '2026-01-05'],
    ['25/11/2026', wrong, day, wrong],
    ['11/25/2026', wrong, wrong, day],
    ['5.11.2026', wrong, '2026-11-05', '2026-05-11'],
    ['2026-11/25', wrong, wrong, wrong],
    ['31-04-2026', wrong, wrong, wrong],
    ['2026/02/29', wrong, wrong, wrong],
    ['25/11/26', wrong, wrong, wrong],
    ['2026-11-25 10:00', wrong, wrong, wrong],
    ['2026-11-25 00:00:00', day, day, day],
    ['2026-11-25T00:00', day, day, day],
    ['2026-11-25T00:00:00.000Z', day, day, day],
    ['2026/11/25 0:00', day, day, day],
    ['25.11.2026 00:00', wrong, day, wrong],
    ['11/25/2026 12:00:00 AM', wrong, wrong, day],
    ['2026-11-25 00:00:01', wrong, wrong, wrong],
    ['2026-11-25T00:00:00.001Z', wrong, wrong, wrong],
    ['2026-11-25T00:00:00+08:00', wrong, wrong, wrong],
    ['2026-11-25 12:00', wrong, wrong, wrong],
    ['2026-11-25 24:00', wrong, wrong, wrong],
    ['2026-02-29 00:00', wrong, wrong, wrong],
    ['00:00', wrong, wrong, wrong],
    ['45972', wrong, wrong, wrong],
    ['12 сарын 5', '2026-12-05', '2026-12-05', '2026-12-05'],
    ['12-р сарын 5-нд', '2026-12-05', '2026-12-05', '2026-12-05'],
    ['12-r sariin 5', '2026-12-05', '2026-12-05', '2026-12-05'],
    ['2027 оны 3 сарын 5', '2027-03-05', '2027-03-05', '2027-03-05'],
    ['5 Dec', '2026-12-05', '2026-12-05', '2026-12-05'],
    ['Dec 5, 2027', '2027-12-05', '2027-12-05', '2027-12-05'],
    ['1 сарын 10', '2027-01-10', '2027-01-10', '2027-01-10'],
    ['11 сарын 1', '2026-11-01', '2026-11-01', '2026-11-01'],
    ['12/05', wrong, unclear, '2026-12-05'],
    ['05.12', wrong, '2026-12-05', unclear],
    ['31/12', wrong, '2026-12-31', wrong],
    ['3 сарын 5', unclear, unclear, unclear],
    ['2 сарын 30', wrong, wrong, wrong],
    ['маргааш', wrong, wrong, wrong],
    ['баасан', wrong, wrong, wrong],
    ['5', wrong, wrong, wrong],
  ];
  const orders = [[], ['--date-order', 'dmy'], ['--date-order', 'mdy']];

  it.each([0, 1, 2])('is read by its cell and --date-order (%i)', async (column) => {
    await expectSent('requestedDeliveryDate', table, column, orders[column]);
  });
});

describe('a quantity', () => {
  const wrong = 'quantity_invalid';
  const table: [cell: string, plain: unknown, dot: unknown, comma: unknown][] = [
    ['2', '2', '2', '2'],
    ['2.0', '2', '2', '2'],
    ['2,00', '2', '2', '2'],
    ['2.0000', '2', '2', '2'],
    ['2.000', '2', '2', '2'],
    ['2,000', wrong, wrong, '2'],
    ['1.5', wrong, wrong, wrong],
    ['1,5', wrong, wrong, wrong],
    ['0.0', wrong, wrong, wrong],
    ['0', wrong, wrong, wrong],
    ['-1', wrong, wrong, wrong],
    ['many', wrong, wrong, wrong],
    ['two', '2', '2', '2'],
    ['хоёр', '2', '2', '2'],
    ['гурван ширхэг', '3', '3', '3'],
    ['x2', '2', '2', '2'],
    ['2ш', '2', '2', '2'],
    ['2 ширхэг', '2', '2', '2'],
    ['2 хайрцаг', wrong, wrong, wrong],
    ['2xl', wrong, wrong, wrong],
    ['02', wrong, wrong, wrong],
    ['12 pcs.', '12', '12', '12'],
    ['0 ш', wrong, wrong, wrong],
    ['2 шил', wrong, wrong, wrong],
    ['', undefined, undefined, undefined],
  ];

  it.each([0, 1, 2])('is a whole number above zero (%i)', async (column) => {
    await expectSent('items[].quantity', table, column, marks[column]);
  });

  it.each(['items[].quantity:number', 'items[0].quantity', 'items[].quantity:json'])(
    'is the same in a column %s',
    async (header) => {
      const { orders, problems, summary } = await planColumn(header, ['2', '2.0', '', '0', 'many']);
      expect(orders.map(({ invalid }) => invalid)).toEqual([undefined, undefined, undefined, wrong, wrong]);
      expect(problems.map(({ at }) => at)).toEqual([expect.stringContaining('column E')]);
      expect(orders[1]?.order?.items).toEqual([
        { sku: 'TEA-1', quantity: header === 'items[0].quantity' ? '2' : 2 },
      ]);
      expect(summary?.plan.notes).toEqual(['2.0 is sent as 2.']);
    },
  );

  it('is not checked with --no-checks, nor where --set replaces it', async () => {
    expect(await sent('items[].quantity', ['0', 'many'], ['--no-checks'])).toEqual(['0', 'many']);
    expect(await sent('items[].quantity', ['0'], ['--set', 'items[].quantity:=1'])).toEqual([1]);
  });
});

describe('a text', () => {
  const damaged: [string, string[]][] = [
    ['spreadsheet_error', ['#REF!', '#N/A', '#name?', '########', '#CALC!', '#GETTING_DATA']],
    ['spreadsheet_error', ['#ЗНАЧ!', '#Н/Д', '#ИМЯ?', 'Err:502']],
    ['value_hidden', ['*****', '* * *', '•••', 'Peace Avenue *****']],
    ['number_damaged', ['1.01E+15', '4,5e+12']],
    ['text_damaged', ['?рг?? гудамж', 'Д?р?? гол', 'У?ДЭН', '?вс', 'дом\uFFFD', 'N\uFFFDmero']],
    ['text_damaged', ['windows-1251', 'windows-1252'].map((encoding) => misread('Улаанбаатар', encoding))],
    ['text_damaged', [misread('Хүү', 'windows-1251'), `12, ${misread('Дархан сум', 'windows-1252')} 4`]],
  ];
  it.each(damaged)('is found to be damaged: %s %j', async (code, cells) => {
    expect(await sent('x.note', cells)).toEqual(cells.map(() => code));
  });

  it('is sent as it is when it only looks damaged', async () => {
    const cells = [
      ...['TEA-001', '#1013', '12E5', 'E+07', 'Юу вэ?', 'бэ?Би ирлээ', 'Is it?', 'a?b', '?', '??'],
      ...['ирсэн үү? тийм', 'СЁ', 'ТЁЛӨГ ҮҮ', 'Р°С', 'Ðorđe Ñandú', 'ЁЁЁ', 'РСТ № 5… ТУ-5', '#NEW'],
      ...['Err: none', 'УІІ ТІІ', '5 * 3', '** хөнгөлөлт **', '*', 'дөрөв**', '#', 'C#', 'N/A', '-'],
      ...['Өргөө', '1.5E', '2E-3'],
    ];
    expect(await sent('x.note', cells)).toEqual(cells);
  });

  it('of a damaged cell has no other problem', async () => {
    const plan = await planRows([
      'externalOrderId|customer.phone|items[].sku|collectionMode|total|x.n',
      'A|#REF!|X|NONE|2.5E+04|1',
      'B|9.9112233E7|X|NONE|5|1',
      '1.01E+15|9.91E+07|4.5E+12|NONE|1|1.5E+07',
    ]);
    expect(plan.orders.map(({ invalid }) => invalid)).toEqual([
      'spreadsheet_error number_damaged',
      'phone_damaged',
      'number_damaged number_damaged number_damaged phone_damaged',
    ]);
    expect(plan.orders[1]?.message).toBe('customer.phone: a spreadsheet replaced this number');
    expect(plan.orders[2]?.message).toContain('(it was between 99,050,000 and 99,149,999)');
    const ids = await planRows(
      ['externalOrderId|customer.phone|items[].sku|collectionMode', '1.01E+15|9.91E+07|4.5E+12|NONE'],
      { flags: ['--no-checks'] },
    );
    expect(ids.orders[0]?.invalid).toBe('number_damaged');
  });
});

it('reads phones that a spreadsheet took for numbers', async () => {
  const phones = ['99112233.0', '+97699112233.0', '99112233.00', '99112233', '99112233.000', '99112233.5'];
  const rows = phones.map((phone, index) => `A-${index}|${phone}|X|NONE`);
  const { orders } = await planRows(['externalOrderId|customer.phone|items[].sku|collectionMode', ...rows]);
  expect(orders.map(({ order }) => order?.customer.phone)).toEqual([
    ...['99112233', '+97699112233', '99112233', '99112233', '99112233.000', '99112233.5'],
  ]);
});

it.each([
  ['text', ['25000.50', 'true'], ['"25000.50"', '"true"']],
  ['number', ['2', '1.10', '-0', '123456789012345678901234567890.5', '1e400'], undefined],
  ['boolean', ['TRUE', 'false'], ['true', 'false']],
  ['json', ['{"a":[1.10,null]}', '"text"'], undefined],
])('sends a cell as its header says: %s', async (type, cells, expected) => {
  const service = await startPlainService();
  onTestFinished(service.stop);
  const directory = temporaryDirectory();
  const rows = cells.map((cell, index) => `A-${index},99112233,X,NONE,"${cell.replaceAll('"', '""')}"`);
  writeFileSync(
    join(directory, 'orders.csv'),
    `externalOrderId,customer.phone,items[].sku,collectionMode,x:${type}\n${rows.join('\n')}\n`,
  );
  const env = { ...service.env, MERCHANT_ORDERS_API_KEY: 'sandbox_1' };
  await runCli(['import', join(directory, 'orders.csv'), '--yes'], { env });
  const bodies = service.creates.map(({ body }) => body).sort();
  expect(bodies.map((body) => /,"x":(.*)\}$/.exec(body)?.[1])).toEqual(expected ?? cells);
});

it('refuses a cell that is not of the type of its header', async () => {
  const wrong: [string, string[]][] = [
    ['x:number', ['two', '1,000', '0x10', '01', 'NaN', '"2"', 'null']],
    ['x:boolean', ['yes', '1', 'truely']],
    ['x:json', ['{a:1}', 'text', '{']],
  ];
  for (const [header, cells] of wrong) {
    expect(await sent(header, cells)).toEqual(cells.map(() => 'cell_type_invalid'));
  }
  const { problems } = await planColumn('items[].weight:number', ['two']);
  expect(problems).toEqual([
    {
      severity: 'error',
      at: 'row 2, order A-0, column E items[].weight:number → items[0].weight',
      code: 'cell_type_invalid',
      value: 'two',
      problem: 'is not a number',
      fix: 'fix the cell, or remove the type from the header',
    },
  ]);
});

it('lists the values that are sent in another format', async () => {
  const { summary } = await planRows(
    [
      'externalOrderId|customer.phone|items[].sku|collectionMode|requestedDeliveryDate|total',
      'A|99112233|X|NONE|2030/11/25|25,000',
      'B|99112233|X|NONE|2030-11-25|1',
      'C|99112233.0|X|NONE|2030.1.5|1',
    ],
    { flags: ['--decimal', 'dot'] },
  );
  expect(summary?.plan.notes).toEqual([
    '99112233.0 is sent as 99112233.',
    '2030/11/25 is sent as 2030-11-25, and so on in 1 more cell.',
    '25,000 is sent as 25000.',
  ]);
});

/** The cells of a table whose first column has them, as the given column says. */
async function expectSent(
  header: string,
  table: readonly [cell: string, ...expected: unknown[]][],
  column: number,
  flags: string[] = [],
) {
  const found = await sent(
    header,
    table.map(([cell]) => cell),
    flags,
  );
  expect(found.map((text, index) => [table[index]?.[0], text])).toEqual(
    table.map(([cell, ...expected]) => [cell, expected[column]]),
  );
}

/** UTF-8 text decoded with the wrong encoding. */
function misread(text: string, encoding: string): string {
  return new TextDecoder(encoding).decode(Buffer.from(text));
}
