import { describe, expect, it } from 'vitest';
import { importsOf, readSources, type Sources } from './sources.ts';

/**
 * What the rest of src may take from the reading of words: a verdict and the decision that follows from it, so that
 * no two callers read one text in two ways. What reads amounts, dates and the spelling of headers decides nothing.
 */
const offered: Record<string, readonly string[]> = {
  verdict: [
    'verdict',
    'findPickup',
    'decisionOf',
    'isIncluded',
    'isLeftOut',
    'isPaymentVerdict',
    'saysThatOrderEnded',
    'decisions',
    'Decision',
    'Choice',
    'certain',
    'undecided',
  ],
  vocabulary: ['Verdict', 'WordMeaning'],
  quantity: [
    'readQuantity',
    'isNotOne',
    'units',
    'pieceUnits',
    'hasWords',
    'findCounts',
    'countsOf',
    'bySign',
    'FoundCount',
  ],
  money: ['readMoney', 'readHundredths', 'createDecimalsCheck', 'namesOtherCurrency'],
  dates: ['readDate', 'isDay', 'isDayInWords', 'partsOfDay', 'daysBetween'],
  'typed-date': ['readTypedDate'],
};

const room = 'src/import/words/';

function wrongReaders(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => !path.startsWith(room))
    .flatMap(([path, source]) => [
      ...(source.includes('words/words.json') ? [`${path} takes the lists`] : []),
      ...importsOf(path, source)
        .filter(({ target }) => target.startsWith(room))
        .flatMap(({ target, names = ['*'] }) => {
          const file = target.slice(room.length).replace(/\.ts$/, '');
          const own = names.filter((name) => name !== 'type' && !offered[file]?.includes(name));
          return own.map((name) => `${path} takes ${name} of ${file}`);
        }),
    ]);
}

describe('words', () => {
  it('are read for their meaning nowhere else', () => {
    expect(wrongReaders(readSources('src'))).toEqual([]);
  });

  it('are found where something else reads them', () => {
    const path = 'src/import/orders/payment.ts';
    const wrong = (line: string) => wrongReaders(new Map([[path, line]]));
    expect(wrong("import { verdict } from '../words/verdict.ts';")).toEqual([]);
    expect(wrong("import { methodOf } from '../words/payment-words.ts';")).toEqual([
      `${path} takes methodOf of payment-words`,
    ]);
    expect(wrong("import lists from '../words/words.json' with { type: 'json' };")).toEqual([
      `${path} takes the lists`,
    ]);
  });
});
