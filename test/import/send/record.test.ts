import { describe, expect, it } from 'vitest';
import type { Creation } from '../../../src/api/operations/create.ts';
import type { CallResult } from '../../../src/api/pacing/attempts.ts';
import { CliError, type ErrorCode } from '../../../src/errors.ts';
import { createIntent, recordCreation } from '../../../src/import/send/record.ts';
import type { LedgerEntry } from '../../../src/ledger/entry.ts';
import { ledgerEntry, startLedger } from '../../support/ledger.ts';
import { lostAnswer } from './services.ts';

const now = 5000;
const order = { id: 'S-1', order: { orderNumber: 'ORD-1' } };
const intent = ledgerEntry({ run: 'run-2', lastRun: 'run-2' });
const open = ledgerEntry({ state: 'unknown', unknownAt: 3000, disputedAt: 4000 });
const rejected = ledgerEntry({ state: 'rejected', code: 'OLD' });

const there = (outcome: 'created' | 'already_exists'): Creation => ({
  outcome,
  order,
  notCompared: [],
  attempts: 1,
});
const conflict = (code: ErrorCode): Creation => ({
  outcome: 'conflict',
  order,
  differing: [],
  attempts: 1,
  error: new CliError(code, ''),
});
const refusal = new CliError('order_refused', '', { serviceCode: 'SKU' });
const without = (
  outcome: 'rejected' | 'not_sent' | 'unknown',
  result: Partial<CallResult> = {},
  isDisputed = false,
): Creation => ({
  outcome,
  attempts: 1,
  isDisputed,
  error: refusal,
  lastError: refusal,
  result: { outcome: 'rejected', attemptResult: lostAnswer, attempts: 1, sawUnknown: false, ...result },
});

/** What stands in the ledger after this; `before` stood there, then the intent. */
async function record(creation: Creation, before?: LedgerEntry, begun: Partial<LedgerEntry> = {}) {
  const ledger = await startLedger({ now: () => now });
  if (before !== undefined) ledger.orders.record(before);
  const sent = { ...intent, ...begun };
  ledger.orders.record(sent);
  recordCreation(ledger, sent, creation, before, now);
  return { row: ledger.orders.find('A-1'), isCancelled: ledger.cancellations.has('S-1'), ledger };
}

const names = { orderId: 'S-1', orderNumber: 'ORD-1' };
const wasThere: LedgerEntry = { ...intent, ...names, state: 'created', run: '' };

describe('what came of an intent', () => {
  it.each<[string, Creation, LedgerEntry | undefined, Partial<LedgerEntry> | undefined]>([
    ['created', there('created'), undefined, { ...intent, ...names, state: 'created' }],
    ['there before', there('already_exists'), undefined, wasThere],
    ['rejected', without('rejected'), undefined, { ...intent, state: 'rejected', code: 'SKU' }],
    [
      'rejected after an earlier refusal',
      without('rejected'),
      rejected,
      { ...intent, state: 'rejected', code: 'SKU' },
    ],
    [
      'rejected, a look-up after an unknown attempt having found nothing',
      without('rejected', { sawUnknown: true }),
      undefined,
      { ...intent, state: 'rejected', code: 'SKU', unknownAt: now },
    ],
    [
      'rejected after a 409',
      without('rejected', {}, true),
      undefined,
      { ...intent, state: 'rejected', code: 'SKU', disputedAt: now },
    ],
    ['forbidden', without('rejected', { outcome: 'forbidden' }), undefined, undefined],
    [
      'forbidden after an unknown attempt of an earlier run',
      without('rejected', { outcome: 'forbidden' }),
      open,
      open,
    ],
    ['not sent', without('not_sent', { outcome: 'not_sent' }), undefined, undefined],
    ['not sent after a refusal', without('not_sent', { outcome: 'key_refused' }), rejected, rejected],
    [
      'not sent after an unknown attempt of an earlier run',
      without('not_sent', { outcome: 'throttled' }),
      open,
      open,
    ],
    [
      'unknown',
      without('unknown', { sawUnknown: true }),
      undefined,
      { ...intent, state: 'unknown', unknownAt: now },
    ],
    [
      'unknown by a 409 alone',
      without('unknown', {}, true),
      undefined,
      { ...intent, state: 'unknown', disputedAt: now },
    ],
    ['in conflict with another', conflict('order_conflict'), undefined, undefined],
    ['in conflict with another after a refusal', conflict('order_conflict'), rejected, rejected],
    [
      'in conflict with another after an unknown attempt',
      conflict('order_conflict'),
      open,
      { ...wasThere, code: 'not_compared' },
    ],
    ['in conflict with a cancelled one', conflict('order_cancelled'), undefined, wasThere],
    [
      'in conflict with a cancelled one after an unknown attempt',
      conflict('order_cancelled'),
      open,
      { ...wasThere, run: 'run-2' },
    ],
  ])('%s', async (_, creation, before, expected) => {
    expect((await record(creation, before)).row).toEqual(expected);
  });

  it('keeps the first 409 and the last unknown attempt', async () => {
    const begun = { unknownAt: 3000, disputedAt: 4000 };
    const later = await record(without('unknown', { sawUnknown: true }, true), open, begun);
    expect(later.row).toMatchObject({ state: 'unknown', unknownAt: now, disputedAt: 4000 });
    const same = await record(without('unknown', { outcome: 'rejected_or_exists' }), open, begun);
    expect(same.row).toMatchObject({ state: 'unknown', unknownAt: 3000, disputedAt: 4000 });
    const ended = await record(there('created'), open, begun);
    expect(ended.row).toMatchObject({ state: 'created', unknownAt: null, disputedAt: null });
  });

  it('knows an order as cancelled that was found so, and no other', async () => {
    expect((await record(conflict('order_cancelled'))).isCancelled).toBe(true);
    expect((await record(conflict('order_conflict'))).isCancelled).toBe(false);
  });

  it('remembers in which generation a content was rejected, whatever comes after it', async () => {
    const { ledger } = await record(without('rejected'), undefined, { generation: 3 });
    const edited = ledgerEntry({ bodyHash: 'other', state: 'created', orderId: 'S-2' });
    ledger.orders.record(edited);
    const generations = ['hash of A', 'other'].map((hash) => ledger.orders.rejectedGeneration('A-1', hash));
    expect(generations).toEqual([3, undefined]);
  });
});

describe('an intent', () => {
  const sent = { externalOrderId: 'A-1', bodyHash: 'hash of A', idempotencyKey: 'key-9', generation: 1 };
  const fresh = ledgerEntry({ ...sent, run: 'run-2', lastRun: 'run-2' });

  it.each<[string, LedgerEntry | undefined, boolean, LedgerEntry]>([
    ['is of its run', undefined, false, fresh],
    [
      'that goes on is of the run that began it',
      open,
      true,
      { ...fresh, run: 'run-1', unknownAt: 3000, disputedAt: 4000 },
    ],
    ['that begins anew is not', open, false, { ...fresh, unknownAt: 3000, disputedAt: 4000 }],
    ['with other content has no attempts', { ...open, bodyHash: 'other' }, false, fresh],
    ['holds nothing of the refusal before it', rejected, false, fresh],
  ])('%s', (_, before, goesOn, expected) => {
    expect(createIntent(sent, 'run-2', before, goesOn)).toEqual(expected);
  });
});
