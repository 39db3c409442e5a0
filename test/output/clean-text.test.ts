import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanCell, cleanText } from '../../src/output/clean-text.ts';
import { forbidden, hostileString, hostileTexts } from './hostile.ts';

test.each(hostileTexts)('takes out %s', (_, text, seen) => {
  expect(cleanText(text)).toBe(seen);
  expect(cleanCell(text)).toBe(seen);
});

test('leaves words, amounts, emoji and line breaks alone', () => {
  const text = 'Өглөөний мэнд\n25,000.50 ₮\t👩‍🌾 ᠮᠣᠩᠭᠣᠯ';
  expect(cleanText(text)).toBe(text);
});

test.each([
  ['a\nb', 'a b'],
  ['a\r\nb', 'a b'],
  ['a\rb', 'a b'],
  ['a\t\n\tb', 'a b'],
  ['a\u2028b', 'a b'],
  ['  a  ', '  a  '],
])('puts %j on one line', (text, line) => {
  expect(cleanCell(text)).toBe(line);
});

test('drops a carriage return from text of several lines', () => {
  expect(cleanText('a\r\nb\rc')).toBe('a\nbc');
});

test('nothing forbidden is left of any text, and cleaning again changes nothing', () => {
  fc.assert(
    fc.property(hostileString, (text) => {
      const cleaned = cleanText(text);
      expect(cleaned).not.toMatch(forbidden);
      expect(cleanText(cleaned)).toBe(cleaned);
      expect(cleanCell(text)).not.toMatch(/\s[\n\t]|[\n\t]/);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['\u001b]', 'x'],
  ['\u001b[', '0'],
  ['\u001b', ' '],
  ['', '\u001b]0;'],
  ['', '\u001b[1;'],
  ['', '\u009d'],
])('is not slowed down by %j and many %j', (start, repeated) => {
  const text = start + repeated.repeat(300_000);
  const before = performance.now();
  cleanText(text);
  // Some 10 ms where time is linear, a minute where it is quadratic.
  expect(performance.now() - before).toBeLessThan(2000);
});
