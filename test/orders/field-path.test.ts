import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldPathError, formatFieldPath, parseFieldPath, setField } from '../../src/orders/field-path.ts';
import { type JsonObject, parseJson, writeJson } from '../../src/orders/json.ts';
import cases from './field-path.json' with { type: 'json' };

const unsafe = ['__proto__', 'constructor', 'prototype'];
const name = fc
  .string({ minLength: 1, unit: fc.constantFrom(...'abXYөҮ_- 1$#') })
  .filter((text) => text.trim() !== '' && !unsafe.includes(text));
const indexText = fc.oneof(
  fc.constant('[]'),
  fc.nat({ max: 999 }).map((line) => `[${line}]`),
);
const pathText = fc
  .array(fc.tuple(name, fc.array(indexText, { maxLength: 2 })), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([part, indexes]) => part + indexes.join('')).join('.'));

describe('bounds', () => {
  const steps = (count: number) => Array(count).fill('a').join('.');
  const long = (text: string) => `"${text.slice(0, 80)}…" has more than 16 steps`;

  it('reads paths of 16 steps, and no longer ones', () => {
    expect(parseFieldPath(steps(16))).toHaveLength(16);
    expect(parseFieldPath(`a${'[1]'.repeat(15)}`)).toHaveLength(16);
    const atBound = 'b'.repeat(48) + steps(17).slice(1);
    const wrong = [
      [atBound, `"${atBound}" has more than 16 steps`],
      [steps(17), `"${steps(17)}" has more than 16 steps`],
      [`a${'[1]'.repeat(16)}`, `"a${'[1]'.repeat(16)}" has more than 16 steps`],
      [steps(512 * 1024), long(steps(100))],
      [`a${'[999]'.repeat(200_000)}`, long(`a${'[999]'.repeat(20)}`)],
    ] as const;
    for (const [text, message] of wrong) {
      expect(() => parseFieldPath(text)).toThrow(new FieldPathError(message));
    }
  });

  it('leaves at most 10000 lines of an order empty', () => {
    const order: JsonObject = {};
    for (let list = 0; list < 10; list++) setField(order, [`list${list}`, 999], 'X');
    setField(order, ['list9', 5], 'X');
    const set = () => setField(order, ['other', 999, 'name'], 'X');
    expect(set).toThrow('"other[999].name" leaves more than 10000 lines of the order empty');
    expect(order.other).toEqual([]);
    setField({}, ['other', 999], 'X');
  });
});

describe('parseFieldPath', () => {
  it.each(cases.paths as [string, unknown[]][])('%s', (text, expected) => {
    expect(parseFieldPath(text)).toEqual(expected);
  });

  it.each([
    '',
    ' ',
    '.',
    'a.',
    '.a',
    'a..b',
    'a. .b',
    '[]',
    '[0]',
    'a.[0]',
    'a[',
    'a]',
    'a[0',
    'a[0]b',
    'a[-1]',
    'a[x]',
    'a[0.5]',
    'a[1e1]',
    'items[1000].sku',
    'items[99999999999999999999].sku',
  ])('rejects %j', (text) => {
    expect(() => parseFieldPath(text)).toThrow(FieldPathError);
  });

  it('rejects names that reach a prototype, anywhere in a path', () => {
    const parts = fc.array(
      fc.oneof(
        name,
        name.map((part) => `${part}[]`),
      ),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(parts, fc.constantFrom(...unsafe), fc.constantFrom('', '[]', '[0]'), parts, (...drawn) => {
        const [before, bad, indexes, after] = drawn;
        const text = [...before, bad + indexes, ...after].join('.');
        expect(() => parseFieldPath(text)).toThrow(
          new FieldPathError(`"${bad}" cannot be part of a field path`),
        );
      }),
    );
  });
});

describe('formatFieldPath', () => {
  it.each([
    ['items[].sku', 4, 'items[4].sku'],
    ['items[2].sku', 4, 'items[2].sku'],
    ['customer.phone', 4, 'customer.phone'],
  ])('%s for line %i: %s', (text, line, expected) => {
    expect(formatFieldPath(parseFieldPath(text), line)).toBe(expected);
  });
});

describe('setField', () => {
  const set = (order: string, path: string, line?: number) => {
    const value = parseJson(order) as JsonObject;
    setField(value, parseFieldPath(path), 'X', line);
    return writeJson(value);
  };

  it.each([
    ['{}', 'total', undefined, '{"total":"X"}'],
    ['{}', 'customer.phone', undefined, '{"customer":{"phone":"X"}}'],
    ['{"customer":{"phone":"1"}}', 'customer.phone', undefined, '{"customer":{"phone":"X"}}'],
    ['{"customer":{"name":"B"}}', 'customer.phone', undefined, '{"customer":{"name":"B","phone":"X"}}'],
    ['{"customer":"B"}', 'customer', undefined, '{"customer":"X"}'],
    ['{"note":null}', 'note', undefined, '{"note":"X"}'],
    ['{}', 'items[].sku', undefined, '{"items":[{"sku":"X"}]}'],
    ['{"items":[{"sku":"A"}]}', 'items[].name', undefined, '{"items":[{"sku":"A","name":"X"}]}'],
    ['{"items":[{"sku":"A"}]}', 'items[].sku', 1, '{"items":[{"sku":"A"},{"sku":"X"}]}'],
    ['{"items":[{"sku":"A"}]}', 'items[0].sku', 1, '{"items":[{"sku":"X"}]}'],
    ['{}', 'items[2].sku', undefined, '{"items":[{},{},{"sku":"X"}]}'],
    ['{}', 'tags[]', 0, '{"tags":["X"]}'],
    ['{}', 'a[0][1].b', undefined, '{"a":[[{},{"b":"X"}]]}'],
    ['{}', 'toString.name', undefined, '{"toString":{"name":"X"}}'],
  ])('%s, %s, line %s', (order, path, line, expected) => {
    expect(set(order, path, line)).toBe(expected);
  });

  it.each([
    ['{"customer":"B"}', 'customer.phone'],
    ['{"customer":null}', 'customer.phone'],
    ['{"customer":99112233}', 'customer.phone'],
    ['{"customer":[]}', 'customer.phone'],
    ['{"items":{}}', 'items[].sku'],
    ['{"items":"TEA-001"}', 'items[0].sku'],
    ['{"items":["TEA-001"]}', 'items[0].sku'],
    ['{"a":{"b":{"c":1}}}', 'a.b.c.d'],
  ])('%s, %s: fails and changes nothing', (order, path) => {
    const value = parseJson(order) as JsonObject;
    const message = `"${path}" leads through a value that has no fields`;
    expect(() => setField(value, parseFieldPath(path), 'X')).toThrow(new FieldPathError(message));
    expect(writeJson(value)).toBe(order);
  });

  it('sets the value at any path', () => {
    fc.assert(
      fc.property(pathText, fc.nat({ max: 20 }), (text, line) => {
        const order: JsonObject = {};
        const path = parseFieldPath(text);
        setField(order, path, 'X', line);
        let found: unknown = order;
        for (const step of path) found = (found as Record<string | number, unknown>)[step ?? line];
        expect(found).toBe('X');
      }),
    );
  });
});
