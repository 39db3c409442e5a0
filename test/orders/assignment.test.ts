import { describe, expect, it } from 'vitest';
import { parseAssignment, parseLineSpec } from '../../src/orders/assignment.ts';
import { FieldPathError, formatFieldPath } from '../../src/orders/field-path.ts';
import { writeJson } from '../../src/orders/json.ts';
import cases from './assignment.json' with { type: 'json' };

const format = ({ path, value }: ReturnType<typeof parseAssignment>) =>
  `${formatFieldPath(path)} ${writeJson(value)}`;

describe('parseAssignment', () => {
  it.each(cases.assignments as [string, string][])('%s', (text, expected) => {
    expect(format(parseAssignment(text))).toBe(expected);
  });

  const form =
    'A path and its value need "=" between them; write path=text, or path:=json for a number, true, false or a list';
  it.each([
    ['total', form],
    ['', form],
    ['=5', form],
    [':=5', '"" is not a field path'],
    ['a..b=5', '"a..b" is not a field path'],
    ['__proto__.x=5', '"__proto__" cannot be part of a field path'],
    ['a.constructor=5', '"constructor" cannot be part of a field path'],
    ['total:=', 'the value of "total" is not JSON: it ends too early; for text write "=" in place of ":="'],
    [
      'total:=25,000',
      'the value of "total" is not JSON: unexpected "," in line 1, column 3; for text write "=" in place of ":="',
    ],
    [
      'total:=text',
      'the value of "total" is not JSON: unexpected "t" in line 1, column 1; for text write "=" in place of ":="',
    ],
    [
      `tags:=${'['.repeat(501)}`,
      'the value of "tags" is nested more than 500 levels deep; for text write "=" in place of ":="',
    ],
  ])('rejects %j', (text, message) => {
    expect(() => parseAssignment(text)).toThrow(new FieldPathError(message));
  });
});

describe('parseLineSpec', () => {
  it.each(cases.lines as [string, string[]][])('%s', (spec, fields) => {
    expect(parseLineSpec(spec).map(format)).toEqual(fields);
  });

  it.each(['sku=TEA-1,quantity', 'sku=TEA-1,', 'sku=TEA-1,quantity:=two', 'sku=A,prototype.x=1'])(
    'rejects %s',
    (spec) => {
      expect(() => parseLineSpec(spec)).toThrow(FieldPathError);
    },
  );
});
