import { expect, test } from 'vitest';
import { type Column, fieldText, parseCell } from '../../../src/import/map/column.ts';
import { writeJson } from '../../../src/orders/json.ts';

test.each([
  ['25000.50', 'text', '"25000.50"'],
  ['true', 'text', '"true"'],
  ['2', 'number', '2'],
  ['1.10', 'number', '1.10'],
  ['-0', 'number', '-0'],
  ['123456789012345678901234567890.5', 'number', '123456789012345678901234567890.5'],
  ['1e400', 'number', '1e400'],
  ['TRUE', 'boolean', 'true'],
  ['false', 'boolean', 'false'],
  ['{"a":[1.10,null]}', 'json', '{"a":[1.10,null]}'],
  ['"text"', 'json', '"text"'],
] as const)('%s as %s', (text, type, json) => {
  const value = parseCell(text, type);
  expect(value === undefined ? undefined : writeJson(value)).toBe(json);
});

test.each([
  ['two', 'number'],
  ['1,000', 'number'],
  ['0x10', 'number'],
  ['01', 'number'],
  ['NaN', 'number'],
  ['"2"', 'number'],
  ['null', 'number'],
  ['yes', 'boolean'],
  ['1', 'boolean'],
  ['truely', 'boolean'],
  ['{a:1}', 'json'],
  ['text', 'json'],
] as const)('%s is not a valid %s', (text, type) => {
  expect(parseCell(text, type)).toBeUndefined();
});

test.each([
  [['99112233', '88114455'], '99112233'],
  [['', '88114455'], '88114455'],
  [['No  informado', '88114455'], '88114455'],
  [['NO INFORMADO', ''], ''],
  [['No informado 2', '88114455'], 'No informado 2'],
])('of the cells %j the text is %j when "No informado" is a blank', (cells, expected) => {
  const column: Column = {
    index: 0,
    header: 'Phone',
    path: ['phone'],
    type: 'text',
    isLine: false,
    isExtra: false,
  };
  const rule = { others: [{ index: 1, header: 'Other' }], blanks: new Set(['no informado']) };
  expect(fieldText({ ...column, rule }, cells)).toBe(expected);
});
