import { describe, expect, it } from 'vitest';
import {
  type Decision,
  type DecisionInput,
  decide,
  isRecent,
  type SendDecision,
} from '../../../src/import/send/decide.ts';
import type { LedgerEntry } from '../../../src/ledger/order-log.ts';
import { ledgerEntry } from '../../support/ledger.ts';

const now = 1_763_712_000_000;
const tenMinutes = 600_000;
const justNow = now - (tenMinutes - 1);
const longAgo = now - tenMinutes;
const aDay = 86_400_000;

/** A ledger entry with the content to send. */
const same = (fields: Partial<LedgerEntry>) => ledgerEntry({ bodyHash: 'now', ...fields });
/** A ledger entry with content that is no longer in the file. */
const edited = (fields: Partial<LedgerEntry>) => ledgerEntry({ bodyHash: 'then', ...fields });
const created = { state: 'created', orderId: 'id-1' } as const;
const severalCreated = { ...created, copies: { numbers: ['1', '2'], younger: ['2'] } };
const notCompared = { ...created, code: 'not_compared' } as const;
const rejected = { state: 'rejected' } as const;
const unknown = { state: 'unknown', unknownAt: justNow } as const;
const settled = { state: 'unknown', unknownAt: longAgo } as const;

const input = (fields: Partial<DecisionInput>): DecisionInput => ({
  entry: undefined,
  owner: 'this_key',
  bodyHash: 'now',
  rejectedGeneration: undefined,
  isBeingSent: false,
  isOfThisRun: false,
  isCancelled: false,
  recreatesCancelled: false,
  now,
  lookup: undefined,
  ...fields,
});
const send = (fields: Partial<SendDecision> = {}): SendDecision => ({
  action: 'send',
  generation: 0,
  hasOpenAttempt: false,
  mayTakeEffectLate: false,
  looksUpRejections: false,
  isOverdue: false,
  ...fields,
});
const lookUp = { action: 'look_up' } as const;
const changed = { action: 'conflict', code: 'content_changed' } as const;
const cancelled = { action: 'conflict', code: 'order_cancelled' } as const;
const open = { action: 'defer', code: 'earlier_attempt_open' } as const;
const perhaps = { action: 'defer', code: 'perhaps_created' } as const;
const otherKey = { action: 'defer', code: 'sent_with_other_key' } as const;
const accept = (as: 'created' | 'already_exists') => ({ action: 'accept', outcome: as }) as const;

type Case = [name: string, input: Partial<DecisionInput>, decision: Decision];
const testCases = (cases: Case[]) =>
  it.each(cases)('%s', (_, fields, decision) => {
    expect(decide(input(fields))).toEqual(decision);
  });

describe('an order without a ledger entry', () => {
  testCases([['is sent, and a rejection is looked up', {}, send({ looksUpRejections: true })]]);
});

describe('an order that another run is sending', () => {
  testCases([
    ['is deferred', { entry: same({}), isBeingSent: true }, { action: 'defer', code: 'in_other_run' }],
    [
      'is deferred with other content',
      { entry: edited({}), isBeingSent: true },
      { action: 'defer', code: 'in_other_run' },
    ],
    [
      'is deferred with another key',
      { entry: same({}), isBeingSent: true, owner: 'unknown_merchant' },
      { action: 'defer', code: 'in_other_run' },
    ],
  ]);
});

describe('an order that was created', () => {
  const isCancelled = true;
  const recreatesCancelled = true;
  testCases([
    ['is skipped', { entry: same(created) }, { action: 'skip' }],
    ['is skipped while there are several', { entry: same(severalCreated) }, { action: 'skip' }],
    ['is looked up when one of several is cancelled', { entry: same(severalCreated), isCancelled }, lookUp],
    [
      'exists when another of several is alive',
      { entry: same(severalCreated), isCancelled, lookup: 'equal' },
      accept('already_exists'),
    ],
    [
      'is cancelled when all of several are',
      { entry: same(severalCreated), isCancelled, lookup: 'cancelled' },
      cancelled,
    ],
    ['is read when its content changed', { entry: edited(created) }, { action: 'read' }],
    ['conflicts when the content read differs', { entry: edited(created), lookup: 'different' }, changed],
    ['conflicts when the content read looks equal', { entry: edited(created), lookup: 'equal' }, changed],
    ['conflicts when the order no longer exists', { entry: edited(created), lookup: 'absent' }, changed],
    ['conflicts when the read is inconclusive', { entry: edited(created), lookup: 'inconclusive' }, changed],
    ['is read when its content was not compared', { entry: same(notCompared) }, { action: 'read' }],
    [
      'is accepted when the uncompared content is equal',
      { entry: same(notCompared), lookup: 'equal' },
      accept('already_exists'),
    ],
    [
      'conflicts when the uncompared content differs',
      { entry: same(notCompared), lookup: 'different' },
      changed,
    ],
    [
      'is deferred when the comparison is inconclusive',
      { entry: same(notCompared), lookup: 'inconclusive' },
      open,
    ],
    [
      'conflicts when the row was edited since then',
      { entry: edited(notCompared), lookup: 'equal' },
      changed,
    ],
    ['conflicts when it is known to be cancelled', { entry: same(created), isCancelled }, cancelled],
    [
      'conflicts when it is cancelled and its content changed',
      { entry: edited(created), isCancelled },
      cancelled,
    ],
    [
      'conflicts when the read shows that it is cancelled',
      { entry: edited(created), lookup: 'cancelled' },
      cancelled,
    ],
    [
      'is looked up before it is created again',
      { entry: same(created), isCancelled, recreatesCancelled },
      lookUp,
    ],
    [
      'is created again when every order with its ID is cancelled',
      { entry: same({ ...created, generation: 2 }), isCancelled, recreatesCancelled, lookup: 'cancelled' },
      send({ action: 'recreate', generation: 3 }),
    ],
    [
      'is created again when no order has its ID',
      { entry: edited(created), isCancelled, recreatesCancelled, lookup: 'absent' },
      send({ action: 'recreate', generation: 1 }),
    ],
    [
      'is created again with a key that was never used for its content',
      { entry: edited(created), isCancelled, recreatesCancelled, lookup: 'cancelled', rejectedGeneration: 4 },
      send({ action: 'recreate', generation: 5 }),
    ],
    [
      'is not created again when an equal order exists',
      { entry: same(created), isCancelled, recreatesCancelled, lookup: 'equal' },
      accept('already_exists'),
    ],
    [
      'is not created again when an order with other content exists',
      { entry: same(created), isCancelled, recreatesCancelled, lookup: 'different' },
      changed,
    ],
    [
      'is not created again when the lookup is inconclusive',
      { entry: same(created), isCancelled, recreatesCancelled, lookup: 'inconclusive' },
      cancelled,
    ],
    [
      'is not created again while an attempt may take effect late',
      { entry: same({ ...created, unknownAt: justNow }), isCancelled, recreatesCancelled },
      cancelled,
    ],
  ]);
});

describe('an order that was rejected', () => {
  const late = { ...rejected, unknownAt: longAgo };
  const recent = { ...rejected, unknownAt: justNow };
  testCases([
    ['is looked up first', { entry: same(rejected) }, lookUp],
    ['already exists when it is found', { entry: same(rejected), lookup: 'equal' }, accept('already_exists')],
    [
      'counts as created when an attempt was unknown',
      { entry: same(late), lookup: 'equal' },
      accept('created'),
    ],
    ['conflicts with another order', { entry: same(rejected), lookup: 'different' }, changed],
    [
      'is sent with a new key when it does not exist',
      { entry: same({ ...rejected, generation: 3 }), lookup: 'absent' },
      send({ generation: 4 }),
    ],
    [
      'is sent with the same key when the lookup is inconclusive',
      { entry: same({ ...rejected, generation: 3 }), lookup: 'inconclusive' },
      send({ generation: 3 }),
    ],
    [
      'is sent with the same key for ten minutes after an unknown attempt',
      { entry: same(recent), lookup: 'absent' },
      send({ looksUpRejections: true, mayTakeEffectLate: true }),
    ],
    [
      'is sent with a new key after these ten minutes',
      { entry: same(late), lookup: 'absent' },
      send({ generation: 1, looksUpRejections: true }),
    ],
    [
      'is sent with the same key for ten minutes after a 409',
      { entry: same({ ...rejected, first409At: justNow }), lookup: 'absent' },
      send({ mayTakeEffectLate: true }),
    ],
    [
      'is sent with a new key ten minutes after a 409',
      { entry: same({ ...rejected, first409At: longAgo }), lookup: 'absent' },
      send({ generation: 1 }),
    ],
    [
      'waits for the later of an unknown attempt and a 409',
      { entry: same({ ...late, first409At: justNow }), lookup: 'absent' },
      send({ looksUpRejections: true, mayTakeEffectLate: true }),
    ],
    ['is sent at once after a fix', { entry: edited(rejected) }, send()],
    [
      'already exists when the lookup after a fix finds it',
      { entry: edited(rejected), lookup: 'equal' },
      accept('already_exists'),
    ],
    ['conflicts after a fix with another order', { entry: edited(rejected), lookup: 'different' }, changed],
    ['is looked up when a fix was undone', { entry: edited(rejected), rejectedGeneration: 2 }, lookUp],
    [
      'is sent with a new key when a fix was undone',
      { entry: edited(rejected), rejectedGeneration: 2, lookup: 'absent' },
      send({ generation: 3 }),
    ],
    ['is looked up when an attempt with other content was unknown', { entry: edited(late) }, lookUp],
    [
      'conflicts when that attempt may have created the order found',
      { entry: edited(late), lookup: 'equal' },
      changed,
    ],
    ['conflicts when the order found differs', { entry: edited(late), lookup: 'different' }, changed],
    ['is deferred while that attempt is recent', { entry: edited(recent), lookup: 'absent' }, open],
    ['is deferred when the lookup is inconclusive', { entry: edited(recent), lookup: 'inconclusive' }, open],
    [
      'is deferred when an order may be that of the attempt',
      { entry: edited(late), lookup: 'listed' },
      perhaps,
    ],
    ['is sent ten minutes after that attempt', { entry: edited(late), lookup: 'absent' }, send()],
    [
      'is sent again although an order is similar, since no attempt may have created it',
      { entry: same(rejected), lookup: 'listed' },
      send(),
    ],
    [
      'is deferred even if its content was rejected before',
      { entry: edited(recent), rejectedGeneration: 2, lookup: 'absent' },
      open,
    ],
    [
      'is sent ten minutes later, with the generation of its rejection',
      { entry: edited(late), rejectedGeneration: 2, lookup: 'absent' },
      send({ generation: 2 }),
    ],
    ['conflicts when its orders are cancelled', { entry: same(rejected), lookup: 'cancelled' }, cancelled],
    [
      'is created again with --recreate-cancelled',
      { entry: same(rejected), lookup: 'cancelled', recreatesCancelled: true },
      send({ action: 'recreate', generation: 1 }),
    ],
    [
      'is not created again while an attempt may take effect late',
      { entry: same(recent), lookup: 'cancelled', recreatesCancelled: true },
      cancelled,
    ],
  ]);
});

describe('an order with an unknown outcome', () => {
  const again = { hasOpenAttempt: true, generation: 2 };
  testCases([
    ['is looked up when another run left it', { entry: same(unknown) }, lookUp],
    ['counts as created when it is found', { entry: same(unknown), lookup: 'equal' }, accept('created')],
    ['conflicts with another order', { entry: same(unknown), lookup: 'different' }, changed],
    [
      'is sent again with its key when it is not found',
      { entry: same({ ...unknown, generation: 2 }), lookup: 'absent' },
      send(again),
    ],
    [
      'is sent again with its key when the lookup is inconclusive',
      { entry: same({ ...unknown, generation: 2 }), lookup: 'inconclusive' },
      send(again),
    ],
    [
      'is deferred when an order may be it, however late',
      { entry: same({ ...settled, generation: 2 }), lookup: 'listed' },
      perhaps,
    ],
    [
      'is sent again with its key when this run left it',
      { entry: same({ ...unknown, generation: 2 }), isOfThisRun: true },
      send(again),
    ],
    [
      'is overdue after ten minutes',
      { entry: same({ ...settled, generation: 2 }), lookup: 'absent' },
      send({ ...again, isOverdue: true }),
    ],
    [
      'is not overdue until ten minutes after the first 409',
      { entry: same({ ...settled, first409At: justNow, generation: 2 }), lookup: 'absent' },
      send(again),
    ],
    [
      'is not overdue when the clock was set back',
      { entry: same({ ...unknown, unknownAt: now + aDay, generation: 2 }), lookup: 'absent' },
      send(again),
    ],
    ['is looked up when its content changed', { entry: edited(unknown) }, lookUp],
    ['conflicts when it exists', { entry: edited(unknown), lookup: 'different' }, changed],
    ['conflicts when it looks equal', { entry: edited(unknown), lookup: 'equal' }, changed],
    ['is deferred when it does not exist', { entry: edited(unknown), lookup: 'absent' }, open],
    [
      'is deferred when the clock was set back',
      { entry: edited({ ...unknown, unknownAt: now + aDay }), lookup: 'absent' },
      open,
    ],
    [
      'is sent after ten minutes when it does not exist',
      { entry: edited(settled), lookup: 'absent' },
      send(),
    ],
    [
      'is sent with the key that its content was rejected with',
      { entry: edited(settled), lookup: 'absent', rejectedGeneration: 1 },
      send({ generation: 1 }),
    ],
    ['is deferred when the lookup is inconclusive', { entry: edited(settled), lookup: 'inconclusive' }, open],
    ['conflicts when its orders are cancelled', { entry: edited(unknown), lookup: 'cancelled' }, cancelled],
    [
      'is never created again',
      { entry: edited(settled), lookup: 'cancelled', recreatesCancelled: true },
      cancelled,
    ],
  ]);
});

describe('an order that was proven not to exist', () => {
  const notFound = { state: 'not_found', unknownAt: longAgo } as const;
  const again = { looksUpRejections: true, isOverdue: true };
  testCases([
    ['is looked up once more', { entry: same(notFound) }, lookUp],
    [
      'was created by the earlier attempt after all',
      { entry: same(notFound), lookup: 'equal' },
      accept('created'),
    ],
    ['conflicts when another order has its ID', { entry: same(notFound), lookup: 'different' }, changed],
    [
      'is sent under the same key',
      { entry: same({ ...notFound, generation: 2 }), lookup: 'absent' },
      send({ ...again, generation: 2 }),
    ],
    [
      'is sent under the same key when the lookup proves nothing',
      { entry: same({ ...notFound, generation: 2 }), lookup: 'inconclusive' },
      send({ ...again, generation: 2 }),
    ],
    ['is sent with other content', { entry: edited(notFound), lookup: 'absent' }, send()],
    [
      'is deferred with other content when the lookup proves nothing',
      { entry: edited(notFound), lookup: 'inconclusive' },
      open,
    ],
    [
      'is deferred with other content when the clock was set back',
      { entry: edited({ ...notFound, unknownAt: now + aDay }), lookup: 'absent' },
      open,
    ],
  ]);
});

describe('an order sent with another key of this merchant', () => {
  const owner = 'same_merchant';
  const fresh = send({ looksUpRejections: true });
  testCases([
    ['is skipped when it was created', { owner, entry: same(created) }, { action: 'skip' }],
    ['is read when its content changed', { owner, entry: edited(created) }, { action: 'read' }],
    ['is sent when it was rejected', { owner, entry: same(rejected) }, fresh],
    ['is looked up when it is open', { owner, entry: same(unknown) }, lookUp],
    [
      'counts as created when it is found',
      { owner, entry: same(unknown), lookup: 'equal' },
      accept('created'),
    ],
    ['conflicts when its content changed', { owner, entry: edited(unknown), lookup: 'equal' }, changed],
    ['conflicts with another order', { owner, entry: same(unknown), lookup: 'different' }, changed],
    ['is deferred when it does not exist', { owner, entry: same(unknown), lookup: 'absent' }, open],
    ['is sent after ten minutes', { owner, entry: same(settled), lookup: 'absent' }, fresh],
    [
      'is deferred when the lookup is inconclusive',
      { owner, entry: same(settled), lookup: 'inconclusive' },
      open,
    ],
    [
      'is deferred after a rejection of an unknown attempt',
      { owner, entry: same({ ...unknown, ...rejected }), lookup: 'absent' },
      open,
    ],
    [
      'is deferred after a 409',
      { owner, entry: same({ ...rejected, first409At: justNow }), lookup: 'absent' },
      open,
    ],
  ]);
});

describe('an order sent with a key whose merchant is unclear', () => {
  const owner = 'unknown_merchant';
  const fresh = send({ looksUpRejections: true });
  testCases([
    ['is looked up', { owner, entry: same(created) }, lookUp],
    ['is sent when it was rejected', { owner, entry: same(rejected) }, fresh],
    [
      'is looked up when it was open before the rejection',
      { owner, entry: same({ ...rejected, unknownAt: longAgo }) },
      lookUp,
    ],
    [
      'is deferred when the lookup is inconclusive',
      { owner, entry: same(created), lookup: 'inconclusive' },
      otherKey,
    ],
    ['is skipped when it exists', { owner, entry: same(created), lookup: 'equal' }, { action: 'skip' }],
    ['conflicts with another order', { owner, entry: edited(created), lookup: 'different' }, changed],
    ['is sent when it does not exist', { owner, entry: same(created), lookup: 'absent' }, fresh],
    ['is deferred when it is open', { owner, entry: same(unknown), lookup: 'absent' }, open],
  ]);
});

describe('isRecent', () => {
  it.each([
    [599_999, true],
    [600_000, false],
    [0, true],
    [-1, true],
    [-aDay, true],
  ])('%i ms after an attempt: %s', (age, expected) => {
    expect(isRecent(same({ unknownAt: now - age }), now)).toBe(expected);
    expect(isRecent(same({ first409At: now - age }), now)).toBe(expected);
    expect(isRecent(same({ unknownAt: now - age, first409At: longAgo }), now)).toBe(expected);
  });

  it('is false without an attempt', () => {
    expect(isRecent(same({}), now)).toBe(false);
  });
});
