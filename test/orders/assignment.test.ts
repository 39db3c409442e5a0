import { describe, expect, it } from 'vitest';
import { parseAssignment, parseLineSpec } from '../../src/orders/assignment.ts';
import { FieldPathError, formatFieldPath } from '../../src/orders/field-path.ts';
import { writeJson } from '../../src/orders/json.ts';

const format = ({ path, value }: ReturnType<typeof parseAssignment>) =>
  `${formatFieldPath(path)} ${writeJson(value)}`;

describe('parseAssignment', () => {
  it.each([
    ['total=25000.50', 'total "25000.50"'],
    ['deliveryAddress.city=Улаанбаатар хот', 'deliveryAddress.city "Улаанбаатар хот"'],
    ['note=', 'note ""'],
    ['note= a ', 'note " a "'],
    ['note=a=b', 'note "a=b"'],
    ['note=:=1', 'note ":=1"'],
    ['gift=true', 'gift "true"'],
    ['gift:=true', 'gift true'],
    ['weight:=1.10', 'weight 1.10'],
    ['id:=12345678901234567890', 'id 12345678901234567890'],
    ['tags:=["a=b",null]', 'tags ["a=b",null]'],
    ['meta:={"a":{"b":1}}', 'meta {"a":{"b":1}}'],
    ['name:="text"', 'name "text"'],
    ['items[0].sku=TEA-1', 'items[0].sku "TEA-1"'],
    ['items[].warehouse=UB', 'items[].warehouse "UB"'],
  ])('%s', (text, expected) => {
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
  it.each<[string, string[]]>([
    ['TEA-1', ['sku "TEA-1"']],
    [' TEA 1, large ', ['sku "TEA 1, large"']],
    ['sku=TEA-1', ['sku "TEA-1"']],
    ['sku=TEA-1,quantity:=2,name="Black tea"', ['sku "TEA-1"', 'quantity 2', 'name "Black tea"']],
    ['name="a, b",price=5', ['name "a, b"', 'price "5"']],
    ['name="say \\"a, b\\" \\\\",price=5', ['name "say \\"a, b\\" \\\\"', 'price "5"']],
    ['name=5" pipe', ['name "5\\" pipe"']],
    ['name="",price=5', ['name ""', 'price "5"']],
    ['sizes:=[1,2],meta:={"a":1,"b":"},"},price=5', ['sizes [1,2]', 'meta {"a":1,"b":"},"}', 'price "5"']],
    ['name:="a, b",price=5', ['name "a, b"', 'price "5"']],
    ['sku=TEA-1, quantity:=2', ['sku "TEA-1"', 'quantity 2']],
  ])('%s', (spec, fields) => {
    expect(parseLineSpec(spec).map(format)).toEqual(fields);
  });

  it.each(['sku=TEA-1,quantity', 'sku=TEA-1,', 'sku=TEA-1,quantity:=two', 'sku=A,prototype.x=1'])(
    'rejects %s',
    (spec) => {
      expect(() => parseLineSpec(spec)).toThrow(FieldPathError);
    },
  );
});
