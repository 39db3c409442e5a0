import fc from 'fast-check';
import { describe, it } from 'vitest';
import { type DecisionInput, decide, isRecent, type SendDecision } from '../../../src/import/send/decide.ts';
import { isOpen, type LedgerEntry } from '../../../src/ledger/order-log.ts';
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
      first409At: time,
    })
    .map(ledgerEntry);
  const anyInput: fc.Arbitrary<DecisionInput> = fc
    .record({
      entry: fc.option(entry, { nil: undefined }),
      owner: fc.constantFrom('this_key', 'same_merchant', 'unknown_merchant'),
      bodyHash: fc.constant('now'),
      rejectedGeneration: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
      isCancelled: fc.boolean(),
      recreatesCancelled: fc.boolean(),
      isOfThisRun: fc.boolean(),
      now: fc.constant(now),
      lookup: fc.constantFrom(
        undefined,
        'equal',
        'different',
        'cancelled',
        'absent',
        'listed',
        'inconclusive',
      ),
    })
    .map((fields) => ({ ...fields, isBeingSent: fields.entry?.state === 'intent' }));
  const whenSent = (
    check: (input: DecisionInput & { entry: LedgerEntry }, sending: SendDecision) => boolean,
  ) =>
    fc.assert(
      fc.property(anyInput, (input) => {
        const decision = decide(input);
        return (
          !('generation' in decision) ||
          input.entry === undefined ||
          check({ ...input, entry: input.entry }, decision)
        );
      }),
      { numRuns: 20_000 },
    );

  it('never sends an order that another run is sending', () => {
    whenSent(({ isBeingSent }) => !isBeingSent);
  });

  it('never sends an order that exists', () => {
    whenSent(({ entry, lookup, owner }, sending) => {
      const continuesAttempt = sending.hasOpenAttempt && isOpen(entry) && owner === 'this_key';
      // A rejection leaves nothing that another key could look up.
      const leftNothing = entry.state === 'rejected' && entry.unknownAt === null && entry.first409At === null;
      return (
        continuesAttempt ||
        (leftNothing && owner !== 'this_key') ||
        (lookup !== 'equal' && lookup !== 'different')
      );
    });
  });

  it('never sends an order that an attempt of ours may have created and that may be listed', () => {
    whenSent(({ entry, lookup }) => {
      const leftNothing = entry.state === 'rejected' && entry.unknownAt === null && entry.first409At === null;
      return lookup !== 'listed' || leftNothing || entry.state === 'not_found';
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
    whenSent(({ entry, owner }, { action, generation }) => {
      if (entry.state === 'created' || !isRecent(entry, now)) return true;
      const isSame = entry.bodyHash === 'now' && entry.generation === generation && owner === 'this_key';
      return isSame && action === 'send';
    });
  });

  it('creates again only on request, and not while an attempt may take effect late', () => {
    whenSent(({ entry, recreatesCancelled }, { action }) => {
      return action === 'send' || (recreatesCancelled && !isRecent(entry, now) && !isOpen(entry));
    });
  });

  it('sends an order known to exist only to replace a cancelled one', () => {
    whenSent(({ entry, lookup, owner }, { action }) => {
      return (
        entry.state !== 'created' ||
        action === 'recreate' ||
        (owner === 'unknown_merchant' && lookup === 'absent')
      );
    });
  });

  it('accepts only equal orders', () => {
    fc.assert(
      fc.property(anyInput, (input) => decide(input).action !== 'accept' || input.lookup === 'equal'),
      { numRuns: 20_000 },
    );
  });
});
