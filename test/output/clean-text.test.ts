import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanCell, cleanData, cleanText } from '../../src/clean-text.ts';
import { parseJson } from '../../src/orders/json.ts';
import { formatJson, formatJsonLine } from '../../src/output/print.ts';
import { forbidden, forbiddenInData, hostileString, hostileTexts } from './hostile.ts';

test.each(hostileTexts)('removes %s', (_, text, expected) => {
  expect(cleanText(text)).toBe(expected);
  expect(cleanCell(text)).toBe(expected);
});

const keptInData: Record<string, string> = {
  'zero width': 'ab\u200cc\u200ddef\u180eg\u00adh\u034fi',
  'blank letters': '\u115fa\u3164b\uffa0c\u17b4',
  'hidden selectors': 'a\u{e0100}\u{e01ef}b',
};

test.each(hostileTexts)('removes %s from data, unless it may belong to a word', (name, text, cleaned) => {
  expect(cleanData(text)).toBe(keptInData[name] ?? cleaned);
});

test('removes the same from text of ordinary characters, which is not searched, as from any other', () => {
  const withHidden = fc.oneof(
    hostileString,
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'aЖ \n\t"\\~\u007f\u0483') }),
  );
  fc.assert(
    fc.property(withHidden, (text) => {
      // With a hidden character in front, every text is searched.
      expect(cleanText(text)).toBe(cleanText(`\u200b${text}`));
      expect(cleanData(text)).toBe(cleanData(`\u200b${text}`));
      expect(`"\\u200b${formatJsonLine(text).slice(1)}`).toBe(formatJsonLine(`\u200b${text}`));
    }),
    { numRuns: 500, examples: [[ordinary]] },
  );
});

const ordinary = Array.from({ length: 0x100 }, (_, index) => String.fromCodePoint(index + 0x400)).join('');

test('keeps words, amounts, emoji and line breaks', () => {
  const text = 'Өглөөний мэнд\n25,000.50 ₮\t❤️ 🌾 ᠮᠣᠩᠭᠣᠯ ᠠ\u180b';
  expect(cleanText(text)).toBe(text);
  // Without the joiner these are two emoji.
  expect(cleanText('👩‍🌾')).toBe('👩🌾');
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

test('removes all forbidden characters, and cleaning again changes nothing', () => {
  fc.assert(
    fc.property(hostileString, (text) => {
      const cleaned = cleanText(text);
      expect(cleaned).not.toMatch(forbidden);
      expect(cleanText(cleaned)).toBe(cleaned);
      expect(cleanData(text)).not.toMatch(forbiddenInData);
      expect(cleanText(cleanData(text))).toBe(cleaned);
      expect(cleanCell(text)).not.toMatch(/\s[\n\t]|[\n\t]/);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['\u001b]', 'x'],
  ['\u001b[', '0'],
  ['\u001b', ' '],
  ['', '\u001b]0;'],
  ['', '\u001b[1;'],
  ['', '\u009d'],
])('takes linear time for %j and many %j', (start, repeated) => {
  const text = start + repeated.repeat(300_000);
  const before = performance.now();
  cleanText(text);
  cleanData(text);
  // About 10 ms in linear time, a minute in quadratic time.
  expect(performance.now() - before).toBeLessThan(10_000);
});

describe('JSON', () => {
  test('keeps numbers digit by digit', () => {
    const json = '{"total":1.10,"big":123456789012345678901234567890,"none":[],"empty":{},"null":null}';
    expect(formatJsonLine(parseJson(json))).toBe(json);
    expect(formatJson(parseJson(json))).toBe(`{
  "total": 1.10,
  "big": 123456789012345678901234567890,
  "none": [],
  "empty": {},
  "null": null
}`);
  });

  test('escapes what a terminal would act on', () => {
    expect(formatJsonLine({ a: '\u001b[31m\u007f\u009b\u202e\u200b\ufeff\u2028' })).toBe(
      String.raw`{"a":"\u001b[31m\u007f\u009b\u202e\u200b\ufeff\u2028"}`,
    );
  });

  test('any text parses to the same value and is safe to print', () => {
    fc.assert(
      fc.property(hostileString, hostileString, (key, text) => {
        const value = { [key]: [text] };
        for (const json of [formatJson(value), formatJsonLine(value)]) {
          expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
          expect(json).not.toMatch(forbidden);
        }
        expect(formatJsonLine(value)).not.toContain('\n');
      }),
    );
  });
});
