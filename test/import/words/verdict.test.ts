import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Choice,
  decisionOf,
  decisions,
  isIncluded,
  verdict,
} from '../../../src/import/words/verdict.ts';
import type { Verdict, WordMeaning } from '../../../src/import/words/vocabulary.ts';
import lists from '../../../src/import/words/words.json' with { type: 'json' };
import { normaliseWords, phrasesOf, spellPlainly } from '../../../src/words/phrases.ts';
import cases from './verdict.json' with { type: 'json' };

interface Row {
  meaning: WordMeaning;
  header: string;
  text: string;
  verdict: Verdict;
}

const rows: Row[] = parse(readFileSync(new URL('./verdicts.csv', import.meta.url)), { columns: true });

describe('verdict', () => {
  it.each(rows)('$meaning "$header": "$text" is $verdict', ({ meaning, header, text, verdict: expected }) => {
    expect(verdict(meaning, text, header)).toBe(expected);
  });

  it('knows each word of its lists in a column that is about it, in any case', () => {
    const known = [
      ...wordsIn('payment_status', lists.paymentStates),
      ...wordsIn('state', lists.orderStates),
      ...wordsIn('payment_method', { on_delivery: lists.onDelivery }),
      ...wordsIn('shipping_method', { pickup: [...lists.pickups, ...lists.wholePickups] }),
    ];
    const wrong = known.filter(
      ([meaning, expected, word]) => verdict(meaning, word.toUpperCase()) !== expected,
    );
    expect(wrong).toEqual([]);
  });
});

function wordsIn(meaning: WordMeaning, named: Record<string, string[]>) {
  return Object.entries(named).flatMap(([name, lines]) =>
    phrasesOf(lines).map((word) => [meaning, name, word] as const),
  );
}

/** Phrases that no pattern is about. */
const pickups = phrasesOf(lists.pickups).filter((phrase) => !/[а-яөү]|collect|pick|uchij|retir/.test(phrase));
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

it('finds a phrase only as whole words, or anywhere when its script has no spaces', () => {
  const words = [...pickups, ...pickups.flatMap((phrase) => phrase.split(' ')), 'shop', 'э', 'up', '店'];
  const part = fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', ' ', ' ', 'x', ''));
  const text = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.flat().join(''));
  const all = phrasesOf(lists.pickups);
  fc.assert(
    fc.property(text, (cell) => {
      const whole = ` ${normaliseWords(cell)} `;
      const isFound = all.some((phrase) => whole.includes(unspaced.test(phrase) ? phrase : ` ${phrase} `));
      fc.pre(isFound || !/odbior w|retir|magazadan|click|pick/.test(whole));
      expect(verdict('shipping_method', cell) === 'pickup').toBe(isFound);
    }),
    { numRuns: 2000 },
  );
});

it('finds the phrases of several words in an address, and others as a whole one, however they are spelt', () => {
  const all = phrasesOf(lists.pickups);
  const several = all.filter((phrase) => phrase.includes(' '));
  const separator = fc.constantFrom(' ', ' ', '-', ', ', '  ');
  const isUpper = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });
  const spelt = fc
    .tuple(fc.constantFrom(...several), separator, isUpper)
    .map(([phrase, between, [upper, y, yo]]) => {
      const words = phrase.replaceAll('и', y ? 'й' : 'и').replaceAll('е', yo ? 'ё' : 'е');
      return (upper ? words.toUpperCase() : words).replaceAll(' ', between);
    });
  fc.assert(
    fc.property(spelt, fc.constantFrom('', '12 ', 'shop, '), (place, before) => {
      expect(verdict('address', before + place)).toBe('pickup');
    }),
    { numRuns: 1000 },
  );
  const alone = all.filter((phrase) => !phrase.includes(' '));
  expect(alone.filter((phrase) => verdict('address', phrase) !== 'pickup')).toEqual([]);
});

describe('decisionOf', () => {
  it.each(cases.decisions as [Verdict, WordMeaning, boolean, Choice][])(
    '%s in a column of %s, beside another: %s',
    (found, meaning, hasOtherPayment, choice) => {
      expect(decisionOf(found, meaning, hasOtherPayment)).toEqual(choice);
    },
  );
});

it('includes in * what is unknown or agrees, and never what contradicts it', () => {
  const included = (found: Verdict) => decisions.filter((decision) => isIncluded(found, decision));
  expect(included('unknown')).toEqual(['collect', 'prepaid', 'deliver', 'leave_out']);
  expect(included('paid')).toEqual(['prepaid', 'deliver', 'leave_out']);
  expect(included('open')).toEqual(['collect', 'deliver', 'leave_out']);
  expect(included('partly_paid')).toEqual(['collect', 'deliver', 'leave_out']);
  expect(included('on_delivery')).toEqual(['collect', 'leave_out']);
  expect(included('cancelled')).toEqual(['leave_out']);
  for (const found of ['perhaps_paid', 'perhaps_open', 'no', 'nothing'] as const)
    expect(included(found)).toEqual([]);
});

describe('normaliseWords', () => {
  it('gives common letters what the rules for every script give them', () => {
    const common = fc.string({ unit: fc.constantFrom(...' -_&"#№йЙёЁАЯаяөҮӨүzZaZ09.,~') });
    fc.assert(
      fc.property(common, fc.string({ unit: 'grapheme-ascii' }), (text, ascii) => {
        // With one more letter, the text is no longer a common one.
        const whole = normaliseWords(`${text}${ascii} é`);
        expect(normaliseWords(text + ascii)).toBe(whole.slice(0, -1).trim());
      }),
    );
  });
});

it.each([
  ['төлөөгүй', 'толоогуй', 'tuluugui'],
  ['хүргэгдсэн', 'хургэгдсэн', 'hvrgegdsen', 'khurgegdsen'],
  ['цуцалсан', 'cucalsan', 'tsutsalsan'],
  ['авна', 'awna', 'avna'],
])('%s has one spelling in all keyboards', (...spellings) => {
  expect(new Set(spellings.map((text) => spellPlainly(normaliseWords(text)))).size).toBe(1);
});
