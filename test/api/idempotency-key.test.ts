import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idempotencyKey } from '../../src/api/requests.ts';
import { writeOrderBody } from '../../src/orders/order.ts';
import cases from './idempotency-key.json' with { type: 'json' };

const parts = () => fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), fc.nat());

describe('idempotencyKey', () => {
  // Computed by another program. A changed key could create an order twice.
  it.each(cases.golden as [string, string, number, string][])(
    'golden: %s %s %i',
    (externalOrderId, body, generation, key) => {
      expect(idempotencyKey(externalOrderId, body, generation)).toBe(key);
    },
  );

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
