import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idempotencyKey } from '../../src/api/requests.ts';
import { writeOrderBody } from '../../src/orders/order.ts';

const order = '{"externalOrderId":"UB-10001","customer":{"phone":"99112233"},"items":[{"sku":"TEA-001"}],';
const cyrillic = '{"externalOrderId":"Захиалга-12","note":"Өдөр, Үүр"}';
const parts = () => fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), fc.nat());

describe('idempotencyKey', () => {
  // Computed by another program. A changed key could create an order twice.
  it.each([
    ['', '', 0, 'f40bd2c3-1c3b-8fe2-90b9-8c4da6e4763d'],
    ['A-1', '{}', 0, 'de6b130b-ba84-8db7-ab4b-8aa0b9d00879'],
    ['A-1', '{}', 1, '2d569394-8ba5-8db5-b688-474dac5fa760'],
    ['A-1', '{}', 12, '8f751d99-0ac9-8e0a-8414-d722d1f2ff31'],
    ['A-2', '{}', 0, 'e5e7aa8b-7622-8ac8-8b65-c48fac280d6a'],
    ['1:A', '{}', 0, '963113d6-81a1-83cb-9099-57dd389ac1bb'],
    ['A-1', '{"externalOrderId":"A-1"}', 0, 'dbd5ccf5-4a36-8bd2-8e70-426d599ea5e3'],
    ['A-1', '{"weight":1.10}', 0, '0f6e41ea-c1d2-80c4-8086-c91360b1a9c6'],
    ['A-1', '{"weight":1.1}', 0, '87135c70-e0f1-8721-91e5-248eaa5a033f'],
    ['Захиалга-12', cyrillic, 0, 'df1dccb2-92f0-8d8e-9880-97731aef604c'],
    ['🐎', '{"note":"🐎"}', 0, '0220d6d8-a6e0-8439-a9b9-1bb213a303c9'],
    [
      'UB-10001',
      `${order}"collectionMode":"COLLECT","collectionAmount":"25000"}`,
      0,
      '65e18757-af05-8465-bdaa-4de848bd2636',
    ],
  ])('golden: %s %s %i', (externalOrderId, body, generation, key) => {
    expect(idempotencyKey(externalOrderId, body, generation)).toBe(key);
  });

  it('is a UUID of version 8', () => {
    const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    fc.assert(fc.property(parts(), (given) => void expect(idempotencyKey(...given)).toMatch(shape)));
  });

  it('is the same only for equal parts', () => {
    fc.assert(
      fc.property(parts(), parts(), (left, right) => {
        const isSame = left.every((part, index) => part === right[index]);
        expect(idempotencyKey(...left) === idempotencyKey(...right)).toBe(isSame);
        for (const index of [0, 1, 2]) {
          if (left[index] === right[index]) continue;
          const mixed = left.with(index, right[index] as never) as typeof left;
          expect(idempotencyKey(...mixed)).not.toBe(idempotencyKey(...left));
        }
        expect(idempotencyKey(...left)).toBe(idempotencyKey(...left));
      }),
    );
  });

  it('differs when the same characters are divided between the parts at another index', () => {
    const text = fc.string({ unit: fc.constantFrom('1', ':', 'A', '\0', 'Ө'), minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (whole, one, other) => {
        const cut = (position: number) => {
          const at = position % (whole.length + 1);
          return { at, key: idempotencyKey(whole.slice(0, at), whole.slice(at), 0) };
        };
        const [left, right] = [cut(one), cut(other)];
        expect(left.key === right.key).toBe(left.at === right.at);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not mix a generation with the end of a body', () => {
    expect(idempotencyKey('A', '{}1', 0)).not.toBe(idempotencyKey('A', '{}', 10));
    expect(idempotencyKey('A', '', 11)).not.toBe(idempotencyKey('A', '1', 1));
  });

  it('does not depend on the order of the columns', () => {
    const fields: [string, string | { phone: string }][] = [
      ['externalOrderId', 'A-1'],
      ['customer', { phone: '99112233' }],
      ['collectionMode', 'NONE'],
      ['total', '45000.50'],
      ['Тэмдэглэл', 'Өдөр'],
      ['zone', '7'],
    ];
    const keys = fc.sample(fc.shuffledSubarray(fields, { minLength: fields.length }), 50).map((shuffled) => {
      return idempotencyKey('A-1', writeOrderBody(Object.fromEntries(shuffled)), 0);
    });
    expect(new Set(keys).size).toBe(1);
  });
});
