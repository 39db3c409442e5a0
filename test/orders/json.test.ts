import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isJsonNumber,
  isJsonObject,
  type Json,
  jsonText,
  member,
  parseJson,
  writeJson,
} from '../../src/orders/json.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const nestedObjects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('parseJson and writeJson', () => {
  it.each([
    '0',
    '-0',
    '1.10',
    '1.0',
    '25000.50',
    '1e5',
    '1E+400',
    '12345678901234567890123456789012345678901234567890',
    '0.1000000000000000055511151231257827',
    'null',
    'true',
    'false',
    '""',
    '"Ө ө Ү ү 🐎"',
    '"\\u0000\\n\\"\\\\"',
    '[]',
    '{}',
    '[1.50,[2.0,{"a":3.10}]]',
    '{"b":1.10,"a":{"d":null,"c":[true,"x"]}}',
  ])('%s is written as it was read', (text) => {
    expect(writeJson(parseJson(text))).toBe(text);
  });

  it('round-trip every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value);
        expect(writeJson(parseJson(text))).toBe(text);
      }),
    );
  });

  it('keep the digits of a number of any length', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,60})(\.[0-9]{1,60})?([eE][+-]?[0-9]{1,5})?$/);
    fc.assert(
      fc.property(digits, (text) => {
        expect(writeJson(parseJson(`{"a":[${text}]}`))).toBe(`{"a":[${text}]}`);
      }),
    );
  });

  it('ignore whitespace between tokens', () => {
    expect(writeJson(parseJson(' { "a" : [ 1 , 2 ] }\n'))).toBe('{"a":[1,2]}');
  });

  it('keep the last of two members with the same name', () => {
    expect(writeJson(parseJson('{"a":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}');
  });

  it.each([
    '',
    ' ',
    '{',
    '[1',
    '01',
    '1.',
    '.5',
    '+1',
    'NaN',
    "{'a':1}",
    '{"a":1,}',
    '[1,]',
    '1 2',
    '"\n"',
    '\ufeff1',
  ])('%j is not JSON', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it.each([500, 1])('read and write %i levels', (levels) => {
    expect(writeJson(parseJson(nested(levels)))).toBe(nested(levels));
    expect(writeJson(parseJson(nestedObjects(levels)))).toBe(nestedObjects(levels));
  });

  it.each([501, 2_300, 5_000, 100_000])('reject %i levels with a SyntaxError', (levels) => {
    expect(() => parseJson(nested(levels + 1))).toThrow(SyntaxError);
    expect(() => parseJson(nestedObjects(levels))).toThrow(SyntaxError);
  });
});

describe('a member named __proto__', () => {
  const value = parseJson('{"__proto__":{"admin":true},"b":{"constructor":{"prototype":{"admin":true}}}}');

  it('is an ordinary own member', () => {
    expect(Object.keys(value as object)).toEqual(['__proto__', 'b']);
    expect(writeJson(member(value, '__proto__') ?? null)).toBe('{"admin":true}');
    expect(writeJson(value)).toBe(
      '{"__proto__":{"admin":true},"b":{"constructor":{"prototype":{"admin":true}}}}',
    );
  });

  it('changes no prototype', () => {
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(member(value, 'admin')).toBeUndefined();
    expect('admin' in {}).toBe(false);
  });
});

describe('member', () => {
  it.each([
    ['{"a":1}', 'a', '1'],
    ['{"a":null}', 'a', 'null'],
    ['{"a":1}', 'b', undefined],
    ['{"a":1}', 'toString', undefined],
    ['{"a":1}', '__proto__', undefined],
    ['[1]', '0', undefined],
    ['[1]', 'length', undefined],
    ['"text"', 'length', undefined],
    ['12', 'value', undefined],
    ['null', 'a', undefined],
  ])('of %s named %s: %s', (text, key, expected) => {
    const found = member(parseJson(text), key);
    expect(found === undefined ? undefined : writeJson(found)).toBe(expected);
  });

  it('is undefined for undefined', () => {
    expect(member(undefined, 'a')).toBeUndefined();
  });
});

describe('isJsonObject and isJsonNumber', () => {
  it.each([
    ['{}', 'object'],
    ['12', 'number'],
    ['[]', 'other'],
    ['"a"', 'other'],
    ['null', 'other'],
    ['true', 'other'],
  ])('%s: %s', (text, kind) => {
    const value = parseJson(text);
    expect(isJsonObject(value)).toBe(kind === 'object');
    expect(isJsonNumber(value)).toBe(kind === 'number');
  });
});

describe('jsonText', () => {
  it.each<[Json, string]>([
    ['a "word"', 'a "word"'],
    [parseJson('1.10'), '1.10'],
    [5, '5'],
    [null, 'null'],
    [true, 'true'],
    [['a', 1], '["a",1]'],
    [{ a: { b: 'c' } }, '{"a":{"b":"c"}}'],
  ])('%j: %s', (value, expected) => {
    expect(jsonText(value)).toBe(expected);
  });
});
