import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type DecisionInput, decide, isRecent } from '../../../src/import/send/decide.ts';
import type { LedgerEntry } from '../../../src/ledger/order-log.ts';
import { ledgerEntry } from '../../support/ledger.ts';

const now = 1_763_712_000_000;
const aDay = 86_400_000;
/** Minutes and seconds since an attempt; `ahead`: the clock was set back a day since. */
const times: Record<string, number> = { '9:59': now - 599_999, '10:00': now - 600_000, ahead: now + aDay };

type Fields = Record<string, string | number | boolean>;
/** `generation:2 isOverdue` → the fields of these names, those without a value true. */
const fieldsIn = (words: readonly string[]): Fields =>
  Object.fromEntries(
    words.map((word) => {
      const [name = '', value] = word.split(/:(.*)/);
      return [name, value === undefined ? true : /^\d$/.test(value) ? Number(value) : value];
    }),
  );

/** `same`: with the content to send; `edited`: with content that is no longer in the file. */
function entryOf(text: string): LedgerEntry | undefined {
  if (text === '') return undefined;
  const [content, state, ...more] = text.split(' ');
  const { unknown, 409: first409, several, not_compared: isNotCompared, ...fields } = fieldsIn(more);
  return ledgerEntry({
    bodyHash: content === 'same' ? 'now' : 'then',
    state: state as LedgerEntry['state'],
    orderId: state === 'created' ? 'id-1' : null,
    unknownAt: times[`${unknown}`] ?? null,
    first409At: times[`${first409}`] ?? null,
    copies: several ? { numbers: ['1', '2'], younger: ['2'] } : null,
    code: isNotCompared ? 'not_compared' : null,
    ...fields,
  });
}

const withCode: Record<string, string> = { accept: 'outcome', conflict: 'code', defer: 'code' };
const toSend = {
  generation: 0,
  ...{ hasOpenAttempt: false, mayTakeEffectLate: false, looksUpRejections: false, isOverdue: false },
};

function decisionOf(text: string) {
  const [action = '', ...more] = text.split(' ');
  if (action === 'send' || action === 'recreate') return { action, ...toSend, ...fieldsIn(more) };
  return action in withCode ? { action, [withCode[action] ?? '']: more[0] } : { action };
}

const [, ...rows] = readFileSync(new URL('decide.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

it.each(rows.map((row) => row.split('\t') as [string, string, string, string, string, string]))(
  'an order %s: %s',
  (_order, _what, entry, also, lookup, decision) => {
    const input: DecisionInput = {
      entry: entryOf(entry),
      owner: 'this_key',
      bodyHash: 'now',
      rejectedGeneration: undefined,
      isBeingSent: false,
      isOfThisRun: false,
      isCancelled: false,
      recreatesCancelled: false,
      now,
      lookup: lookup === '' ? undefined : (lookup as NonNullable<DecisionInput['lookup']>),
      ...fieldsIn(also.split(' ').filter(Boolean)),
    };
    expect(decide(input)).toEqual(decisionOf(decision));
  },
);

describe('isRecent', () => {
  it.each([
    [599_999, true],
    [600_000, false],
    [0, true],
    [-1, true],
    [-aDay, true],
  ])('%i ms after an attempt: %s', (age, expected) => {
    const first409At = now - 600_000;
    for (const fields of [
      { unknownAt: now - age },
      { first409At: now - age },
      { unknownAt: now - age, first409At },
    ])
      expect(isRecent(ledgerEntry(fields), now)).toBe(expected);
  });

  it('is false without an attempt', () => {
    expect(isRecent(ledgerEntry({}), now)).toBe(false);
  });
});
