import fc from 'fast-check';
import { describe, it } from 'vitest';
import { decide, type Facts, isRecent, type Sending } from '../../../src/import/send/decide.ts';
import { isOpen, type LedgerEntry } from '../../../src/ledger/entry.ts';
import { ledgerEntry } from '../../support/ledger.ts';

const now = 1_763_712_000_000;
const justNow = now - 599_999;
const longAgo = now - 600_000;
const aDay = 86_400_000;

describe('decide', () => {
  const time = fc.constantFrom(null, justNow, longAgo, now + aDay);
  const entry: fc.Arbitrary<LedgerEntry> = fc
    .record({
      bodyHash: fc.constantFrom('now', 'then', ''),
      generation: fc.nat({ max: 3 }),
      state: fc.constantFrom('intent', 'created', 'rejected', 'unknown', 'not_found'),
      unknownAt: time,
      disputedAt: time,
    })
    .map(ledgerEntry);
  const anyFacts: fc.Arbitrary<Facts> = fc
    .record({
      entry: fc.option(entry, { nil: undefined }),
      sentWith: fc.constantFrom('own', 'same_merchant', 'unclear'),
      bodyHash: fc.constant('now'),
      rejectedGeneration: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
      isCancelled: fc.boolean(),
      recreatesCancelled: fc.boolean(),
      isOfThisRun: fc.boolean(),
      now: fc.constant(now),
      lookup: fc.constantFrom(undefined, 'equal', 'different', 'cancelled', 'absent', 'inconclusive'),
    })
    .map((fields) => ({ ...fields, isBeingSent: fields.entry?.state === 'intent' }));
  const whenSent = (check: (facts: Facts & { entry: LedgerEntry }, sending: Sending) => boolean) =>
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const decision = decide(facts);
        return (
          decision.action !== 'send' ||
          facts.entry === undefined ||
          check({ ...facts, entry: facts.entry }, decision)
        );
      }),
      { numRuns: 20_000 },
    );

  it('never sends an order that another run is sending', () => {
    whenSent(({ isBeingSent }) => !isBeingSent);
  });

  it('never sends an order that exists', () => {
    whenSent(({ entry, lookup, sentWith }, sending) => {
      const continuesAttempt = sending.hasOpenAttempt && isOpen(entry) && sentWith === 'own';
      // A rejection leaves nothing that another key could look up.
      const leftNothing = entry.state === 'rejected' && entry.unknownAt === null && entry.disputedAt === null;
      return (
        continuesAttempt ||
        (leftNothing && sentWith !== 'own') ||
        (lookup !== 'equal' && lookup !== 'different')
      );
    });
  });

  it('uses a new key only when no order exists or all are cancelled', () => {
    whenSent(({ entry, rejectedGeneration = 0, lookup }, { generation }) => {
      const known =
        entry.bodyHash === 'now' ? Math.max(entry.generation, rejectedGeneration) : rejectedGeneration;
      return generation <= known || lookup === 'absent' || lookup === 'cancelled';
    });
  });

  it('sends only the same body with the same key within ten minutes of an attempt', () => {
    whenSent(({ entry, sentWith }, { generation, replacesCancelled }) => {
      if (entry.state === 'created' || !isRecent(entry, now)) return true;
      const isSame = entry.bodyHash === 'now' && entry.generation === generation && sentWith === 'own';
      return isSame && !replacesCancelled;
    });
  });

  it('creates again only on request, and not while an attempt may take effect late', () => {
    whenSent(({ entry, recreatesCancelled }, { replacesCancelled }) => {
      return !replacesCancelled || (recreatesCancelled && !isRecent(entry, now) && !isOpen(entry));
    });
  });

  it('sends an order known to exist only to replace a cancelled one', () => {
    whenSent(({ entry, lookup, sentWith }, { replacesCancelled }) => {
      return (
        entry.state !== 'created' || replacesCancelled || (sentWith === 'unclear' && lookup === 'absent')
      );
    });
  });

  it('looks an order up at most once', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { action } = decide(facts);
        return facts.lookup === undefined || (action !== 'look_up' && action !== 'read');
      }),
      { numRuns: 20_000 },
    );
  });

  it('accepts only equal orders', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => decide(facts).action !== 'accept' || facts.lookup === 'equal'),
      { numRuns: 20_000 },
    );
  });
});
