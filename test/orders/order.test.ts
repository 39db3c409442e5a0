import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJson, writeJson } from '../../src/orders/json.ts';
import { orderLines, textField, tidyOrder } from '../../src/orders/order.ts';

const read = (text: string) => parseJson(text) as JsonObject;

describe('tidyOrder trims only the phone', () => {
  it.each([
    [
      '{"customer":{"phone":" 9911 2233\\t","name":" Б "}}',
      '{"customer":{"phone":"9911 2233","name":" Б "}}',
    ],
    [
      '{"externalOrderId":" A-1 ","customer":{"phone":"99112233"}}',
      '{"externalOrderId":" A-1 ","customer":{"phone":"99112233"}}',
    ],
    [
      '{"total":" 5 ","customer":{"phone":" 1"},"note":" x "}',
      '{"total":" 5 ","customer":{"phone":"1"},"note":" x "}',
    ],
    ['{"customer":{"phone":99112233}}', '{"customer":{"phone":99112233}}'],
    ['{"customer":" 99112233 "}', '{"customer":" 99112233 "}'],
    ['{"__proto__":{"a":1},"customer":{"phone":" 1"}}', '{"__proto__":{"a":1},"customer":{"phone":"1"}}'],
    ['{}', '{}'],
  ])('%s', (order, expected) => {
    expect(writeJson(tidyOrder(read(order)))).toBe(expected);
  });
});

describe('textField', () => {
  it.each([
    ['{"a":"x"}', 'x'],
    ['{"a":""}', ''],
    ['{"a":1}', undefined],
    ['{"a":null}', undefined],
    ['{}', undefined],
    ['["a"]', undefined],
  ])('of %s: %s', (text, expected) => {
    expect(textField(parseJson(text), 'a')).toBe(expected);
  });
});

describe('orderLines', () => {
  it.each([
    ['{"items":[{"sku":"A"},"x"]}', '[{"sku":"A"},"x"]'],
    ['{"items":[]}', '[]'],
    ['{"items":{"0":{}}}', '[]'],
    ['{"items":"x"}', '[]'],
    ['{}', '[]'],
  ])('of %s: %s', (order, expected) => {
    expect(writeJson(orderLines(read(order)))).toBe(expected);
  });
});
