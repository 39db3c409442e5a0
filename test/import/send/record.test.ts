import { describe, expect, it } from 'vitest';
import type { Creation } from '../../../src/api/operations/create.ts';
import type { CallResult } from '../../../src/api/pacing/attempts.ts';
import { CliError, type ErrorCode } from '../../../src/errors.ts';
import { createIntent, recordCreation } from '../../../src/import/send/record.ts';
import type { LedgerEntry } from '../../../src/ledger/order-log.ts';
import { ledgerEntry, startLedger } from '../../support/ledger.ts';
import { lostResponse } from './services.ts';

const now = 5000;
const order = { id: 'S-1', order: { orderNumber: 'ORD-1' } };
const intent = ledgerEntry({ run: 'run-2', lastRun: 'run-2' });
const open = ledgerEntry({ state: 'unknown', unknownAt: 3000, first409At: 4000 });
const rejected = ledgerEntry({ state: 'rejected', code: 'OLD' });

const existing = (outcome: 'created' | 'already_exists'): Creation => ({
  outcome,
  order,
  isDirect: true,
  notCompared: [],
  differences: [],
  mayBeSeveral: false,
  attempts: 1,
});
const conflict = (code: ErrorCode): Creation => ({
  outcome: 'conflict',
  order,
  differing: [],
  attempts: 1,
  error: new CliError(code, ''),
});
const rejection = new CliError('order_refused', '', { serviceCode: 'SKU' });
const failed = (
  outcome: 'rejected' | 'not_sent' | 'unknown',
  result: Partial<CallResult> = {},
  saw409 = false,
): Creation => ({
  outcome,
  attempts: 1,
  saw409,
  error: rejection,
  lastError: rejection,
  result: {
    outcome: 'rejected',
    attemptResult: lostResponse,
    attempts: 1,
    sawUnknown: false,
    firstAttemptAt: 0,
    completedAt: 0,
    ...result,
  },
});

/** The ledger entry after a create; `before` is the entry that the intent replaced. */
async function record(creation: Creation, before?: LedgerEntry, begun: Partial<LedgerEntry> = {}) {
  const ledger = await startLedger({ now: () => now });
  if (before !== undefined) ledger.orders.record(before);
  const sent = { ...intent, ...begun };
  ledger.orders.record(sent);
  recordCreation(ledger, { entry: sent, before }, creation, now);
  return { row: ledger.orders.find('A-1'), isCancelled: ledger.cancellations.has('S-1'), ledger };
}

const names = { orderId: 'S-1', orderNumber: 'ORD-1' };
const existedBefore: LedgerEntry = { ...intent, ...names, state: 'created', run: '' };

describe('recordCreation', () => {
  it.each<[string, Creation, LedgerEntry | undefined, Partial<LedgerEntry> | undefined]>([
    ['created', existing('created'), undefined, { ...intent, ...names, state: 'created' }],
    ['already there', existing('already_exists'), undefined, existedBefore],
    ['rejected', failed('rejected'), undefined, { ...intent, state: 'rejected', code: 'SKU' }],
    [
      'rejected after an earlier rejection',
      failed('rejected'),
      rejected,
      { ...intent, state: 'rejected', code: 'SKU' },
    ],
    [
      'rejected after an unknown attempt that a lookup did not find',
      failed('rejected', { sawUnknown: true }),
      undefined,
      { ...intent, state: 'rejected', code: 'SKU', unknownAt: now },
    ],
    [
      'rejected after a 409',
      failed('rejected', {}, true),
      undefined,
      { ...intent, state: 'rejected', code: 'SKU', first409At: now },
    ],
    ['forbidden', failed('rejected', { outcome: 'forbidden' }), undefined, undefined],
    [
      'forbidden after an unknown attempt of an earlier run',
      failed('rejected', { outcome: 'forbidden' }),
      open,
      open,
    ],
    ['not sent', failed('not_sent', { outcome: 'not_sent' }), undefined, undefined],
    ['not sent after a rejection', failed('not_sent', { outcome: 'key_refused' }), rejected, rejected],
    [
      'not sent after an unknown attempt of an earlier run',
      failed('not_sent', { outcome: 'throttled' }),
      open,
      open,
    ],
    [
      'unknown',
      failed('unknown', { sawUnknown: true }),
      undefined,
      { ...intent, state: 'unknown', unknownAt: now },
    ],
    [
      'unknown by a 409 alone',
      failed('unknown', {}, true),
      undefined,
      { ...intent, state: 'unknown', first409At: now },
    ],
    ['conflict with another order', conflict('order_conflict'), undefined, undefined],
    ['conflict with another order after a rejection', conflict('order_conflict'), rejected, rejected],
    [
      'conflict with another order after an unknown attempt',
      conflict('order_conflict'),
      open,
      { ...existedBefore, code: 'not_compared' },
    ],
    ['conflict with a cancelled order', conflict('order_cancelled'), undefined, existedBefore],
    [
      'conflict with a cancelled order after an unknown attempt',
      conflict('order_cancelled'),
      open,
      { ...existedBefore, run: 'run-2' },
    ],
  ])('%s', async (_, creation, before, expected) => {
    expect((await record(creation, before)).row).toEqual(expected);
  });

  it('keeps the first 409 and the last unknown attempt', async () => {
    const begun = { unknownAt: 3000, first409At: 4000 };
    const later = await record(failed('unknown', { sawUnknown: true }, true), open, begun);
    expect(later.row).toMatchObject({ state: 'unknown', unknownAt: now, first409At: 4000 });
    const same = await record(failed('unknown', { outcome: 'rejected_or_exists' }), open, begun);
    expect(same.row).toMatchObject({ state: 'unknown', unknownAt: 3000, first409At: 4000 });
    const ended = await record(existing('created'), open, begun);
    expect(ended.row).toMatchObject({ state: 'created', unknownAt: null, first409At: null });
  });

  it('records only a cancelled order as cancelled', async () => {
    expect((await record(conflict('order_cancelled'))).isCancelled).toBe(true);
    expect((await record(conflict('order_conflict'))).isCancelled).toBe(false);
  });

  it('remembers the generation in which a body was rejected', async () => {
    const { ledger } = await record(failed('rejected'), undefined, { generation: 3 });
    const edited = ledgerEntry({ bodyHash: 'other', state: 'created', orderId: 'S-2' });
    ledger.orders.record(edited);
    const generations = ['hash of A', 'other'].map((hash) => ledger.orders.rejectedGeneration('A-1', hash));
    expect(generations).toEqual([3, undefined]);
  });
});

describe('createIntent', () => {
  const sent = { externalOrderId: 'A-1', bodyHash: 'hash of A', idempotencyKey: 'key-9', generation: 1 };
  const fresh = ledgerEntry({ ...sent, run: 'run-2', lastRun: 'run-2' });
  const after = { ...fresh, copies: { numbers: [], younger: [] } };

  it.each<[string, LedgerEntry | undefined, boolean, LedgerEntry]>([
    ['belongs to its run', undefined, false, fresh],
    [
      'belongs to the run that began the attempt when it continues one',
      open,
      true,
      { ...after, run: 'run-1', unknownAt: 3000, first409At: 4000 },
    ],
    [
      'belongs to its own run when it begins anew',
      open,
      false,
      { ...after, unknownAt: 3000, first409At: 4000 },
    ],
    ['has no attempts with other content', { ...open, bodyHash: 'other' }, false, after],
    ['drops the rejection before it', rejected, false, fresh],
  ])('%s', (_, before, continues, expected) => {
    expect(createIntent(sent, 'run-2', before, continues)).toEqual(expected);
  });
});
