import { describe, expect, it } from 'vitest';
import {
  type Decision,
  decide,
  type Facts,
  isRecent,
  type Sending,
} from '../../../src/import/send/decide.ts';
import type { LedgerEntry } from '../../../src/ledger/entry.ts';
import { ledgerEntry } from '../../support/ledger.ts';

const now = 1_763_712_000_000;
const tenMinutes = 600_000;
const justNow = now - (tenMinutes - 1);
const longAgo = now - tenMinutes;
const aDay = 86_400_000;

/** An entry of the order with the content that is to be sent. */
const same = (fields: Partial<LedgerEntry>) => ledgerEntry({ bodyHash: 'now', ...fields });
/** The same with content that is not in the file any more. */
const edited = (fields: Partial<LedgerEntry>) => ledgerEntry({ bodyHash: 'then', ...fields });
const created = { state: 'created', orderId: 'id-1' } as const;
const notCompared = { ...created, code: 'not_compared' } as const;
const rejected = { state: 'rejected' } as const;
const unknown = { state: 'unknown', unknownAt: justNow } as const;
const settled = { state: 'unknown', unknownAt: longAgo } as const;

const facts = (fields: Partial<Facts>): Facts => ({
  entry: undefined,
  sentWith: 'own',
  bodyHash: 'now',
  rejectedGeneration: undefined,
  isBeingSent: false,
  isCancelled: false,
  recreatesCancelled: false,
  now,
  lookup: undefined,
  ...fields,
});
const send = (fields: Partial<Sending> = {}): Sending => ({
  action: 'send',
  generation: 0,
  hasOpenAttempt: false,
  mayTakeEffectLate: false,
  looksUpRejections: false,
  isOverdue: false,
  replacesCancelled: false,
  ...fields,
});
const lookUp = { action: 'look_up' } as const;
const changed = { action: 'conflict', code: 'content_changed' } as const;
const cancelled = { action: 'conflict', code: 'order_cancelled' } as const;
const open = { action: 'defer', code: 'earlier_attempt_open' } as const;
const otherKey = { action: 'defer', code: 'sent_with_other_key' } as const;
const accept = (as: 'created' | 'already_exists') => ({ action: 'accept', outcome: as }) as const;

type Case = [name: string, facts: Partial<Facts>, decision: Decision];
const holds = (cases: Case[]) =>
  it.each(cases)('%s', (_, fields, decision) => {
    expect(decide(facts(fields))).toEqual(decision);
  });

describe('an order that nobody here has heard of', () => {
  holds([['is sent, and a refusal is looked up', {}, send({ looksUpRejections: true })]]);
});

describe('an order that a living run has under way', () => {
  holds([
    ['is left to it', { entry: same({}), isBeingSent: true }, { action: 'defer', code: 'in_other_run' }],
    [
      'with other content too',
      { entry: edited({}), isBeingSent: true },
      { action: 'defer', code: 'in_other_run' },
    ],
    [
      'with another key too',
      { entry: same({}), isBeingSent: true, sentWith: 'unclear' },
      { action: 'defer', code: 'in_other_run' },
    ],
  ]);
});

describe('an order that was created', () => {
  const isCancelled = true;
  const recreatesCancelled = true;
  holds([
    ['is skipped', { entry: same(created) }, { action: 'skip' }],
    ['is read when its content changed', { entry: edited(created) }, { action: 'read' }],
    ['and is in conflict when that is other', { entry: edited(created), lookup: 'different' }, changed],
    ['and when it looks equal', { entry: edited(created), lookup: 'equal' }, changed],
    ['and when it is not there', { entry: edited(created), lookup: 'absent' }, changed],
    ['and when nobody can say', { entry: edited(created), lookup: 'inconclusive' }, changed],
    ['is read when its content was not compared', { entry: same(notCompared) }, { action: 'read' }],
    ['and taken when that is equal', { entry: same(notCompared), lookup: 'equal' }, accept('already_exists')],
    ['and in conflict when it is not', { entry: same(notCompared), lookup: 'different' }, changed],
    ['and left open when nobody can say', { entry: same(notCompared), lookup: 'inconclusive' }, open],
    [
      'and in conflict when the row was edited since',
      { entry: edited(notCompared), lookup: 'equal' },
      changed,
    ],
    ['is in conflict when it is known to be cancelled', { entry: same(created), isCancelled }, cancelled],
    ['with other content too', { entry: edited(created), isCancelled }, cancelled],
    ['and when it was read as cancelled', { entry: edited(created), lookup: 'cancelled' }, cancelled],
    ['is looked up to be created again', { entry: same(created), isCancelled, recreatesCancelled }, lookUp],
    [
      'and is, when every order of its id is cancelled',
      { entry: same({ ...created, generation: 2 }), isCancelled, recreatesCancelled, lookup: 'cancelled' },
      send({ generation: 3, replacesCancelled: true }),
    ],
    [
      'or when none is there any more',
      { entry: edited(created), isCancelled, recreatesCancelled, lookup: 'absent' },
      send({ generation: 1, replacesCancelled: true }),
    ],
    [
      'under a key that was never used for its content',
      { entry: edited(created), isCancelled, recreatesCancelled, lookup: 'cancelled', rejectedGeneration: 4 },
      send({ generation: 5, replacesCancelled: true }),
    ],
    [
      'but not when another of its id is there',
      { entry: same(created), isCancelled, recreatesCancelled, lookup: 'equal' },
      accept('already_exists'),
    ],
    [
      'nor one with other content',
      { entry: same(created), isCancelled, recreatesCancelled, lookup: 'different' },
      changed,
    ],
    [
      'nor when nobody can say',
      { entry: same(created), isCancelled, recreatesCancelled, lookup: 'inconclusive' },
      cancelled,
    ],
    [
      'nor while an attempt may come late',
      { entry: same({ ...created, unknownAt: justNow }), isCancelled, recreatesCancelled },
      cancelled,
    ],
  ]);
});

describe('an order that was rejected', () => {
  const late = { ...rejected, unknownAt: longAgo };
  const recent = { ...rejected, unknownAt: justNow };
  holds([
    ['is looked up first', { entry: same(rejected) }, lookUp],
    ['was there when it is found', { entry: same(rejected), lookup: 'equal' }, accept('already_exists')],
    ['was created when an attempt was unknown', { entry: same(late), lookup: 'equal' }, accept('created')],
    ['is in conflict with another', { entry: same(rejected), lookup: 'different' }, changed],
    [
      'is sent under a new key when it is not there',
      { entry: same({ ...rejected, generation: 3 }), lookup: 'absent' },
      send({ generation: 4 }),
    ],
    [
      'under the same key when nobody can say',
      { entry: same({ ...rejected, generation: 3 }), lookup: 'inconclusive' },
      send({ generation: 3 }),
    ],
    [
      'under the same key for ten minutes after an unknown attempt',
      { entry: same(recent), lookup: 'absent' },
      send({ looksUpRejections: true, mayTakeEffectLate: true }),
    ],
    [
      'and under a new one then',
      { entry: same(late), lookup: 'absent' },
      send({ generation: 1, looksUpRejections: true }),
    ],
    [
      'the same after a 409',
      { entry: same({ ...rejected, disputedAt: justNow }), lookup: 'absent' },
      send({ mayTakeEffectLate: true }),
    ],
    [
      'and then',
      { entry: same({ ...rejected, disputedAt: longAgo }), lookup: 'absent' },
      send({ generation: 1 }),
    ],
    [
      'when both were, the later one counts',
      { entry: same({ ...late, disputedAt: justNow }), lookup: 'absent' },
      send({ looksUpRejections: true, mayTakeEffectLate: true }),
    ],
    ['is sent at once when it was mended', { entry: edited(rejected) }, send()],
    [
      'and was there when it turned out so',
      { entry: edited(rejected), lookup: 'equal' },
      accept('already_exists'),
    ],
    ['and is in conflict with another', { entry: edited(rejected), lookup: 'different' }, changed],
    ['is looked up when it was mended back', { entry: edited(rejected), rejectedGeneration: 2 }, lookUp],
    [
      'and sent under a new key',
      { entry: edited(rejected), rejectedGeneration: 2, lookup: 'absent' },
      send({ generation: 3 }),
    ],
    ['is looked up when an attempt with other content was unknown', { entry: edited(late) }, lookUp],
    ['and may be that one when it is found', { entry: edited(late), lookup: 'equal' }, changed],
    ['and in conflict when it is other', { entry: edited(late), lookup: 'different' }, changed],
    ['and waits for that one', { entry: edited(recent), lookup: 'absent' }, open],
    ['and waits when nobody can say', { entry: edited(recent), lookup: 'inconclusive' }, open],
    ['and is sent then', { entry: edited(late), lookup: 'absent' }, send()],
    [
      'waits as well when it was rejected itself',
      { entry: edited(recent), rejectedGeneration: 2, lookup: 'absent' },
      open,
    ],
    [
      'and is sent then',
      { entry: edited(late), rejectedGeneration: 2, lookup: 'absent' },
      send({ generation: 2 }),
    ],
    [
      'is in conflict when its orders are cancelled',
      { entry: same(rejected), lookup: 'cancelled' },
      cancelled,
    ],
    [
      'or created again',
      { entry: same(rejected), lookup: 'cancelled', recreatesCancelled: true },
      send({ generation: 1, replacesCancelled: true }),
    ],
    [
      'not while an attempt may come late',
      { entry: same(recent), lookup: 'cancelled', recreatesCancelled: true },
      cancelled,
    ],
  ]);
});

describe('an order that nobody knows the end of', () => {
  const again = { hasOpenAttempt: true, generation: 2 };
  holds([
    ['is sent again under its key', { entry: same({ ...unknown, generation: 2 }) }, send(again)],
    [
      'and is overdue after ten minutes',
      { entry: same({ ...settled, generation: 2 }) },
      send({ ...again, isOverdue: true }),
    ],
    [
      'not before they have passed since the first 409 as well',
      { entry: same({ ...settled, disputedAt: justNow, generation: 2 }) },
      send(again),
    ],
    [
      'nor when the clock was set back',
      { entry: same({ ...unknown, unknownAt: now + aDay, generation: 2 }) },
      send(again),
    ],
    ['is looked up when its content changed', { entry: edited(unknown) }, lookUp],
    ['and in conflict when it is there', { entry: edited(unknown), lookup: 'different' }, changed],
    ['and when it looks equal', { entry: edited(unknown), lookup: 'equal' }, changed],
    ['and waits when it is not', { entry: edited(unknown), lookup: 'absent' }, open],
    [
      'also when the clock was set back',
      { entry: edited({ ...unknown, unknownAt: now + aDay }), lookup: 'absent' },
      open,
    ],
    ['and is sent after ten minutes', { entry: edited(settled), lookup: 'absent' }, send()],
    [
      'under the key that its content was rejected with',
      { entry: edited(settled), lookup: 'absent', rejectedGeneration: 1 },
      send({ generation: 1 }),
    ],
    ['but never when nobody can say', { entry: edited(settled), lookup: 'inconclusive' }, open],
    [
      'is in conflict when its orders are cancelled',
      { entry: edited(unknown), lookup: 'cancelled' },
      cancelled,
    ],
    [
      'and never created again',
      { entry: edited(settled), lookup: 'cancelled', recreatesCancelled: true },
      cancelled,
    ],
  ]);
});

describe('an order that another key of this merchant sent', () => {
  const sentWith = 'same_merchant';
  const fresh = send({ looksUpRejections: true });
  holds([
    ['is skipped when it was created', { sentWith, entry: same(created) }, { action: 'skip' }],
    ['is read when its content changed', { sentWith, entry: edited(created) }, { action: 'read' }],
    ['is sent when it was rejected', { sentWith, entry: same(rejected) }, fresh],
    ['is looked up when it is open', { sentWith, entry: same(unknown) }, lookUp],
    [
      'was created by that when it is there',
      { sentWith, entry: same(unknown), lookup: 'equal' },
      accept('created'),
    ],
    [
      'may be that one when its content changed',
      { sentWith, entry: edited(unknown), lookup: 'equal' },
      changed,
    ],
    ['is in conflict with another', { sentWith, entry: same(unknown), lookup: 'different' }, changed],
    ['waits when it is not there', { sentWith, entry: same(unknown), lookup: 'absent' }, open],
    ['is sent after ten minutes', { sentWith, entry: same(settled), lookup: 'absent' }, fresh],
    ['never when nobody can say', { sentWith, entry: same(settled), lookup: 'inconclusive' }, open],
    [
      'waits after a refusal as well',
      { sentWith, entry: same({ ...unknown, ...rejected }), lookup: 'absent' },
      open,
    ],
    [
      'and after a 409',
      { sentWith, entry: same({ ...rejected, disputedAt: justNow }), lookup: 'absent' },
      open,
    ],
  ]);
});

describe('an order that a key sent of which nobody knows whose it is', () => {
  const sentWith = 'unclear';
  const fresh = send({ looksUpRejections: true });
  holds([
    ['is looked up', { sentWith, entry: same(created) }, lookUp],
    ['not when it was rejected, which left nothing', { sentWith, entry: same(rejected) }, fresh],
    [
      'but when it was open before that',
      { sentWith, entry: same({ ...rejected, unknownAt: longAgo }) },
      lookUp,
    ],
    [
      'is left alone when nobody can say',
      { sentWith, entry: same(created), lookup: 'inconclusive' },
      otherKey,
    ],
    ['is skipped when it is there', { sentWith, entry: same(created), lookup: 'equal' }, { action: 'skip' }],
    ['is in conflict with another', { sentWith, entry: edited(created), lookup: 'different' }, changed],
    ['is sent when it is not there', { sentWith, entry: same(created), lookup: 'absent' }, fresh],
    ['waits when it is open', { sentWith, entry: same(unknown), lookup: 'absent' }, open],
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
