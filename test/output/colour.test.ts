import { expect, test } from 'vitest';
import { createStyle, hasColour } from '../../src/output/print.ts';

const rows: [env: Record<string, string>, isTerminal: boolean, noColourFlag: boolean, expected: boolean][] = [
  [{}, true, false, true],
  [{}, false, false, false],
  [{}, true, true, false],
  [{ FORCE_COLOR: '1' }, true, true, false],
  [{ NO_COLOR: '1' }, true, false, false],
  [{ NO_COLOR: '0' }, true, false, false],
  [{ NO_COLOR: '' }, true, false, true],
  [{ NO_COLOR: '1', FORCE_COLOR: '1', CLICOLOR_FORCE: '1' }, true, false, false],
  [{ FORCE_COLOR: '1' }, false, false, true],
  [{ FORCE_COLOR: '3', TERM: 'dumb', CLICOLOR: '0' }, false, false, true],
  [{ FORCE_COLOR: '0' }, true, false, false],
  [{ FORCE_COLOR: 'false' }, true, false, false],
  [{ FORCE_COLOR: '0', CLICOLOR_FORCE: '1' }, true, false, false],
  [{ FORCE_COLOR: '' }, false, false, false],
  [{ CLICOLOR_FORCE: '1' }, false, false, true],
  [{ CLICOLOR_FORCE: '1', CLICOLOR: '0', TERM: 'dumb' }, false, false, true],
  [{ CLICOLOR_FORCE: '0' }, true, false, true],
  [{ CLICOLOR_FORCE: '0' }, false, false, false],
  [{ CLICOLOR: '0' }, true, false, false],
  [{ CLICOLOR: '1' }, false, false, false],
  [{ TERM: 'dumb' }, true, false, false],
  [{ TERM: 'xterm-256color' }, true, false, true],
];

test.each(rows)('%j on a terminal %s, --no-color %s: %s', (env, isTerminal, noColourFlag, expected) => {
  expect(hasColour({ env, isTerminal, noColourFlag })).toBe(expected);
});

test('adds codes only when enabled', () => {
  const { bold, red } = createStyle(true);
  expect([bold('x'), red('x')]).toEqual(['\u001b[1mx\u001b[22m', '\u001b[31mx\u001b[39m']);
  expect(createStyle(false).bold('x')).toBe('x');
  expect(createStyle(false).red('x')).toBe('x');
});
