import { describe, expect, it } from 'vitest';
import { detectDialect } from '../../../src/import/read/detect.ts';

const detect = (text: string, flags: Parameters<typeof detectDialect>[2] = {}, isWhole = true) =>
  detectDialect(text, isWhole, flags);

describe('detecting the delimiter', () => {
  it.each([
    ['id,total\n1,2\n', ','],
    ['id;total\n1;2\n', ';'],
    ['id\ttotal\n1\t2\n', '\t'],
    ['id|total\n1|2\n', '|'],
    ['id;note;total\n1;a, b;2,5\n2;c, d, e;3,5\n', ';'],
    ['id;a,b\n1;2,3\n4;5\n', ';'],
    ['id,"a;b;c",total\n1,"x;y;z",2\n', ','],
    ['id,"a;b;c;d;e",total\n1,"v;w;x;y;z",2\n', ','],
    ['id;"note, long";total\n1;"a ""b"", c";2\n', ';'],
    ['id\n1\n2\n', ','],
    ['id', ','],
    ['id\n1\n2;3\n4\n', ','],
    ['\n\nid;total\n1;2', ';'],
    [`${';;\n'.repeat(200)}id;total\n1;2\n`, ';'],
    ['Orders of May\n\nid;total\n1;2\n3;4', ';'],
  ])('%j: %j', async (text, delimiter) => {
    expect(await detect(text)).toEqual({
      delimiter,
      hasSeparatorLine: false,
      isWrapped: false,
      isUnquoted: false,
    });
  });
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
