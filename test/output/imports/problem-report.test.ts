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
