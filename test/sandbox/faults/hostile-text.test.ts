import { describe, expect, it } from 'vitest';
import { hostileTexts } from '../../../src/sandbox/behaviour/fault-actions.ts';
import { makeTextHostile } from '../../../src/sandbox/faults/altered-responses.ts';

const order = {
  id: 'I',
  orderNumber: 'ORD-2026-000001',
  status: 'CONFIRMED',
  total: '1.10',
  customer: { phone: '99112233', name: 'Bold' },
  note: 'leave at the door',
  tags: ['a', { deep: 'b' }],
};

describe.each(hostileTexts)('%s', (kind) => {
  it('stays JSON, keeps the stated fields and changes every other string', () => {
    const text = makeTextHostile(JSON.stringify({ orders: [order] }), kind);
    const changed = JSON.parse(text).orders[0];
    const { note, tags, ...kept } = order;
    expect(changed).toMatchObject(kept);
    for (const [plain, hostile] of [
      [note, changed.note],
      ['a', changed.tags[0]],
      ['b', changed.tags[1].deep],
    ]) {
      expect(hostile).not.toBe(plain);
      expect(hostile).toContain(plain);
    }
    expect(Object.keys(changed).length).toBe(Object.keys(order).length + 1);
    expect(tags.length).toBe(changed.tags.length);
  });
});

describe('the added text', () => {
  it('is an own property __proto__', () => {
    const changed = JSON.parse(makeTextHostile('{"note":"x"}', 'proto'));
    expect(Object.hasOwn(changed, '__proto__')).toBe(true);
    expect(makeTextHostile('{}', 'proto')).toBe('{"__proto__":"__proto__"}');
  });

  it.each([
    ['escape', '\u001b[2J'],
    ['bidi', '\u202e'],
    ['formula', '=HYPERLINK('],
  ] as const)('is %s: %j', (kind, part) => {
    expect(JSON.parse(makeTextHostile('{"note":"x"}', kind)).note).toContain(part);
  });

  it.each([
    ['formula', '"x"', '"=HYPERLINK(\\"http://127.0.0.1/\\",\\"x\\")x"'],
    ['proto', 'no JSON', 'no JSON__proto__'],
    ['proto', '\ufeff{"a":1.10}', '\ufeff{"a":1.10,"__proto__":"__proto__"}'],
  ] as const)('%s turns %j into %j', (kind, text, hostile) => {
    expect(makeTextHostile(text, kind)).toBe(hostile);
  });
});
