import { describe, expect, it } from 'vitest';
import type { LookupResult } from '../../../src/api/pages/order-finder.ts';
import { CliError } from '../../../src/errors.ts';
import { compareFound, compareLookup } from '../../../src/import/send/lookup.ts';
import type { JsonObject } from '../../../src/orders/json.ts';
import { orderOf } from './services.ts';

const { order } = orderOf('A-1', 2, { total: '5' });
const there = (id: string, fields: JsonObject = {}) => ({ id, order: { ...order, id, ...fields } });
const equal = there('S-1');
const other = there('S-2', { total: '6' });
const cancelled = there('S-3', { status: 'CANCELLED' });
const canceled = there('S-4', { status: 'canceled', total: '6' });
const found = (...orders: (typeof equal)[]): LookupResult => ({ kind: 'found', orders, isComplete: true });
const inPart = (...orders: (typeof equal)[]): LookupResult => ({ kind: 'found', orders, isComplete: false });
const absent: LookupResult = { kind: 'absent', isComplete: true };

describe('what a look-up showed', () => {
  it.each<[string, LookupResult, string]>([
    ['the order', found(equal), 'equal S-1'],
    ['another', found(other), 'different S-2'],
    ['both', found(other, equal), 'equal S-1'],
    ['the order, and a cancelled one', found(cancelled, equal), 'equal S-1'],
    ['another, and a cancelled one that is equal', found(cancelled, other), 'different S-2'],
    ['the order, among others that were not seen', inPart(equal), 'equal S-1'],
    ['another, among others that were not seen', inPart(other), 'different S-2'],
    ['cancelled ones alone', found(cancelled, canceled), 'cancelled S-3 S-4'],
    ['a cancelled one, among others that were not seen', inPart(cancelled), 'inconclusive'],
    ['none', absent, 'absent'],
    ['none, on the one page that it gives', { kind: 'absent', isComplete: false }, 'inconclusive'],
    [
      'that it is not allowed',
      { kind: 'not_allowed', error: new CliError('permission_missing', '') },
      'inconclusive',
    ],
    ['that it came to no end', { kind: 'unsettled' }, 'inconclusive'],
  ])('%s', (_, lookupResult, expected) => {
    expect(short(compareLookup(lookupResult, order, new Set()))).toBe(expected);
  });

  it.each<[string, LookupResult, string[], string]>([
    ['a replaced one', found(cancelled), ['S-3'], 'absent'],
    ['a replaced one and the order', found(cancelled, equal), ['S-3'], 'equal S-1'],
    ['a replaced one that looks as it did then', found(equal), ['S-1'], 'absent'],
    ['a replaced one and another cancelled one', found(cancelled, canceled), ['S-3'], 'cancelled S-4'],
    ['a replaced one, among others that were not seen', inPart(cancelled), ['S-3'], 'inconclusive'],
  ])('%s is none of this order', (_, lookupResult, replaced, expected) => {
    expect(short(compareLookup(lookupResult, order, new Set(replaced)))).toBe(expected);
  });

  it('says which fields are other, and which nobody can compare', () => {
    const { customer: _, ...shown } = order;
    const one = { id: 'S-5', order: { ...shown, id: 'S-5', total: '7' } };
    expect(compareLookup(found(one), order, new Set())).toEqual({
      kind: 'different',
      order: one,
      differing: ['total'],
      notCompared: ['customer'],
    });
  });
});

describe('one order that was read', () => {
  it.each([
    [equal, 'equal S-1'],
    [other, 'different S-2'],
    [cancelled, 'cancelled S-3'],
    [canceled, 'cancelled S-4'],
    [there('S-6', { status: 'CANCELLATION_ASKED' }), 'equal S-6'],
  ])('%o', (one, expected) => {
    expect(short(compareFound(one, order))).toBe(expected);
  });
});

function short(lookup: ReturnType<typeof compareFound>): string {
  if ('order' in lookup) return `${lookup.kind} ${lookup.order.id}`;
  return 'orders' in lookup ? [lookup.kind, ...lookup.orders.map(({ id }) => id)].join(' ') : lookup.kind;
}
