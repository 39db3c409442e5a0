import {
  finderOf,
  isPlain,
  normaliseName,
  normaliseWords,
  once,
  phrasesOf,
  remember,
  spellPlainly,
  wordsOf,
} from '../../words/phrases.ts';
import type { LeftOutReason } from '../choices.ts';
import type { Verdict } from './vocabulary.ts';
import lists from './words.json' with { type: 'json' };

const { deliver: _, ...leftOut } = lists.orderStates;
export const knownState = wordsOf<LeftOutReason | 'deliver'>(lists.orderStates);
/** Payment words that shops write for an order that is to be delivered. */
const paidStates = once(() => new Set(phrasesOf(lists.paidStates)));
/** Whether such an order is to be delivered only a person knows, whatever other values its column has. */
const heldStates = once(() => new Set(phrasesOf(lists.heldStates)));
const saysLeftOut = finderOf(() => Object.values(leftOut).flatMap(phrasesOf));

export function stateOf(words: string): Verdict {
  return knownState(words) ?? (heldStates().has(words) || saysLeftOut(words) ? 'unclear' : 'unknown');
}

export function isPaidState(words: string): boolean {
  return paidStates().has(words);
}

const knownShipping = wordsOf<Verdict>(lists.shipping);

export function shippingOf(words: string): Verdict {
  return knownShipping(words) ?? 'unknown';
}

const pickups = once(() => phrasesOf(lists.pickups));
/** In longer texts they may be about something else: `Takeaway cup`. */
const wholePickups = once(() => new Set(phrasesOf(lists.wholePickups)));
const saysPickupPhrase = finderOf(pickups);
const pickupPattern = once(() => new RegExp(`(?<!\\S)(?:${lists.pickupPatterns.join('|')})(?!\\S)`, 'u'));
/** `TAKE` stands for the forms of авах. */
const plainPickup = () =>
  lists.plainPickupPatterns.join('|').replaceAll('TAKE', `av(?:${lists.plainPickupVerbs})`);
const plainPickupPattern = once(() => new RegExp(`(?<!\\S)(?:${plainPickup()})(?!\\S)`));
/** Words of a negation, of a delivery, or of somebody else who takes the goods. */
const saysOtherwise = once(() => new RegExp(`(?<!\\S)(?:${lists.pickupDoubts.join('|')})(?!\\S)`, 'u'));

/** Whether the customer, and no courier of this service, moves the goods; `unclear` when the text also says otherwise. */
export function pickupOf(cell: string): Verdict {
  const words = normaliseWords(cell);
  if (wholePickups().has(words) || pickups().includes(words)) return 'pickup';
  const parts = normaliseName(cell);
  if (!saysPickup(words, saysPickupPhrase) && !saysPickup(parts, saysPickupPhrase)) return 'unknown';
  return saysOtherwise().test(parts) ? 'unclear' : 'pickup';
}

/** `Ирээд авна`: in words that mean nothing else, whatever the column. */
export function saysPickupPlainly(words: string): boolean {
  return plainPickupPattern().test(spellPlainly(words)) && !saysOtherwise().test(words);
}

function saysPickup(words: string, saysPhrase: (words: string) => boolean): boolean {
  return saysPhrase(words) || pickupPattern().test(words) || plainPickupPattern().test(spellPlainly(words));
}

const saysPickupInWords = finderOf(() => pickups().filter((phrase) => phrase.includes(' ')));
const isFetchedAt = remember((cell): boolean => {
  const words = normaliseWords(cell);
  return pickups().includes(words) || (saysPickup(words, saysPickupInWords) && !saysOtherwise().test(words));
});

/** `Өөрөө авна` instead of an address. One word, such as Retiro, may be a place. */
export function isPickupPlace(cell: string): boolean {
  return (!isPlain(cell) || pickupWord().test(cell)) && isFetchedAt(cell);
}

/** The longest word of each phrase, because most of the many addresses have none of them. */
const pickupWord = once(
  () =>
    new RegExp(
      [...new Set(pickups().filter(isPlain).map(longestWord))]
        .join('|')
        .replaceAll('и', '[ий]')
        .replaceAll('е', '[её]')
        .concat(`|${lists.pickupStems.join('|')}`),
      'i',
    ),
);

function longestWord(phrase: string): string {
  return phrase.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest));
}

const pickupNote = once(() => new RegExp(`^(?:\\S+ ){0,3}(?:${plainPickup()})$`));

/** Only when the whole note says so. */
export function isPickupNote(words: string): boolean {
  return (
    pickups().includes(words) || (pickupNote().test(spellPlainly(words)) && !saysOtherwise().test(words))
  );
}
