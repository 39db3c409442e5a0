import { describe, expect, it } from 'vitest';
import { sayInEnglish } from '../../../src/advice/advice.ts';
import type { Problem } from '../../../src/import/problem.ts';
import { formatProblems } from '../../../src/output/problem-report.ts';

const problem = (fields: Partial<Problem> = {}): Problem => ({
  about: 'order',
  severity: 'error',
  code: 'decimal_invalid',
  problem: 'is no amount',
  fix: 'write digits',
  ...fields,
});
const format = (problems: Problem[]) =>
  formatProblems(
    problems.map((first) => ({ first, others: 0, otherRows: [] })),
    sayInEnglish,
  );
const headlines = (problems: Problem[]) =>
  format(problems)
    .split('\n\n')
    .map((text) => text.split('\n')[0]);

describe('one problem', () => {
  it('shows the place, the problem and the fix', () => {
    const place = { row: 14, line: 17, column: 'C', header: 'Phone', path: 'customer.phone' };
    const { code, ...text } = {
      code: 'phone_damaged' as const,
      value: '9.91E+07',
      problem: 'its last digits are gone',
      fix: 'take it from the original export',
    };
    expect(format([problem({ ...place, code, ...text, externalOrderId: '#1013' })])).toBe(
      [
        'row 14 (line 17)  order #1013  column C Phone → customer.phone  phone_damaged',
        '  value    9.91E+07',
        '  problem  its last digits are gone',
        '  fix      take it from the original export',
      ].join('\n'),
    );
  });

  it('is wrapped at a terminal, below where its text begins', () => {
    const first = problem({ row: 3, value: '12', problem: 'it is not an amount that anyone can read' });
    expect(formatProblems([{ first, others: 1, otherRows: [7] }], sayInEnglish, 32)).toBe(
      [
        'row 3  decimal_invalid',
        '  value    12',
        '  problem  it is not an amount',
        '           that anyone can read',
        '  fix      write digits',
        '           same in 1 more row: 7',
      ].join('\n'),
    );
  });

  it.each<[Partial<Problem>, string]>([
    [
      { row: 3, line: 3, column: 'B', header: 'total', path: 'total' },
      'row 3  column B total  decimal_invalid',
    ],
    [{ row: 3, line: 3, path: 'items' }, 'row 3  items  decimal_invalid'],
    [{ row: 3, line: 3, externalOrderId: '' }, 'row 3  decimal_invalid'],
    [
      { row: 3, line: 3, externalOrderId: 'A', severity: 'warning' },
      'warning: row 3  order A  decimal_invalid',
    ],
    [{ about: 'file', code: 'file_without_orders' }, 'file  file_without_orders'],
    [
      { about: 'header', row: 1, line: 1, column: 'AB', header: 'Totl', code: 'header_invalid' },
      'header  column AB Totl  header_invalid',
    ],
    [
      { about: 'header', row: 1, line: 1, column: 'D', header: '', code: 'header_invalid' },
      'header  column D  header_invalid',
    ],
    [
      { about: 'header', code: 'column_missing', path: 'externalOrderId' },
      'header  externalOrderId  column_missing',
    ],
  ])('%j', (fields, headline) => {
    expect(headlines([problem(fields)])).toEqual([headline]);
  });

  it('cuts a long value, never inside a character', () => {
    const shown = (value: string) => format([problem({ value })]).split('\n')[1];
    expect(shown('x'.repeat(80))).toBe(`  value    ${'x'.repeat(80)}`);
    expect(shown('x'.repeat(81))).toBe(`  value    ${'x'.repeat(80)}…`);
    expect(shown(`x${'😀'.repeat(100)}`)).toBe(`  value    x${'😀'.repeat(39)}…`);
    expect(shown('x'.repeat(1_000_000))).toBe(`  value    ${'x'.repeat(80)}…`);
  });

  it('keeps one line per fact whatever the file contains', () => {
    const hostile = 'a\nerror: b\r\nc\u001b[2Jd\u202e';
    const fields = {
      value: hostile,
      header: hostile,
      path: hostile,
      externalOrderId: hostile,
      problem: hostile,
    };
    const text = format([problem({ ...fields, row: 3, line: 3, column: 'B' })]);
    expect(text).toBe(
      [
        'row 3  order a error: b cd  column B a error: b cd  decimal_invalid',
        '  value    a error: b cd',
        '  problem  a error: b cd',
        '  fix      write digits',
      ].join('\n'),
    );
  });
});

describe('several problems', () => {
  const last = (others: number, otherRows: number[]) =>
    formatProblems([{ first: problem({ row: 2 }), others, otherRows }], sayInEnglish)
      .split('\n')
      .at(-1);

  it('with the same cause are shown once, with the other rows', () => {
    expect(last(0, [])).toBe('  fix      write digits');
    expect(last(1, [3])).toBe('           same in 1 more row: 3');
    expect(last(2, [15, 31])).toBe('           same in 2 more rows: 15, 31');
    expect(last(37, [15, 31])).toBe('           same in 37 more rows: 15, 31, ...');
  });

  it('are limited to 20', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => problem({ row: index + 2, problem: `is ${index}` }));
    expect(headlines(many(20))).toHaveLength(20);
    expect(headlines(many(20)).at(-1)).toBe('row 21  decimal_invalid');
    expect(headlines(many(23))).toHaveLength(21);
    expect(headlines(many(23)).at(-1)).toBe('and 3 more kinds of problems');
    expect(headlines(many(21)).at(-1)).toBe('and 1 more kind of problem');
  });
});
