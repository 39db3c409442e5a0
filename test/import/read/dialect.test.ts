import { describe, expect, it } from 'vitest';
import { detectDialect } from '../../../src/import/read/detect.ts';
import cases from './dialect.json' with { type: 'json' };

const detect = (text: string, flags: Parameters<typeof detectDialect>[2] = {}, isWhole = true) =>
  detectDialect(text, isWhole, flags);

describe('detecting the delimiter', () => {
  it.each([...(cases.delimiters as [string, string][]), [`${';;\n'.repeat(200)}id;total\n1;2\n`, ';']])(
    '%j: %j',
    async (text, delimiter) => {
      expect(await detect(text)).toEqual({
        delimiter,
        hasSeparatorLine: false,
        isWrapped: false,
        isUnquoted: false,
      });
    },
  );
});

describe('a file that does not quote', () => {
  it.each([
    ['id;note\n1;"tea\n2;"mug, red"\n', ';'],
    ['id,note\n"1,2"\n"3,4"\n', ','],
    ['id\tnote\n1\t"24" x, y\n2\t"a\n', '\t'],
  ])('%j: %j', async (text, delimiter) => {
    expect(await detect(text, { quote: 'none' })).toEqual({
      delimiter,
      hasSeparatorLine: false,
      isWrapped: false,
      isUnquoted: true,
    });
  });
});

describe('detecting rows wrapped in quotes', () => {
  it.each([
    ['id,note,total\n"1,""a, b"",2"\n"3,,4"\n', true],
    ['id;total\n"1;2"\n', true],
    ['id,total\n"1,2"\n3,4\n', false],
    ['id,total\n"1,2,3"\n', false],
    ['id\n"1,2"\n', false],
    ['"id,total"\n"1,2"\n"3,4"\n', true],
    ['"id,total"\n"1,2"\n"3,4,5"\n', false],
    ['"id,total"\n1\n', false],
  ])('%j: %s', async (text, isWrapped) => {
    expect((await detect(text)).isWrapped).toBe(isWrapped);
  });
});
