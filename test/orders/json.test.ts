import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  indentJson,
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

/** JSON in any spelling, of which up to two characters are then changed. */
const brokenJson = fc
  .tuple(
    anyJson(),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[],:"\\0-e. t\ufeff', '')), { maxLength: 2 }),
  )
  .map(([text, changes]) =>
    changes.reduce((json, [place, character]) => {
      const index = place % (json.length + 1);
      return json.slice(0, index) + character + json.slice(index + 1);
    }, text),
  );

function anyJson(): fc.Arbitrary<string> {
  const space = fc.constantFrom('', '', ' ', '\n', '\t', '\r');
  const string = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.string({ unit: fc.constantFrom(...'\\"ud80nax', '\ud83d', '\u0001') }).map((text) => `"${text}"`),
    fc.constantFrom('"a"', '"__proto__"', '"10"', '"9"', '"\\u0061"', '"constructor"', '"\\ud800"'),
  );
  const number = fc.oneof(
    fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,4})?$/),
    fc.constantFrom('-0', '1e400', '0.0', '-', '01', '1.', '.5', '+1', '1e'),
  );
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      number,
      string,
      fc.constantFrom('true', 'false', 'null'),
      fc
        .array(fc.tuple(space, tie('value')))
        .map((items) => `[${items.map((item) => item.join('')).join(',')}]`),
      fc
        .array(fc.tuple(space, string, space, fc.constant(':'), tie('value')))
        .map((members) => `{${members.map((member) => member.join('')).join(',')}}`),
    ),
  }));
  return value;
}

/** With plain numbers, as JSON.parse has them. */
function plain(value: Json): unknown {
  if (isJsonNumber(value)) return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

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
        const parsed = parseJson(text);
        expect(writeJson(parsed)).toBe(text);
        expect(indentJson(parsed)).toBe(JSON.stringify(JSON.parse(text), null, 2));
        expect(`[\n  ${indentJson(parsed, '\n  ')}\n]`).toBe(indentJson([parsed]));
      }),
    );
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

  it('read the same texts as JSON.parse, and the same values from them', () => {
    fc.assert(
      fc.property(brokenJson, (text) => {
        const read = (parse: (text: string) => unknown) => {
          try {
            return { value: parse(text) };
          } catch (error) {
            return { error: (error as Error).name };
          }
        };
        expect(read((json) => plain(parseJson(json)))).toStrictEqual(read(JSON.parse));
      }),
      { numRuns: 1_000 },
    );
  });

  it('read the same in the fast way and in the exact one, which is used with names that may have only one value', () => {
    const read = (text: string, once?: ReadonlySet<string>) => {
      try {
        return writeJson(parseJson(text, once));
      } catch (error) {
        return String(error);
      }
    };
    const deepDuplicate = `{"a":${nested(501)},"a":1}`;
    const page = (order: string) => `[${Array(300).fill(`{"a":${order}}`).join()}]`;
    const pages = ['{"b":"[","c":1}', '{"b":[1],"b":2}', deepDuplicate, nested(498), nested(499)].map(page);
    const plainNumber = fc.constantFrom(
      '1',
      '-7',
      '0',
      '-0',
      '123456789012345',
      '9007199254740993',
      '2.50',
      '1e3',
    );
    const nearlyPlain = fc
      .tuple(anyJson(), plainNumber)
      .map(([text, number]) => `[${number},{"n" :${number},"m":${text}}]`);
    fc.assert(
      fc.property(fc.oneof(brokenJson, anyJson(), nearlyPlain), (text) => {
        expect(read(text)).toBe(read(text, new Set()));
      }),
      {
        numRuns: 1_000,
        examples: [
          ...[...pages, deepDuplicate, nested(500), '{"__proto__":1,"a":2}', '{"__proto__":{"b":-0}}'],
        ].map((text): [string] => [text]),
      },
    );
  });

  it('reject a text with more than 200,000 values before they fill the memory', () => {
    const list = (values: number) => `[${'{},'.repeat(values - 2)}{}]`;
    expect(parseJson(list(200_000))).toHaveLength(199_999);
    expect(() => parseJson(list(200_001))).toThrow('has more than 200000 values');
    expect(() => parseJson(list(3_000_000))).toThrow(SyntaxError);
  });

  it.each([
    ['{\n "a": 1,\n "b": x}', 'unexpected "x" in line 3, column 7'],
    ['{"a":1', 'it ends too early'],
    ['{"a":"1}', 'the text in line 1, column 6 has no closing quote'],
    ['["\\x"]', 'the text in line 1, column 2 has a wrong escape or a control character'],
    ['["a\tb"]', 'the text in line 1, column 2 has a wrong escape or a control character'],
    ['[1] 🐎', 'unexpected "🐎" in line 1, column 5'],
  ])('%j says where it is wrong', (text, message) => {
    expect(() => parseJson(text)).toThrow(new SyntaxError(message));
  });

  it.each([
    ['{"a":1,"a":2}', false],
    ['{"a":1,"a":1}', true],
    ['{"a":1,"a":1.0}', false],
    ['{"a":{"x":1,"y":2},"a":{"y":2,"x":1}}', true],
    ['[{"b":{"\\u0061":"x","a":"y"}}]', false],
    ['{"b":1,"b":2}', true],
  ])('%s, where "a" may have one value only: accepted %s', (text, isAccepted) => {
    const parse = () => parseJson(text, new Set(['a']));
    if (isAccepted) expect(parse).not.toThrow();
    else expect(parse).toThrow(new SyntaxError('"a" has two values'));
  });

  it.each([500, 1])('read and write %i levels', (levels) => {
    expect(writeJson(parseJson(nested(levels)))).toBe(nested(levels));
    expect(writeJson(parseJson(nestedObjects(levels)))).toBe(nestedObjects(levels));
  });

  it.each([501, 2_300, 5_000, 100_000])('reject %i levels with a SyntaxError', (levels) => {
    expect(() => parseJson(nested(levels + 1))).toThrow('is nested more than 500 levels deep');
    expect(() => parseJson(nestedObjects(levels))).toThrow(SyntaxError);
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
