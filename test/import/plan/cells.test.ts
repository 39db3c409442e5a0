import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
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
const marks = [[], ['--decimal', 'dot'], ['--decimal', 'comma']];

type Reading = [cell: string, ...read: (string | undefined)[]];

/**
 * Cells of a kind, each with what is sent of it or the code of its problem: without a flag, and with either value of the flag
 * that decides about unclear ones. A space that cannot be seen is written as `\u00a0`.
 */
function readingsOf(kind: string): Reading[] {
  const rows: string[][] = parse(readFileSync(new URL('cells.csv', import.meta.url)));
  const unescaped = (cell = '') =>
    cell.replaceAll(/\\u([\da-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return rows
    .filter(([name]) => name === kind)
    .map(([, cell, ...read]) => [unescaped(cell), ...read.map((text) => text || undefined)]);
}

describe('an amount', () => {
  /** Beside these, three digits after a mark are unclear. */
  const hasThree = (cell: string) => /(?:^0|\d{4}|[., ]\d{3})[.,]\d{3}$/.test(cell);

  it.each([0, 1, 2])('has one reading under each --decimal (%i)', async (flag) => {
    const table = readingsOf('amount');
    for (const isThree of [true, false]) {
      const rows = table.filter(([cell]) => hasThree(cell) === isThree);
      await expectSent('total', rows, flag, marks[flag]);
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
  const orders = [[], ['--date-order', 'dmy'], ['--date-order', 'mdy']];

  it.each([0, 1, 2])('is read by its cell and --date-order (%i)', async (column) => {
    await expectSent('requestedDeliveryDate', readingsOf('date'), column, orders[column]);
  });
});

describe('a quantity', () => {
  const wrong = 'quantity_invalid';

  it.each([0, 1, 2])('is a whole number above zero (%i)', async (column) => {
    await expectSent('items[].quantity', readingsOf('quantity'), column, marks[column]);
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
    ['value_lost', ['#REF!', '#N/A', '#name?', '########', '#CALC!', '#GETTING_DATA']],
    ['value_lost', ['#ЗНАЧ!', '#Н/Д', '#ИМЯ?', 'Err:502']],
    ['value_lost', ['*****', '* * *', '•••', 'Peace Avenue *****']],
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
      'value_lost number_damaged',
      'phone_damaged',
      'number_damaged phone_damaged',
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

/** The cells of a table whose first column has them, as the given column says. */
async function expectSent(header: string, table: readonly Reading[], column: number, flags: string[] = []) {
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
