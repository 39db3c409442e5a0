import { describe, expect, it } from 'vitest';
import { outcomes, planColumn, planRows } from '../plan-rows.ts';
import cases from './column-values.json' with { type: 'json' };

const base = 'externalOrderId|customer.phone|items[].sku|collectionMode';

describe('what to do about a cell is said by all cells of its column', () => {
  it.each(cases.cures as [header: string, cells: string[], fixes: string[], flags?: string[]][])(
    '%s %j',
    async (header, cells, fixes, flags = []) => {
      const { problems } = await planColumn(header, cells, { flags });
      expect(problems.map(({ code, fix }) => `${code}: ${fix}`)).toEqual(fixes);
    },
  );

  it('takes a style of amounts or dates for all rows of an order', async () => {
    const header = `${base}|total|requestedDeliveryDate`;
    const rows = ['A|99112233|X|NONE|1.250,5|5/11/2030', 'A||Y||1250,50|2030.11.5'];
    const flags = ['--decimal', 'comma', '--date-order', 'dmy'];
    const { orders, problems } = await planRows([header, ...rows], { flags });
    expect([orders[0]?.order?.total, orders[0]?.order?.requestedDeliveryDate, problems]).toEqual([
      '1250.50',
      '2030-11-05',
      [],
    ]);
  });

  it('offers to take one of several phones', async () => {
    const several = async (phone: string) => {
      const { problems } = await planRows([base, `A|${phone}|X|NONE`]);
      return problems.map(({ at, value, problem, fix }) => [at, value, problem, fix]);
    };
    expect(await several('99112233;88112233')).toEqual([
      [
        'row 2, order A, column B customer.phone',
        '99112233;88112233',
        'holds more than one phone number',
        'keep one of them, or have a mapping file take one of each cell: "pick": "first", or "pick": "last"',
      ],
    ]);
    expect((await several('99112233 88112233'))[0]?.[3]).toContain('"pick": "first"');
    expect((await several('12345'))[0]?.[3]).not.toContain('pick');
  });
});

describe('amounts with three decimals', () => {
  const unclear = (
    cell: string,
    thousands: string,
    decimals: string,
    shown: string,
    [first, second]: string[],
  ) => ({
    severity: 'error',
    code: 'decimal_ambiguous',
    value: cell,
    problem: `may be ${thousands} ₮ or ${decimals} ₮, because this column has amounts with three decimals, such as ${shown}`,
    fix: `add --decimal ${first} if it is ${thousands} ₮, or --decimal ${second} if it is ${decimals} ₮`,
  });

  it.each<[cells: string[], row: string, ...Parameters<typeof unclear>]>([
    [['45000.000', '45.000', '30.000'], 'row 3', '45.000', '45,000', '45', '45000.000', ['comma', 'dot']],
    [['45,000', '20000', '12.345,000'], 'row 2', '45,000', '45,000', '45', '12.345,000', ['dot', 'comma']],
    [['0,500', '7,250 ₮'], 'row 3', '7,250 ₮', '7,250', '7.250', '0,500', ['dot', 'comma']],
    [['999.120', '1 234.500'], 'row 2', '999.120', '999,120', '999.120', '1 234.500', ['comma', 'dot']],
  ])('make others unclear: %j, once for the column', async (cells, row, ...expected) => {
    const { problems, error, orders } = await planColumn('total', cells);
    expect(problems).toEqual([{ at: `${row}, column E total`, ...unclear(...expected) }]);
    expect(error?.code).toBe('file_invalid');
    expect(orders.filter(({ invalid }) => invalid !== undefined)).toEqual([]);
    for (const mark of ['dot', 'comma'])
      expect((await planColumn('total', cells, { flags: ['--decimal', mark] })).error).toBeUndefined();
  });

  it.each<[what: string, header: string, cells: string[]]>([
    ['that need no other reading', 'total', ['45000.000', '45000', '1.234.567', '12,5']],
    ['with four decimals beside them', 'total', ['45000.0000', '45.000']],
    ['that are not amounts', 'total', ['045.000', '45.000']],
    ['in quantities', 'items[].quantity:number', ['2.000', '1200.000']],
  ])('are no problem %s', async (_, header, cells) => {
    const { problems } = await planColumn(header, cells);
    expect(problems.filter(({ code }) => code === 'decimal_ambiguous')).toEqual([]);
  });

  it('are refused with a third decimal that is no zero', async () => {
    const { problems } = await planColumn('total', ['45000.125', '45000']);
    expect(problems.map(({ code, value }) => [code, value])).toEqual([['decimal_invalid', '45000.125']]);
  });

  it('of one column say nothing of another, and those of orders that are left out nothing to stop for', async () => {
    const header = 'externalOrderId|customer.phone|items[].sku|Status|collectionMode|collectionAmount|total';
    const rows = (first: string, second: string) => [
      header,
      `A|99112233|X|new|COLLECT|45.000|${first}`,
      `B|99112234|X|new|COLLECT|30.000|20000.000`,
      `C|99112235|X|cancelled|COLLECT|30.000|${second}`,
    ];
    const flags = ['--leave-out', 'Status=cancelled'];
    const { problems, orders } = await planRows(rows('45000', '30.000'), { flags });
    expect(problems.map(({ code }) => code)).toEqual([]);
    expect(orders.map(({ order }) => order?.collectionAmount)).toEqual(['45000', '30000', undefined]);
    const found = await planRows(rows('45.000', '30000'), { flags });
    expect(found.problems.map(({ code, at }) => [code, at])).toEqual([
      ['decimal_ambiguous', 'row 2, column G total'],
    ]);
  });

  it('are found in every column from which an amount is read, also where --rows takes other orders', async () => {
    const header = 'externalOrderId|customer.phone|items[].sku|total|Deposit|Status';
    const map = {
      columns: { total: 'total' },
      amount_paid: ['Deposit'],
      values: { Status: { new: 'collect' } },
    };
    const rows = [header, 'A|99112233|X|90000|5.000|new', 'B|99112234|X|90000|10000.000|new'];
    const { problems } = await planRows(rows, { map, flags: ['--rows', '2'] });
    expect(problems.map(({ code, at }) => [code, at])).toEqual([
      ['decimal_ambiguous', 'row 2, column E Deposit'],
    ]);
    expect((await planRows(rows, { map, flags: ['--rows', '3'] })).problems).toEqual([]);
  });
});

it('warns of less than 1,000 ₮ to collect', async () => {
  const { problems, orders, error } = await planRows([
    'externalOrderId|customer.phone|items[].sku|collectionMode|collectionAmount',
    'A|99112233|X|COLLECT|300',
    'B|99112234|X|COLLECT|999,50',
    'C|99112235|X|COLLECT|1000',
    'D|99112236|X|NONE|0',
  ]);
  expect(problems).toEqual([
    {
      severity: 'warning',
      at: 'row 2, order A, column E collectionAmount',
      code: 'collection_amount_small',
      value: '300',
      problem: 'is less than 1,000 ₮',
      fix: 'check it; it is sent as it is',
      same: expect.anything(),
    },
  ]);
  expect([orders.filter(({ invalid }) => invalid).length, error]).toEqual([0, undefined]);
});

describe('numbers that a spreadsheet rounded', () => {
  it.each([
    ...(cases.roundedPhones as [string, string[], string[], string[]?][]),
    [
      'one number in every other row of a large file',
      Array.from({ length: 6000 }, (_, index) =>
        index % 2 === 0 ? '99112200' : String(88_000_001 + 5 * index),
      ),
      [],
    ] as [string, string[], string[]],
  ])('phones: %s', async (_, phones, codes, flags = []) => {
    const { problems, error } = await planRows(
      [base, ...phones.map((phone, index) => `A-${index}|${phone}|X|NONE`)],
      { flags },
    );
    expect(problems.map(({ code }) => code).filter((code) => code === 'phones_rounded')).toEqual(codes);
    expect(error?.code).toBe(codes.length > 0 ? 'file_invalid' : undefined);
  });

  const kept = ['756107000000', '756108000000', '934362000000'];
  it.each<[string, string[], string[]]>([
    ['six digits kept', kept, ['number_damaged (rounded)']],
    [
      'fifteen digits kept',
      ['1234567890123450', '1234567890123460', '1234567890123470', '12345'],
      ['number_damaged (rounded)'],
    ],
    ['most IDs rounded', [...kept, '934362000001', '7'], ['number_damaged (rounded)']],
    ['half of the IDs', [...kept, '1'.repeat(12), '2'.repeat(12), '3'.repeat(12)], []],
    ['two IDs', kept.slice(0, 2), []],
    ['short IDs', ['100000', '200000', '300000', '400000'], []],
    ['IDs with letters', kept.map((id) => `A-${id}`), []],
  ])('IDs: %s', async (_, ids, codes) => {
    const { problems, error } = await planRows([base, ...ids.map((id) => `${id}|99112233|X|NONE`)]);
    expect(problems.map(({ code }) => code)).toEqual(codes);
    expect(error?.code).toBe(codes.length > 0 ? 'file_invalid' : undefined);
  });

  it('IDs in scientific notation may be different orders', async () => {
    const plan = await planRows([base, '1.01E+15|99112233|X|NONE', '1.01E+15|99112233|X|NONE']);
    expect(outcomes(plan)).toEqual(['number_damaged']);
    expect(plan.problems[0]?.problem).toMatch(/gone, and different orders may have become one$/);
  });
});
