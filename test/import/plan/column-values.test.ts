import { describe, expect, it } from 'vitest';
import { outcomes, planColumn, planRows } from '../plan-rows.ts';

const base = 'externalOrderId|customer.phone|items[].sku|collectionMode';
const dot = 'add --decimal dot, which reads every cell of the column';
const comma = 'add --decimal comma, which reads every cell of the column';
const either = 'add --decimal dot or --decimal comma, whichever is meant';
const dmy = 'add --date-order dmy, which reads every cell of the column';
const mdy = 'add --date-order mdy, which reads every cell of the column';
const plain = 'decimal_invalid: write digits, or digits, a dot and two digits: 25000 or 25000.50';
const write = 'decimal_ambiguous: write what is meant:';

describe('what to do about a cell is said by all cells of its column', () => {
  it.each<[header: string, cells: string[], fixes: string[], flags?: string[]]>([
    [
      'total',
      ['25,000', '100', '1,250.5'],
      [`decimal_ambiguous: ${dot}: 25,000 ₮ is 25,000 with dot, 25 with comma`, `decimal_invalid: ${dot}`],
    ],
    [
      'total',
      ['25.000', '37990,5'],
      [
        `decimal_ambiguous: ${comma}: 25.000 ₮ is 25 with dot, 25,000 with comma`,
        `decimal_invalid: ${comma}`,
      ],
    ],
    ['total', ['25 000', ''], []],
    [
      'total',
      ['45.000', '60.000'],
      [`decimal_ambiguous: ${either}: 45.000 ₮ is 45 with dot, 45,000 with comma`],
    ],
    ['total', ['45,000', '60'], [`decimal_ambiguous: ${either}: 45,000 ₮ is 45,000 with dot, 45 with comma`]],
    ['total', ['45,500'], [`decimal_ambiguous: ${either}: 45,500 ₮ is 45,500 with dot, 45.50 with comma`]],
    ['total', ['45.123₮'], [`decimal_ambiguous: ${comma}: 45.123 ₮ is 45,123 with comma`]],
    [
      'total',
      ['45.000', '1234.000'],
      [`decimal_ambiguous: ${dot}: 45.000 ₮ is 45 with dot, 45,000 with comma`],
    ],
    ['total', ['45.000', '45.50'], [`${write} 45.00 or 45000`]],
    ['total', ['25,000', '25.000'], [`${write} 25000 or 25.00`]],
    ['total', ['25,000', 'free'], [`${write} 25000 or 25.00`, plain]],
    [
      'total',
      ['25,000.50', '1,000'],
      [`decimal_invalid: ${dot}`, `decimal_ambiguous: ${dot}: 1,000 ₮ is 1,000 with dot, 1 with comma`],
    ],
    ['total', ['1 234,50'], [`decimal_invalid: ${comma}`]],
    ['total', ['45000,0000'], [`decimal_invalid: ${comma}`]],
    ['total', ['100.50', '25', '45000.0', '45000.0000', '25000₮'], []],
    ['total', ['25,000.5'], [`decimal_invalid: ${dot}`], ['--decimal', 'comma']],
    ['total', ['25,000'], [plain], ['--set', 'total=45.000']],
    ['total', ['25,000'], ['decimal_invalid: write it in quotes: "5"'], ['--set', 'total:=5']],
    ['total:number', ['5'], ['decimal_invalid: write it in quotes: "5"']],
    ['requestedDeliveryDate', ['25/11/2030', '05/11/2030'], [`date_invalid: ${dmy}`]],
    ['requestedDeliveryDate', ['11/25/2030', '2030-01-01'], [`date_invalid: ${mdy}`]],
    [
      'requestedDeliveryDate',
      ['05/11/2030'],
      ['date_invalid: add --date-order dmy or --date-order mdy, whichever is meant'],
    ],
    [
      'requestedDeliveryDate',
      ['25/11/2030', '11/25/2030'],
      ['date_invalid: write a day that exists as YYYY-MM-DD: 2026-11-25'],
    ],
    ['requestedDeliveryDate', ['2030/11/25', '2030.1.5'], []],
  ])('%s %j', async (header, cells, fixes, flags = []) => {
    const { problems } = await planColumn(header, cells, { flags });
    expect(problems.map(({ code, fix }) => `${code}: ${fix}`)).toEqual(fixes);
  });

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

  it('names every form in which cells say how many pieces are meant', async () => {
    const { problems } = await planRows([
      base,
      'A|99112233|2 x Tea|NONE',
      'B|99112234|Mug x2|NONE',
      'C|99112235|Bowl|NONE',
    ]);
    expect(problems.find(({ code }) => code === 'quantity_unread')?.fix).toContain(
      '"form":["{items[].quantity:number} x {items[].sku}","{items[].sku} x {items[].quantity:number}"]',
    );
  });

  it('takes the first of several phones when a mark stands between them', async () => {
    const several = async (phone: string) => {
      const { problems } = await planRows([base, `A|${phone}|X|NONE`]);
      return problems.map(({ at, value, problem, fix }) => [at, value, problem, fix]);
    };
    expect(await several('99112233;88112233')).toEqual([
      [
        'row 2, order A, column B customer.phone',
        '99112233;88112233',
        'holds more than one phone number',
        'keep one of them, or have a mapping file take the first of each cell: "pick": "first"',
      ],
    ]);
    expect((await several('99112233 88112233'))[0]?.[3]).toBe('keep one of them');
    expect((await several('12345'))[0]?.[3]).not.toContain('pick');
  });
});

describe('numbers that a spreadsheet rounded', () => {
  const exact = ['99112231', '99112232', '99112233'];
  const rounded = ['99112200', '88112300', '95112400', '86112500', '80112600'];
  it.each<[string, string[], string[], string[]?]>([
    ['eight digits', rounded, ['phones_rounded']],
    [
      'more digits',
      ['+54911440000', '+54911450000', '+54911460000', '+54911470000', '+54911480000'],
      ['phones_rounded'],
    ],
    ['most of them', [...rounded.slice(0, 4), ...exact], ['phones_rounded']],
    ['four numbers', rounded.slice(0, 4), []],
    ['one number many times', Array<string>(9).fill('99112200'), []],
    ['half of the numbers', [...rounded.slice(0, 3), ...exact], []],
    ['more digits with two zeros', rounded.map((phone) => `+976${phone}`), []],
    [
      'one number in every other row of a large file',
      Array.from({ length: 6000 }, (_, index) =>
        index % 2 === 0 ? '99112200' : String(88_000_001 + 5 * index),
      ),
      [],
    ],
    ['--no-checks', rounded, [], ['--no-checks']],
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
    ['six digits kept', kept, ['ids_rounded']],
    [
      'fifteen digits kept',
      ['1234567890123450', '1234567890123460', '1234567890123470', '12345'],
      ['ids_rounded'],
    ],
    ['most IDs rounded', [...kept, '934362000001', '7'], ['ids_rounded']],
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
