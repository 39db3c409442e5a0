import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine } from '../../../src/api/responses/message-text.ts';
import { isWebPage, textOfPage } from '../../../src/api/responses/page-text.ts';
import { responseOf } from '../response.ts';
import cases from './message-text.json' with { type: 'json' };

describe('oneLine', () => {
  it.each([
    ['', ''],
    [' \r\n\t ', ''],
    ['Bad\r\n  Gateway\n', 'Bad Gateway'],
    ['\ufeffno', 'no'],
    ['a\u0000b\u001b[31mc\u0085d', 'a bc d'],
    ['no\u2028way', 'no way'],
    ['half \ud83d a letter', 'half a letter'],
    ['Энэ захиалга алга', 'Энэ захиалга алга'],
    [`${' '.repeat(20_000)}beyond the part that is read`, ''],
    ['x'.repeat(300), 'x'.repeat(300)],
    ['x'.repeat(301), `${'x'.repeat(300)}…`],
    [`${'x'.repeat(299)}\u{1f69a}x`, `${'x'.repeat(299)}…`],
  ])('%j: %j', (text, expected) => {
    expect(oneLine(text)).toBe(expected);
  });

  it('returns one short line without broken characters for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        expect(oneLine(text)).toMatch(/^[^\p{Cc}\p{Cs}]{0,301}$/u);
      }),
    );
  });
});

describe('textOfPage', () => {
  it.each(cases.pages as [string, string, string][])('%s', (_name, page, expected) => {
    expect(oneLine(textOfPage(page))).toBe(expected);
  });

  it('reads only the beginning of a page', () => {
    expect(textOfPage(`<p>${'x'.repeat(1_000_000)}`).length).toBeLessThan(20_001);
  });

  it.each([
    ['paragraphs', (n: number) => `<p>word ${n}`, (n: number) => `word ${n}`],
    ['rows', (n: number) => `<tr><td>var ${n}</td><td>${n}</td></tr>`, (n: number) => `var ${n} ${n}`],
  ])('reads the first 200 lines of a page of %s', (_name, tagged, plain) => {
    const numbers = Array.from({ length: 40_000 }, (_, n) => n + 100_000);
    expect(textOfPage(`<html>${numbers.map(tagged).join('')}`)).toBe(
      numbers.slice(0, 200).map(plain).join('\n'),
    );
  });
});

it.each([
  ['text/html', true],
  [' TEXT/HTML; charset=utf-8', true],
  ['application/xhtml+xml', true],
  ['text/htmlx', false],
  ['application/json', false],
])('a response with the content type %j is a web page: %s', (contentType, expected) => {
  expect(isWebPage(responseOf(200, 'Hello', { 'content-type': contentType }))).toBe(expected);
});
