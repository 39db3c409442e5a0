import fc from 'fast-check';
import { describe, it } from 'vitest';
import { decide, type Facts, isRecent, type Sending } from '../../../src/import/send/decide.ts';
import { isOpen, type LedgerEntry } from '../../../src/ledger/entry.ts';
import { ledgerRow } from '../../support/ledger.ts';

const now = 1_763_712_000_000;
const justNow = now - 599_999;
const longAgo = now - 600_000;
const aDay = 86_400_000;

describe('whatever the facts', () => {
  const time = fc.constantFrom(null, justNow, longAgo, now + aDay);
  const row: fc.Arbitrary<LedgerEntry> = fc
    .record({
      bodyHash: fc.constantFrom('now', 'then', ''),
      generation: fc.nat({ max: 3 }),
      state: fc.constantFrom('intent', 'created', 'rejected', 'unknown'),
      unknownAt: time,
      disputedAt: time,
    })
    .map(ledgerRow);
  const any: fc.Arbitrary<Facts> = fc
    .record({
      row: fc.option(row, { nil: undefined }),
      sentWith: fc.constantFrom('own', 'same_merchant', 'unclear'),
      bodyHash: fc.constant('now'),
      rejectedGeneration: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
      isCancelled: fc.boolean(),
      recreates: fc.boolean(),
      now: fc.constant(now),
      seen: fc.constantFrom(undefined, 'equal', 'other', 'cancelled', 'absent', 'nothing'),
    })
    .map((fields) => ({ ...fields, isUnderWay: fields.row?.state === 'intent' }));
  const whenSent = (check: (facts: Facts & { row: LedgerEntry }, sending: Sending) => boolean) =>
    fc.assert(
      fc.property(any, (all) => {
        const decision = decide(all);
        return decision.do !== 'send' || all.row === undefined || check({ ...all, row: all.row }, decision);
      }),
      { numRuns: 20_000 },
    );

  it('nothing is sent that another run has under way', () => {
    whenSent(({ isUnderWay }) => !isUnderWay);
  });

  it('an order that is there is not sent', () => {
    whenSent(({ row, seen, sentWith }, sending) => {
      const goesOn = sending.hasOpenAttempt && isOpen(row) && sentWith === 'own';
      // What another key was refused left nothing to be looked for.
      const leftNothing = row.state === 'rejected' && row.unknownAt === null && row.disputedAt === null;
      return goesOn || (leftNothing && sentWith !== 'own') || (seen !== 'equal' && seen !== 'other');
    });
  });

  it('no key is new unless the service showed that nothing is there, or that all of it is cancelled', () => {
    whenSent(({ row, rejectedGeneration = 0, seen }, { generation }) => {
      const known =
        row.bodyHash === 'now' ? Math.max(row.generation, rejectedGeneration) : rejectedGeneration;
      return generation <= known || seen === 'absent' || seen === 'cancelled';
    });
  });

  it('while an attempt is younger than ten minutes nothing leaves but the same under the same key', () => {
    whenSent(({ row, sentWith }, { generation, replacesCancelled }) => {
      if (row.state === 'created' || !isRecent(row, now)) return true;
      const isSame = row.bodyHash === 'now' && row.generation === generation && sentWith === 'own';
      return isSame && !replacesCancelled;
    });
  });

  it('nothing is created again while an attempt may come late, or that nobody asked for', () => {
    whenSent(({ row, recreates }, { replacesCancelled }) => {
      return !replacesCancelled || (recreates && !isRecent(row, now) && !isOpen(row));
    });
  });

  it('an order that is known to be there is sent only by who creates a cancelled one again', () => {
    whenSent(({ row, seen, sentWith }, { replacesCancelled }) => {
      return row.state !== 'created' || replacesCancelled || (sentWith === 'unclear' && seen === 'absent');
    });
  });

  it('the service is asked once', () => {
    fc.assert(
      fc.property(any, (all) => {
        const { do: what } = decide(all);
        return all.seen === undefined || (what !== 'look_up' && what !== 'read');
      }),
      { numRuns: 20_000 },
    );
  });

  it('what is taken was seen to be equal', () => {
    fc.assert(
      fc.property(any, (all) => decide(all).do !== 'take' || all.seen === 'equal'),
      { numRuns: 20_000 },
    );
  });
});
