import fc from 'fast-check';
import { describe, it } from 'vitest';
import { decide, type Facts, isRecent, type Sending } from '../../../src/import/send/decide.ts';
import { isOpen, type LedgerEntry } from '../../../src/ledger/entry.ts';
import { ledgerEntry } from '../../support/ledger.ts';

const now = 1_763_712_000_000;
const justNow = now - 599_999;
const longAgo = now - 600_000;
const aDay = 86_400_000;

describe('whatever the facts', () => {
  const time = fc.constantFrom(null, justNow, longAgo, now + aDay);
  const entry: fc.Arbitrary<LedgerEntry> = fc
    .record({
      bodyHash: fc.constantFrom('now', 'then', ''),
      generation: fc.nat({ max: 3 }),
      state: fc.constantFrom('intent', 'created', 'rejected', 'unknown'),
      unknownAt: time,
      disputedAt: time,
    })
    .map(ledgerEntry);
  const any: fc.Arbitrary<Facts> = fc
    .record({
      entry: fc.option(entry, { nil: undefined }),
      sentWith: fc.constantFrom('own', 'same_merchant', 'unclear'),
      bodyHash: fc.constant('now'),
      rejectedGeneration: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
      isCancelled: fc.boolean(),
      recreatesCancelled: fc.boolean(),
      now: fc.constant(now),
      lookup: fc.constantFrom(undefined, 'equal', 'different', 'cancelled', 'absent', 'inconclusive'),
    })
    .map((fields) => ({ ...fields, isBeingSent: fields.entry?.state === 'intent' }));
  const whenSent = (check: (facts: Facts & { entry: LedgerEntry }, sending: Sending) => boolean) =>
    fc.assert(
      fc.property(any, (all) => {
        const decision = decide(all);
        return (
          decision.action !== 'send' ||
          all.entry === undefined ||
          check({ ...all, entry: all.entry }, decision)
        );
      }),
      { numRuns: 20_000 },
    );

  it('nothing is sent that another run has under way', () => {
    whenSent(({ isBeingSent }) => !isBeingSent);
  });

  it('an order that is there is not sent', () => {
    whenSent(({ entry, lookup, sentWith }, sending) => {
      const goesOn = sending.hasOpenAttempt && isOpen(entry) && sentWith === 'own';
      // What another key was refused left nothing to be looked for.
      const leftNothing = entry.state === 'rejected' && entry.unknownAt === null && entry.disputedAt === null;
      return goesOn || (leftNothing && sentWith !== 'own') || (lookup !== 'equal' && lookup !== 'different');
    });
  });

  it('no key is new unless the service showed that nothing is there, or that all of it is cancelled', () => {
    whenSent(({ entry, rejectedGeneration = 0, lookup }, { generation }) => {
      const known =
        entry.bodyHash === 'now' ? Math.max(entry.generation, rejectedGeneration) : rejectedGeneration;
      return generation <= known || lookup === 'absent' || lookup === 'cancelled';
    });
  });

  it('while an attempt is younger than ten minutes nothing leaves but the same under the same key', () => {
    whenSent(({ entry, sentWith }, { generation, replacesCancelled }) => {
      if (entry.state === 'created' || !isRecent(entry, now)) return true;
      const isSame = entry.bodyHash === 'now' && entry.generation === generation && sentWith === 'own';
      return isSame && !replacesCancelled;
    });
  });

  it('nothing is created again while an attempt may come late, or that nobody asked for', () => {
    whenSent(({ entry, recreatesCancelled }, { replacesCancelled }) => {
      return !replacesCancelled || (recreatesCancelled && !isRecent(entry, now) && !isOpen(entry));
    });
  });

  it('an order that is known to be there is sent only by who creates a cancelled one again', () => {
    whenSent(({ entry, lookup, sentWith }, { replacesCancelled }) => {
      return (
        entry.state !== 'created' || replacesCancelled || (sentWith === 'unclear' && lookup === 'absent')
      );
    });
  });

  it('the service is asked once', () => {
    fc.assert(
      fc.property(any, (all) => {
        const { action } = decide(all);
        return all.lookup === undefined || (action !== 'look_up' && action !== 'read');
      }),
      { numRuns: 20_000 },
    );
  });

  it('what is taken was seen to be equal', () => {
    fc.assert(
      fc.property(any, (all) => decide(all).action !== 'accept' || all.lookup === 'equal'),
      { numRuns: 20_000 },
    );
  });
});
