import { expect, test } from 'vitest';
import { cleanCell } from '../../src/csv/read-csv.ts';

test.each([
  ['', ''],
  ['TEA-1', 'TEA-1'],
  ['  TEA 1\t', 'TEA 1'],
  ['\u00a0\u200b\u2060\ufeffTEA-1\u200c\u200d\u00a0', 'TEA-1'],
  ['a\u00a0b', 'a\u00a0b'],
  ['two\nlines', 'two\nlines'],
  ['="0123"', '0123'],
  ['="say ""hi"""', 'say "hi"'],
  ['=""', ''],
  ['=" 0123 "', '0123'],
  ['="a"&"b"', '="a"&"b"'],
  ['=A1', '=A1'],
  [`'x="1"`, `'x="1"`],
  ["'0123", '0123'],
  ["'=1+1", '=1+1'],
  ["'+97699112233", '+97699112233'],
  ["'-5", '-5'],
  ["'@home", '@home'],
  ["'\ttab", '\ttab'],
  ["'＝1", '＝1'],
  ["'|x", '|x'],
  ["''twice", "'twice"],
  [" '0123 ", '0123'],
  ["'90s", '90s'],
  ["'tis", "'tis"],
  ["O'Neil", "O'Neil"],
  ["'", "'"],
  ['1.10', '1.10'],
  ['Өглөөний ү', 'Өглөөний ү'],
])('reads %j as %j', (cell, text) => {
  expect(cleanCell(cell)).toBe(text);
});

test('takes linear time for a cell full of spaces', () => {
  const cell = `a${' '.repeat(200_000)}b`;
  const started = performance.now();
  expect(cleanCell(cell)).toBe(cell);
  expect(performance.now() - started).toBeLessThan(10_000);
});
