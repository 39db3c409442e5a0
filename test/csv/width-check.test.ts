import { expect, test } from 'vitest';
import { createWidthCheck } from '../../src/csv/read-csv.ts';

const row = (number: number, ...cells: string[]) => ({ row: number, line: number + 1, cells });

test('accepts rows as wide as the header, and blank cells beyond it', () => {
  const check = createWidthCheck(2);
  const fitting = row(2, 'a', 'b');
  expect(check.fit(fitting)).toBe(fitting);
  expect(check.fit(row(3, 'a', 'b', '', ''))).toEqual(row(3, 'a', 'b'));
  expect(check.problem()).toBeUndefined();
});

test.each([
  [[row(2, 'a')], 'has 1 cell in row 2 (line 3), but the header has 2'],
  [[row(2, 'a', 'b', '', 'c')], 'has 4 cells in row 2 (line 3), but the header has 2'],
  [
    [row(2, 'a'), row(5, 'a')],
    'has 1 cell in row 2 (line 3), but the header has 2; other widths too in 1 more row: 5',
  ],
  [
    Array.from({ length: 8 }, (_, index) => row(index + 2, '')),
    'has 1 cell in row 2 (line 3), but the header has 2; other widths too in 7 more rows: 3, 4, 5, 6, 7, 8, ...',
  ],
])('reports %j: %s', (rows, problem) => {
  const check = createWidthCheck(2);
  expect(rows.map(check.fit)).toEqual(rows.map(() => undefined));
  expect(String(check.problem())).toBe(problem);
});
