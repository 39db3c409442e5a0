import { expect, test } from 'vitest';
import { createStyle, hasColour } from '../../src/output/print.ts';
import cases from './colour.json' with { type: 'json' };

const rows = cases.terminals as [Record<string, string>, boolean, boolean, boolean][];

test.each(rows)('%j on a terminal %s, --no-color %s: %s', (env, isTerminal, noColourFlag, expected) => {
  expect(hasColour({ env, isTerminal, noColourFlag })).toBe(expected);
});

test('adds codes only when enabled', () => {
  const { bold, red } = createStyle(true);
  expect([bold('x'), red('x')]).toEqual(['\u001b[1mx\u001b[22m', '\u001b[31mx\u001b[39m']);
  expect(createStyle(false).bold('x')).toBe('x');
  expect(createStyle(false).red('x')).toBe('x');
});
