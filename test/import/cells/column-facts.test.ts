import { describe, expect, it } from 'vitest';
import type { PlanOptions } from '../../../src/import/orders/plan-import.ts';
import { parseAssignment } from '../../../src/orders/assignment.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { fixture, plan, planFile, tableOf } from '../tables.ts';

const header = 'externalOrderId|customer.phone|items[].sku|collectionMode';

/** `code: fix` of each problem of orders with one more column. */
async function fixes(column: string, cells: string[], more: Partial<PlanOptions> = {}) {
  const rows = cells.map((cell, index) => `A-${index}|99112233|TEA-1|NONE|${cell}`);
  const { problems, read } = await plan(tableOf(`${header}|${column}`, ...rows), more);
  // The rejects file gets the same fixes.
  const again = read.flatMap(({ planned }) => planned.problems.map(({ fix }) => fix));
  for (const { first } of problems) if (first.about === 'order') expect(again).toContain(first.fix);
  return problems.map(({ first }) => `${first.code}: ${first.fix}`);
}

describe('amounts with separators', () => {
  const plain = 'decimal_invalid: write digits, or digits, a dot and two digits: 25000 or 25000.50';

  const dot = 'add --decimal dot, which reads every cell of the column';
  const comma = 'add --decimal comma, which reads every cell of the column';
  const either = 'add --decimal dot or --decimal comma, whichever is meant';

  it.each<[string[], string[]]>([
    [
      ['25,000', '100', '1,250.5'],
      [`decimal_ambiguous: ${dot}: 25,000 ₮ is 25,000 with dot, 25 with comma`, `decimal_invalid: ${dot}`],
    ],
    [
      ['25.000', '37990,5'],
      [
        `decimal_ambiguous: ${comma}: 25.000 ₮ is 25 with dot, 25,000 with comma`,
        `decimal_invalid: ${comma}`,
      ],
    ],
    [['25 000', ''], [`decimal_invalid: ${either}`]],
    [['45.000', '60.000'], [`decimal_ambiguous: ${either}: 45.000 ₮ is 45 with dot, 45,000 with comma`]],
    [['45,000', '60'], [`decimal_ambiguous: ${either}: 45,000 ₮ is 45,000 with dot, 45 with comma`]],
    [['45.000', '1234.000'], [`decimal_ambiguous: ${dot}: 45.000 ₮ is 45 with dot, 45,000 with comma`]],
    [['45.000', '45.50'], ['decimal_ambiguous: write what is meant: 45.00 or 45000']],
    [['25,000', '25.000'], ['decimal_ambiguous: write what is meant: 25000 or 25.00']],
    [
      ['25,000', 'free'],
      ['decimal_ambiguous: write what is meant: 25000 or 25.00', plain],
    ],
    [
      ['25,000.50', '1,000'],
      [`decimal_invalid: ${dot}`, `decimal_ambiguous: ${dot}: 1,000 ₮ is 1,000 with dot, 1 with comma`],
    ],
    [['1 234,50'], [`decimal_invalid: ${comma}`]],
    [['45000,0000'], [`decimal_invalid: ${comma}`]],
    [['100.50', '25', '45000.0', '45000.0000', '25000₮'], []],
  ])('%j: %j', async (cells, problems) => {
    expect(await fixes('total', cells)).toEqual(problems);
  });

  it('reads them in the style of --decimal', async () => {
    expect(await fixes('total', ['25,000', '100.5'], { decimal: 'dot' })).toEqual([]);
    const { all } = await plan(tableOf(`${header}|total`, 'A|99112233|X|NONE|1.250,5', 'A||Y||1250,50'), {
      decimal: 'comma',
    });
    expect(all.map(({ order, problems }) => [order.total, problems])).toEqual([['1250.50', []]]);
    const wrong = 'decimal_invalid: add --decimal dot, which reads every cell of the column';
    expect(await fixes('total', ['25,000.5'], { decimal: 'comma' })).toEqual([wrong]);
  });
});

it('suggests every form in which the cells of a column say how many pieces are meant', async () => {
  const rows = ['A|99112233|2 x Tea|NONE', 'B|99112234|Mug x2|NONE', 'C|99112235|Bowl|NONE'];
  const { problems } = await plan(
    tableOf('externalOrderId|customer.phone|items[].sku|collectionMode', ...rows),
  );
  const [problem] = problems.filter(({ first }) => first.code === 'quantity_unread');
  expect(problem?.first.fix).toContain(
    '"form":["{items[].quantity:number} x {items[].sku}","{items[].sku} x {items[].quantity:number}"]',
  );
});

it.each(['$25', '25 USD', '€'])(
  'says that %s is not in MNT, and nothing else of the amount',
  async (cell) => {
    const rows = `A|99112233|TEA-1|COLLECT|${cell}`;
    const { all } = await plan(tableOf(`${header}|collectionAmount`, rows));
    expect(
      all.map(({ problems }) => problems.map(({ code, column, value }) => [code, column, value])),
    ).toEqual([[['currency_not_mnt', 'E', cell]]]);
  },
);

it('suggests that a mapping takes the first of several phones', async () => {
  const { problems, all } = await plan(tableOf(header, 'A|99112233;88112233|X|NONE', 'B|12345|X|NONE'));
  const [several, short] = problems.map(({ first }) => first);
  expect(several).toMatchObject({
    code: 'phone_invalid',
    column: 'B',
    value: '99112233;88112233',
    problem: 'holds more than one phone number',
    fix: 'keep one of them, or have a mapping file take the first of each cell: "pick": "first"',
  });
  expect(short?.fix).not.toContain('pick');
  const spaced = await plan(tableOf(header, 'A|99112233 88112233|X|NONE'));
  expect(spaced.problems.map(({ first }) => [first.code, first.fix])).toEqual([
    ['phone_invalid', 'keep one of them'],
  ]);
  expect(all.map(({ problems }) => problems[0]?.fix)).toEqual([several?.fix, short?.fix]);
});

describe('phones rounded by a spreadsheet', () => {
  const found = async (phones: string[], more: Partial<PlanOptions> = {}) => {
    const rows = phones.map((phone, index) => `A-${index}|${phone}|X|NONE`);
    const { problems, isBroken } = await plan(tableOf(header, ...rows), more);
    const codes = problems.map(({ first }) => first.code).filter((code) => code === 'phones_rounded');
    return [codes.length, isBroken];
  };
  const exact = ['99112231', '99112232', '99112233'];

  it.each([
    ['eight digits', ['99112200', '88112300', '95112400', '86112500', '80112600']],
    ['more digits', ['+54911440000', '+54911450000', '+54911460000', '+54911470000', '+54911480000']],
    ['most of them', ['99112200', '88112300', '95112400', '86112500', ...exact]],
  ])('detects %s', async (_, phones) => {
    expect(await found(phones)).toEqual([1, true]);
  });

  it.each([
    ['four numbers', ['99112200', '88112300', '95112400', '86112500']],
    ['one number many times', Array.from({ length: 9 }, () => '99112200')],
    ['half of the numbers', ['99112200', '88112300', '95112400', ...exact]],
    [
      'more digits with two zeros',
      ['+97699112200', '+97688112300', '+97695112400', '+97686112500', '+97680112600'],
    ],
  ])('does not report %s', async (_, phones) => {
    expect(await found(phones)).toEqual([0, false]);
  });

  it('does not report one number in every other row of a large file', async () => {
    const phones = Array.from({ length: 3000 }, (_, index) => ['99112200', String(88_000_001 + 10 * index)]);
    expect(await found(phones.flat())).toEqual([0, false]);
  });

  it('does not report them with --no-checks', async () => {
    const phones = ['99112200', '88112300', '95112400', '86112500', '80112600'];
    expect(await found(phones, { allRules: false })).toEqual([0, false]);
  });
});

describe('quantities', () => {
  const codes = async (quantity: string, cells: string[], more: Partial<PlanOptions> = {}) => {
    const rows = cells.map((cell, index) => `A-${index}|99112233|TEA-1|NONE|${cell}`);
    const { all, facts } = await plan(tableOf(`${header}|${quantity}`, ...rows), more);
    const found = all.map(({ problems }) =>
      problems.map(({ code, path, column }) => `${column} ${path} ${code}`),
    );
    return { found, sent: all.map(({ order }) => writeOrderBody(order)), notes: facts.reformatted() };
  };
  const invalid = ['E items[0].quantity quantity_invalid'];

  it.each(['items[].quantity', 'items[].quantity:number', 'items[0].quantity', 'items[].quantity:json'])(
    'of %s are whole numbers above zero',
    async (quantity) => {
      const cells = ['2', '2.0', '', '0', '-1', '1.5', 'two', '1,5'];
      const { found, notes } = await codes(quantity, cells);
      expect(found).toEqual([[], [], [], invalid, invalid, invalid, invalid, invalid]);
      expect(notes).toEqual([{ from: '2.0', to: '2', count: 1 }]);
    },
  );

  it('are sent as the header says', async () => {
    expect((await codes('items[].quantity', ['2.0', ''])).sent.map((body) => JSON.parse(body).items)).toEqual(
      [[{ sku: 'TEA-1', quantity: '2' }], [{ sku: 'TEA-1' }]],
    );
    const { sent } = await codes('items[].quantity:number', ['2.0']);
    expect(sent.map((body) => JSON.parse(body).items)).toEqual([[{ sku: 'TEA-1', quantity: 2 }]]);
  });

  it('are not checked with --no-checks, nor where --set replaces them', async () => {
    expect((await codes('items[].quantity', ['0', 'two'], { allRules: false })).found).toEqual([[], []]);
    const constants = [parseAssignment('items[].quantity:=1')];
    expect((await codes('items[].quantity', ['0'], { constants })).found).toEqual([[]]);
  });
});

it('suggests no --decimal for constants and numbers', async () => {
  const constants = [parseAssignment('total:=5')];
  const spelled = [parseAssignment('total=45.000')];
  const plain = 'decimal_invalid: write digits, or digits, a dot and two digits: 25000 or 25000.50';
  expect(await fixes('total', ['25,000'], { constants: spelled })).toEqual([plain]);
  const inQuotes = 'decimal_invalid: write it in quotes: "5"';
  expect(await fixes('total', ['25,000'], { constants })).toEqual([inQuotes]);
  expect(await fixes('total:number', ['5'])).toEqual([inQuotes]);
});

describe('dates with the year last', () => {
  it.each<[string[], string[]]>([
    [['25/11/2030', '05/11/2030'], ['add --date-order dmy, which reads every cell of the column']],
    [['11/25/2030', '2030-01-01'], ['add --date-order mdy, which reads every cell of the column']],
    [['05/11/2030'], ['add --date-order dmy or --date-order mdy, whichever is meant']],
    [['25/11/2030', '11/25/2030'], ['write a day that exists as YYYY-MM-DD: 2026-11-25']],
    [['2030/11/25', '2030.1.5'], []],
  ])('%j: %j', async (cells, problems) => {
    expect(await fixes('requestedDeliveryDate', cells)).toEqual(
      problems.map((fix) => `date_invalid: ${fix}`),
    );
  });

  it('reads them in the order of --date-order', async () => {
    const table = tableOf(
      `${header}|requestedDeliveryDate`,
      'A|99112233|X|NONE|5/11/2030',
      'A||Y||2030.11.5',
    );
    const { all } = await plan(table, { dateOrder: 'dmy' });
    expect(all.map(({ order, problems }) => [order.requestedDeliveryDate, problems])).toEqual([
      ['2030-11-05', []],
    ]);
  });
});

it('reports text that was opened in the wrong encoding and saved', async () => {
  const { all } = await planFile(fixture('import/exports/opened-as-windows-1251.csv'));
  expect(all.map(({ problems }) => problems.find(({ code }) => code === 'text_damaged'))).toMatchObject([
    {
      row: 2,
      column: 'B',
      path: 'deliveryAddress.city',
      problem: 'the file was opened with the wrong encoding and saved again',
      fix: 'open the original as UTF-8 (Data, From Text/CSV) and save it as "CSV UTF-8"',
    },
    { row: 3, column: 'B' },
  ]);
});

it('lists the values that are sent in another format', async () => {
  const rows = [
    'A|99112233|X|NONE|2030/11/25|25,000',
    'B|99112233|X|NONE|2030-11-25|1',
    'C|99112233.0|X|NONE|2030.1.5|x',
  ];
  const { facts } = await plan(tableOf(`${header}|requestedDeliveryDate|total`, ...rows), {
    decimal: 'dot',
  });
  expect(facts.reformatted()).toEqual([
    { from: '99112233.0', to: '99112233', count: 1 },
    { from: '2030/11/25', to: '2030-11-25', count: 2 },
    { from: '25,000', to: '25000', count: 1 },
  ]);
});

describe('IDs rounded by a spreadsheet', () => {
  const ids = async (...cells: string[]) => {
    const rows = cells.map((id) => `${id}|99112233|X|NONE`);
    const { problems, isBroken } = await plan(tableOf(header, ...rows));
    return { codes: problems.map(({ first }) => `${first.column} ${first.code}`), isBroken };
  };
  const broken = { codes: ['A ids_rounded'], isBroken: true };

  it.each([
    ['six digits kept', ['756107000000', '756108000000', '934362000000']],
    ['fifteen digits kept', ['1234567890123450', '1234567890123460', '1234567890123470', '12345']],
    ['most IDs of a column rounded', ['756107000000', '756108000000', '934362000000', '934362000001', '7']],
  ])('detects %s', async (_, cells) => {
    expect(await ids(...cells)).toEqual(broken);
  });

  it.each([
    [
      'half of the IDs',
      ['756107000000', '756108000000', '934362000000', '1'.repeat(12), '2'.repeat(12), '3'.repeat(12)],
    ],
    ['two IDs', ['756107000000', '756108000000']],
    ['short IDs', ['100000', '200000', '300000', '400000']],
    ['IDs with letters', ['A-756107000000', 'A-756108000000', 'A-934362000000']],
  ])('does not report %s', async (_, cells) => {
    expect(await ids(...cells)).toEqual({ codes: [], isBroken: false });
  });

  it('reports that equal IDs in scientific notation may be different orders', async () => {
    const { all } = await plan(tableOf(header, '1.01E+15|99112233|X|NONE', '1.01E+15|99112233|X|NONE'));
    expect(all.map(({ problems }) => problems.map(({ code, row, problem }) => [code, row, problem]))).toEqual(
      [
        [
          [
            'number_damaged',
            2,
            'a spreadsheet replaced this number; its last digits are gone, and different orders may have become one',
          ],
        ],
      ],
    );
  });

  it('reports each ID in scientific notation, also with --no-checks', async () => {
    const { all } = await plan(tableOf(`${header}|x.n`, '1.01E+15|99112233|4.5E+12|NONE|1.5E+07'), {
      allRules: false,
    });
    expect(all[0]?.problems.map(({ code, path }) => [code, path])).toEqual([
      ['number_damaged', 'externalOrderId'],
    ]);
    const strict = await plan(tableOf(`${header}|x.n`, '1.01E+15|9.91E+07|4.5E+12|NONE|1.5E+07'));
    expect(strict.all[0]?.problems.map(({ code, path }) => [code, path])).toEqual([
      ['number_damaged', 'items[0].sku'],
      ['number_damaged', 'externalOrderId'],
      ['number_damaged', 'x.n'],
      ['phone_damaged', 'customer.phone'],
    ]);
    expect(strict.all[0]?.problems.at(-1)?.problem).toContain('(it was between 99,050,000 and 99,149,999)');
  });
});
