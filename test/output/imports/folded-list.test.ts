import { expect, test } from 'vitest';
import { sayInEnglish } from '../../../src/advice/advice.ts';
import { foldSections, type Section, wrapText } from '../../../src/output/wrapped-text.ts';

const list = (name: string, texts: string[], maxLines?: number): Section => ({
  name,
  texts,
  separator: ', ',
  ...(maxLines === undefined ? {} : { maxLines }),
});
const fold = (sections: Section[], maxLines: number) =>
  foldSections(sections, 3, 20, { maxLines, say: sayInEnglish });
const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');

test.each<[string, Section, string[]]>([
  ['a list that fits', list('x', ['one', 'two']), ['x  one, two']],
  ['a list on several lines', list('x', letters.slice(0, 9), 9), ['x  a, b, c, d, e, f,', '   g, h, i']],
  ['a list on one line', list('x', letters, 1), ['x  a, b and 24 more']],
  ['a long text', list('x', ['the courier collects']), ['x  the courier', '   collects']],
  ['a word longer than the line', list('x', ['a'.repeat(20)]), [`x  ${'a'.repeat(16)}`, '   aaaa']],
  ['a text that may not wrap', list('x', ['a'.repeat(40), 'b'], 1), [`x  ${'a'.repeat(4)}… and 1 more`]],
  ['wide letters', list('x', ['商品名称和规格说明']), ['x  商品名称和规格说', '   明']],
  ['nothing', list('x', []), []],
])('lays out %s', (_, section, lines) => {
  expect(fold([section], 9)).toEqual(lines);
});

test('folds the longest section first, and never one without a limit', () => {
  const sections = [
    list('a', letters, 4),
    list('b', letters.slice(0, 8), 4),
    list('c', letters.slice(0, 12)),
  ];
  expect(fold(sections, 4)).toEqual([
    'a  a, b and 24 more',
    'b  a, b and 6 more',
    'c  a, b, c, d, e, f,',
    '   g, h, i, j, k, l',
  ]);
});

test('wraps a text between its words', () => {
  expect(wrapText('create 2 orders?', 9)).toEqual(['create 2', 'orders?']);
  expect(wrapText('short', 9)).toEqual(['short']);
});
