import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFieldSetter, FieldPathError, parseFieldPath, setField } from '../../src/orders/field-path.ts';
import type { JsonObject } from '../../src/orders/json.ts';

const paths = [
  'total',
  'customer',
  'customer.phone',
  'items[].sku',
  'items[].a.b',
  'items[0].sku',
  'items[2].sku',
  'x[]',
  'a.b.c',
  'a.b',
  'a[0]',
  'a[].b',
  'valueOf',
  'toString.x',
  'items',
  'customer.valueOf',
  'items[].toString',
];
const step = fc.record({ path: fc.constantFrom(...paths), line: fc.nat({ max: 3 }), value: fc.nat() });

function outcome(act: () => void): string {
  try {
    act();
    return 'set';
  } catch (error) {
    expect(error).toBeInstanceOf(FieldPathError);
    return (error as Error).message;
  }
}

test('sets and rejects the same as setField', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const [bySetField, bySetter]: JsonObject[] = [{}, {}];
      for (const { path, line, value } of steps) {
        const parsed = parseFieldPath(path);
        const slow = outcome(() => setField(bySetField as JsonObject, parsed, String(value), line));
        const fast = outcome(() => createFieldSetter(parsed)(bySetter as JsonObject, String(value), line));
        expect(fast).toBe(slow);
      }
      expect(bySetter).toEqual(bySetField);
    }),
    { numRuns: 1000 },
  );
});
