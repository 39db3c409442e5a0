import { describe, expect, it } from 'vitest';
import type { LookupResult } from '../../../src/api/pages/order-finder.ts';
import { CliError } from '../../../src/errors.ts';
import { type compareFound, compareLookup } from '../../../src/import/send/lookup.ts';
import type { JsonObject } from '../../../src/orders/json.ts';
import { defaultPaths } from '../../../src/orders/unnamed-fields.ts';
import { orderOf } from './services.ts';

const { order } = orderOf('A-1', 2, { total: '5' });
const serviceOrder = (id: string, fields: JsonObject = {}) => ({ id, order: { ...order, id, ...fields } });
const equal = serviceOrder('S-1');
const other = serviceOrder('S-2', { total: '6' });
const cancelled = serviceOrder('S-3', { status: 'CANCELLED' });
const canceled = serviceOrder('S-4', { status: 'canceled', total: '6' });
const found = (...orders: (typeof equal)[]): LookupResult => ({ kind: 'found', orders, isComplete: true });
const foundIncomplete = (...orders: (typeof equal)[]): LookupResult => ({
  kind: 'found',
  orders,
  isComplete: false,
});
const others = { fieldPaths: defaultPaths, isOurs: () => false };
const absent: LookupResult = { kind: 'absent', isComplete: true };

describe('compareLookup', () => {
  it.each<[string, LookupResult, string]>([
    ['the order', found(equal), 'equal S-1'],
    ['another order', found(other), 'different S-2'],
    ['both', found(other, equal), 'equal S-1'],
    ['the order and a cancelled one', found(cancelled, equal), 'equal S-1'],
    ['another order and an equal cancelled one', found(cancelled, other), 'different S-2'],
    ['the order in an incomplete list', foundIncomplete(equal), 'equal S-1'],
    ['another order in an incomplete list', foundIncomplete(other), 'different S-2'],
    ['only cancelled orders', found(cancelled, canceled), 'cancelled S-3 S-4'],
    ['a cancelled order in an incomplete list', foundIncomplete(cancelled), 'inconclusive'],
    ['no order', absent, 'absent'],
    ['no order on the only page', { kind: 'absent', isComplete: false }, 'inconclusive'],
    ['not allowed', { kind: 'not_allowed', error: new CliError('permission_missing', '') }, 'inconclusive'],
    ['unsettled', { kind: 'unsettled', isListed: false }, 'inconclusive'],
    ['an order that may be it', { kind: 'unsettled', isListed: true }, 'listed'],
  ])('%s', (_, lookupResult, expected) => {
    expect(short(compareLookup(lookupResult, order, { ...others, replacedIds: new Set() }))).toBe(expected);
  });
});

function short(lookup: ReturnType<typeof compareFound>): string {
  if ('order' in lookup) return `${lookup.kind} ${lookup.order.id}`;
  return 'orders' in lookup ? [lookup.kind, ...lookup.orders.map(({ id }) => id)].join(' ') : lookup.kind;
}
