import { expect, test } from 'vitest';
import { cleanCell } from '../../src/csv/read-csv.ts';
import cases from './clean-cell.json' with { type: 'json' };

test.each(cases.cells as [string, string][])('reads %j as %j', (cell, text) => {
  expect(cleanCell(cell)).toBe(text);
});

test('takes linear time for a cell full of spaces', () => {
  const cell = `a${' '.repeat(200_000)}b`;
  const started = performance.now();
  expect(cleanCell(cell)).toBe(cell);
  expect(performance.now() - started).toBeLessThan(10_000);
});
