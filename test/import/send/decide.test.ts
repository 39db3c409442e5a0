import { describe, expect, it } from 'vitest';
import {
  type Decision,
  decide,
  type Facts,
  isRecent,
  type Sending,
} from '../../../src/import/send/decide.ts';
import type { LedgerEntry } from '../../../src/ledger/entry.ts';
import { ledgerRow } from '../../support/ledger.ts';

const now = 1_763_712_000_000;
const tenMinutes = 600_000;
const justNow = now - (tenMinutes - 1);
const longAgo = now - tenMinutes;
const aDay = 86_400_000;

/** An entry of the order with the content that is to be sent. */
const same = (fields: Partial<LedgerEntry>) => ledgerRow({ bodyHash: 'now', ...fields });
/** The same with content that is not in the file any more. */
const edited = (fields: Partial<LedgerEntry>) => ledgerRow({ bodyHash: 'then', ...fields });
const created = { state: 'created', orderId: 'id-1' } as const;
const notCompared = { ...created, code: 'not_compared' } as const;
const rejected = { state: 'rejected' } as const;
const unknown = { state: 'unknown', unknownAt: justNow } as const;
const settled = { state: 'unknown', unknownAt: longAgo } as const;

const facts = (fields: Partial<Facts>): Facts => ({
  ...{ row: undefined, sentWith: 'own', bodyHash: 'now', rejectedGeneration: undefined, isUnderWay: false },
  ...{ isCancelled: false, recreates: false, now, seen: undefined, ...fields },
});
const send = (fields: Partial<Sending> = {}): Sending => ({
  ...{
    do: 'send',
    generation: 0,
    hasOpenAttempt: false,
    mayComeLate: false,
    looksUpRefusals: false,
    isOverdue: false,
  },
  ...{ replacesCancelled: false, ...fields },
});
const lookUp = { do: 'look_up' } as const;
const changed = { do: 'conflict', code: 'content_changed' } as const;
const cancelled = { do: 'conflict', code: 'order_cancelled' } as const;
const open = { do: 'leave', code: 'earlier_attempt_open' } as const;
const otherKey = { do: 'leave', code: 'sent_with_other_key' } as const;
const take = (as: 'created' | 'already_exists') => ({ do: 'take', as }) as const;

type Case = [name: string, facts: Partial<Facts>, decision: Decision];
const holds = (cases: Case[]) =>
  it.each(cases)('%s', (_, fields, decision) => {
    expect(decide(facts(fields))).toEqual(decision);
  });

describe('an order that nobody here has heard of', () => {
  holds([['is sent, and a refusal is looked up', {}, send({ looksUpRefusals: true })]]);
});

describe('an order that a living run has under way', () => {
  holds([
    ['is left to it', { row: same({}), isUnderWay: true }, { do: 'leave', code: 'in_other_run' }],
    ['with other content too', { row: edited({}), isUnderWay: true }, { do: 'leave', code: 'in_other_run' }],
    [
      'with another key too',
      { row: same({}), isUnderWay: true, sentWith: 'unclear' },
      { do: 'leave', code: 'in_other_run' },
    ],
  ]);
});

describe('an order that was created', () => {
  const isCancelled = true;
  const recreates = true;
  holds([
    ['is skipped', { row: same(created) }, { do: 'skip' }],
    ['is read when its content changed', { row: edited(created) }, { do: 'read' }],
    ['and is in conflict when that is other', { row: edited(created), seen: 'other' }, changed],
    ['and when it looks equal', { row: edited(created), seen: 'equal' }, changed],
    ['and when it is not there', { row: edited(created), seen: 'absent' }, changed],
    ['and when nobody can say', { row: edited(created), seen: 'nothing' }, changed],
    ['is read when its content was not compared', { row: same(notCompared) }, { do: 'read' }],
    ['and taken when that is equal', { row: same(notCompared), seen: 'equal' }, take('already_exists')],
    ['and in conflict when it is not', { row: same(notCompared), seen: 'other' }, changed],
    ['and left open when nobody can say', { row: same(notCompared), seen: 'nothing' }, open],
    ['and in conflict when the row was edited since', { row: edited(notCompared), seen: 'equal' }, changed],
    ['is in conflict when it is known to be cancelled', { row: same(created), isCancelled }, cancelled],
    ['with other content too', { row: edited(created), isCancelled }, cancelled],
    ['and when it was read as cancelled', { row: edited(created), seen: 'cancelled' }, cancelled],
    ['is looked up to be created again', { row: same(created), isCancelled, recreates }, lookUp],
    [
      'and is, when every order of its id is cancelled',
      { row: same({ ...created, generation: 2 }), isCancelled, recreates, seen: 'cancelled' },
      send({ generation: 3, replacesCancelled: true }),
    ],
    [
      'or when none is there any more',
      { row: edited(created), isCancelled, recreates, seen: 'absent' },
      send({ generation: 1, replacesCancelled: true }),
    ],
    [
      'under a key that was never used for its content',
      { row: edited(created), isCancelled, recreates, seen: 'cancelled', rejectedGeneration: 4 },
      send({ generation: 5, replacesCancelled: true }),
    ],
    [
      'but not when another of its id is there',
      { row: same(created), isCancelled, recreates, seen: 'equal' },
      take('already_exists'),
    ],
    ['nor one with other content', { row: same(created), isCancelled, recreates, seen: 'other' }, changed],
    ['nor when nobody can say', { row: same(created), isCancelled, recreates, seen: 'nothing' }, cancelled],
    [
      'nor while an attempt may come late',
      { row: same({ ...created, unknownAt: justNow }), isCancelled, recreates },
      cancelled,
    ],
  ]);
});

describe('an order that was rejected', () => {
  const late = { ...rejected, unknownAt: longAgo };
  const recent = { ...rejected, unknownAt: justNow };
  holds([
    ['is looked up first', { row: same(rejected) }, lookUp],
    ['was there when it is found', { row: same(rejected), seen: 'equal' }, take('already_exists')],
    ['was created when an attempt was unknown', { row: same(late), seen: 'equal' }, take('created')],
    ['is in conflict with another', { row: same(rejected), seen: 'other' }, changed],
    [
      'is sent under a new key when it is not there',
      { row: same({ ...rejected, generation: 3 }), seen: 'absent' },
      send({ generation: 4 }),
    ],
    [
      'under the same key when nobody can say',
      { row: same({ ...rejected, generation: 3 }), seen: 'nothing' },
      send({ generation: 3 }),
    ],
    [
      'under the same key for ten minutes after an unknown attempt',
      { row: same(recent), seen: 'absent' },
      send({ looksUpRefusals: true, mayComeLate: true }),
    ],
    [
      'and under a new one then',
      { row: same(late), seen: 'absent' },
      send({ generation: 1, looksUpRefusals: true }),
    ],
    [
      'the same after a 409',
      { row: same({ ...rejected, disputedAt: justNow }), seen: 'absent' },
      send({ mayComeLate: true }),
    ],
    [
      'and then',
      { row: same({ ...rejected, disputedAt: longAgo }), seen: 'absent' },
      send({ generation: 1 }),
    ],
    [
      'when both were, the later one counts',
      { row: same({ ...late, disputedAt: justNow }), seen: 'absent' },
      send({ looksUpRefusals: true, mayComeLate: true }),
    ],
    ['is sent at once when it was mended', { row: edited(rejected) }, send()],
    ['and was there when it turned out so', { row: edited(rejected), seen: 'equal' }, take('already_exists')],
    ['and is in conflict with another', { row: edited(rejected), seen: 'other' }, changed],
    ['is looked up when it was mended back', { row: edited(rejected), rejectedGeneration: 2 }, lookUp],
    [
      'and sent under a new key',
      { row: edited(rejected), rejectedGeneration: 2, seen: 'absent' },
      send({ generation: 3 }),
    ],
    ['is looked up when an attempt with other content was unknown', { row: edited(late) }, lookUp],
    ['and may be that one when it is found', { row: edited(late), seen: 'equal' }, changed],
    ['and in conflict when it is other', { row: edited(late), seen: 'other' }, changed],
    ['and waits for that one', { row: edited(recent), seen: 'absent' }, open],
    ['and waits when nobody can say', { row: edited(recent), seen: 'nothing' }, open],
    ['and is sent then', { row: edited(late), seen: 'absent' }, send()],
    [
      'waits as well when it was rejected itself',
      { row: edited(recent), rejectedGeneration: 2, seen: 'absent' },
      open,
    ],
    [
      'and is sent then',
      { row: edited(late), rejectedGeneration: 2, seen: 'absent' },
      send({ generation: 2 }),
    ],
    ['is in conflict when its orders are cancelled', { row: same(rejected), seen: 'cancelled' }, cancelled],
    [
      'or created again',
      { row: same(rejected), seen: 'cancelled', recreates: true },
      send({ generation: 1, replacesCancelled: true }),
    ],
    [
      'not while an attempt may come late',
      { row: same(recent), seen: 'cancelled', recreates: true },
      cancelled,
    ],
  ]);
});

describe('an order that nobody knows the end of', () => {
  const again = { hasOpenAttempt: true, generation: 2 };
  holds([
    ['is sent again under its key', { row: same({ ...unknown, generation: 2 }) }, send(again)],
    [
      'and is overdue after ten minutes',
      { row: same({ ...settled, generation: 2 }) },
      send({ ...again, isOverdue: true }),
    ],
    [
      'not before they have passed since the first 409 as well',
      { row: same({ ...settled, disputedAt: justNow, generation: 2 }) },
      send(again),
    ],
    [
      'nor when the clock was set back',
      { row: same({ ...unknown, unknownAt: now + aDay, generation: 2 }) },
      send(again),
    ],
    ['is looked up when its content changed', { row: edited(unknown) }, lookUp],
    ['and in conflict when it is there', { row: edited(unknown), seen: 'other' }, changed],
    ['and when it looks equal', { row: edited(unknown), seen: 'equal' }, changed],
    ['and waits when it is not', { row: edited(unknown), seen: 'absent' }, open],
    [
      'also when the clock was set back',
      { row: edited({ ...unknown, unknownAt: now + aDay }), seen: 'absent' },
      open,
    ],
    ['and is sent after ten minutes', { row: edited(settled), seen: 'absent' }, send()],
    [
      'under the key that its content was rejected with',
      { row: edited(settled), seen: 'absent', rejectedGeneration: 1 },
      send({ generation: 1 }),
    ],
    ['but never when nobody can say', { row: edited(settled), seen: 'nothing' }, open],
    ['is in conflict when its orders are cancelled', { row: edited(unknown), seen: 'cancelled' }, cancelled],
    ['and never created again', { row: edited(settled), seen: 'cancelled', recreates: true }, cancelled],
  ]);
});

describe('an order that another key of this merchant sent', () => {
  const sentWith = 'same_merchant';
  const fresh = send({ looksUpRefusals: true });
  holds([
    ['is skipped when it was created', { sentWith, row: same(created) }, { do: 'skip' }],
    ['is read when its content changed', { sentWith, row: edited(created) }, { do: 'read' }],
    ['is sent when it was rejected', { sentWith, row: same(rejected) }, fresh],
    ['is looked up when it is open', { sentWith, row: same(unknown) }, lookUp],
    [
      'was created by that when it is there',
      { sentWith, row: same(unknown), seen: 'equal' },
      take('created'),
    ],
    ['may be that one when its content changed', { sentWith, row: edited(unknown), seen: 'equal' }, changed],
    ['is in conflict with another', { sentWith, row: same(unknown), seen: 'other' }, changed],
    ['waits when it is not there', { sentWith, row: same(unknown), seen: 'absent' }, open],
    ['is sent after ten minutes', { sentWith, row: same(settled), seen: 'absent' }, fresh],
    ['never when nobody can say', { sentWith, row: same(settled), seen: 'nothing' }, open],
    [
      'waits after a refusal as well',
      { sentWith, row: same({ ...unknown, ...rejected }), seen: 'absent' },
      open,
    ],
    ['and after a 409', { sentWith, row: same({ ...rejected, disputedAt: justNow }), seen: 'absent' }, open],
  ]);
});

describe('an order that a key sent of which nobody knows whose it is', () => {
  const sentWith = 'unclear';
  const fresh = send({ looksUpRefusals: true });
  holds([
    ['is looked up', { sentWith, row: same(created) }, lookUp],
    ['not when it was rejected, which left nothing', { sentWith, row: same(rejected) }, fresh],
    [
      'but when it was open before that',
      { sentWith, row: same({ ...rejected, unknownAt: longAgo }) },
      lookUp,
    ],
    ['is left alone when nobody can say', { sentWith, row: same(created), seen: 'nothing' }, otherKey],
    ['is skipped when it is there', { sentWith, row: same(created), seen: 'equal' }, { do: 'skip' }],
    ['is in conflict with another', { sentWith, row: edited(created), seen: 'other' }, changed],
    ['is sent when it is not there', { sentWith, row: same(created), seen: 'absent' }, fresh],
    ['waits when it is open', { sentWith, row: same(unknown), seen: 'absent' }, open],
  ]);
});

describe('ten minutes', () => {
  it.each([
    [599_999, true],
    [600_000, false],
    [0, true],
    [-1, true],
    [-aDay, true],
  ])('%i ms after an attempt it may come late: %s', (age, isLate) => {
    expect(isRecent(same({ unknownAt: now - age }), now)).toBe(isLate);
    expect(isRecent(same({ disputedAt: now - age }), now)).toBe(isLate);
    expect(isRecent(same({ unknownAt: now - age, disputedAt: longAgo }), now)).toBe(isLate);
  });

  it('never pass for what was never tried', () => {
    expect(isRecent(same({}), now)).toBe(false);
  });
});
