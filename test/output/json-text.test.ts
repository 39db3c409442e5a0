import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/orders/json.ts';
import { formatJson, formatJsonLine } from '../../src/output/json-text.ts';
import { forbidden, hostileString } from './hostile.ts';

test('keeps the digits that were received', () => {
  const json = '{"total":1.10,"big":123456789012345678901234567890,"none":[],"empty":{},"null":null}';
  expect(formatJsonLine(parseJson(json))).toBe(json);
  expect(formatJson(parseJson(json))).toBe(`{
  "total": 1.10,
  "big": 123456789012345678901234567890,
  "none": [],
  "empty": {},
  "null": null
}`);
});

test('indents what is nested', () => {
  expect(formatJson({ orders: [{ id: 'Ө' }, 1] })).toBe(`{
  "orders": [
    {
      "id": "Ө"
    },
    1
  ]
}`);
});

test('writes what a terminal would act on as an escape', () => {
  expect(formatJsonLine({ a: '\u001b[31m\u007f\u009b\u202e\u200b\ufeff\u2028' })).toBe(
    String.raw`{"a":"\u001b[31m\u007f\u009b\u202e\u200b\ufeff\u2028"}`,
  );
});

test('any text reads back as it was and is safe to show', () => {
  fc.assert(
    fc.property(hostileString, hostileString, (key, text) => {
      const value = { [key]: [text] };
      for (const json of [formatJson(value), formatJsonLine(value)]) {
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(json).not.toMatch(forbidden);
      }
      expect(formatJsonLine(value)).not.toContain('\n');
    }),
  );
});
