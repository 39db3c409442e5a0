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
