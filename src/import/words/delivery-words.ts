import type { LeftOutReason } from '../choices.ts';
import {
  classifier,
  finderOf,
  isPlain,
  normaliseWords,
  phrasesOf,
  remember,
  spellPlainly,
  wordsOf,
} from './phrases.ts';
import type { Verdict } from './vocabulary.ts';
import lists from './words.json' with { type: 'json' };

export const knownState = wordsOf<LeftOutReason | 'deliver'>(lists.orderStates);
/** Payment words that shops write for an order that is to be delivered. */
const paidStates = new Set(phrasesOf(lists.paidStates));
const classesOf = classifier<keyof typeof lists.stateClasses>(lists.stateClasses);
const stateFillers = new RegExp(`(?<!\\S)(?:${phrasesOf(lists.stateFillers).join('|')})(?!\\S)`, 'g');

export function stateOf(words: string): Verdict {
  const found = knownState(words);
  if (found !== undefined) return found;
  const shorter = words.replace(stateFillers, ' ').replace(/ +/g, ' ').trim();
  const without = shorter === words ? undefined : knownState(shorter);
  if (without !== undefined) return without;
  const [first = '', ...rest] = words.split(' ');
  const isNegated = classesOf(first)?.has('not') === true;
  if (isNegated && knownState(rest.join(' ')) === 'fulfilled') return 'deliver';
  return stateInWords(words);
}

/** `Handed to the courier`, `хүргэгчид өгөөгүй`: only when every word is understood. */
function stateInWords(words: string): Verdict {
  const found = classesOf(words);
  if (found === undefined) return 'unknown';
  const isGiven = found.has('given') && (found.has('courier') || found.has('round') || found.has('handing'));
  const isReceived = found.has('given') && (found.has('receiving') || found.has('customer'));
  const isSent = found.has('sent') || isGiven || isReceived || (found.has('ongoing') && found.size === 2);
  const isAhead = found.has('unsent') || found.has('future') || found.has('waiting') || found.has('not');
  const isBack = found.has('returned') || (found.has('back') && (found.has('came') || found.has('given')));
  const isEnded = isBack || found.has('cancelled') || found.has('refunded');
  if (isAhead) {
    if (isEnded) return 'unknown';
    return found.has('unsent') || found.has('future') || found.has('courier') ? 'deliver' : 'unknown';
  }
  if (found.has('cancelled')) return 'cancelled';
  if (found.has('refunded') || (isBack && found.has('money'))) return 'refunded';
  if (isBack) return 'returned';
  if (found.has('money')) return 'unknown';
  if (found.has('preparing')) return 'deliver';
  return isSent ? 'fulfilled' : 'unknown';
}

const knownShipping = wordsOf<Verdict>(lists.shipping);
const plainDelivery = new RegExp(`^(?:${lists.plainDeliveryPatterns.join('|')})$`);

export function shippingOf(words: string): Verdict {
  return knownShipping(words) ?? (plainDelivery.test(spellPlainly(words)) ? 'deliver' : 'unknown');
}

export function isPaidState(words: string): boolean {
  return paidStates.has(words);
}

const pickups = phrasesOf(lists.pickups);
/** In longer texts they may be about something else: `Takeaway cup`. */
const wholePickups = new Set(phrasesOf(lists.wholePickups));
const pickupPattern = new RegExp(`(?<!\\S)(?:${lists.pickupPatterns.join('|')})(?!\\S)`, 'u');
const plainPickup = withVerbs(lists.plainPickupPatterns);
const plainPickupPattern = new RegExp(`(?<!\\S)(?:${plainPickup})(?!\\S)`);
const saysPickupPhrase = finderOf(pickups);
const notPickups = new RegExp(`(?<!\\S)(?:${phrasesOf(lists.notPickups).join('|')})(?!\\S)`, 'g');
const notPlainPickups = new RegExp(`(?<!\\S)(?:${withVerbs(lists.plainNotPickupPatterns)})(?!\\S)`, 'g');

/** `TAKE` stands for the forms of авах. */
function withVerbs(patterns: readonly string[]): string {
  return patterns.join('|').replaceAll('TAKE', `av(?:${lists.plainPickupVerbs})`);
}

/** Whether the customer, and no courier of this service, moves the goods. */
export function isPickup(cell: string): boolean {
  const words = normaliseWords(cell);
  if (wholePickups.has(words) || saysPickup(words, saysPickupPhrase)) return true;
  // `inStorePickup`, as programs write names.
  return (
    /\p{Ll}\p{Lu}/u.test(cell) &&
    saysPickup(normaliseWords(cell.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')), saysPickupPhrase)
  );
}

/** `Ирээд авна`: in words that mean nothing else. */
export function saysPickupPlainly(words: string): boolean {
  return plainPickupPattern.test(spellPlainly(words));
}

/** Without phrases such as `no pickup` and `pickup by courier`. */
function saysPickup(words: string, saysPhrase: (words: string) => boolean): boolean {
  const spelt = spellPlainly(words);
  const fetchedByCustomer = spelt.replace(notPlainPickups, ' ');
  if (plainPickupPattern.test(spelt)) return plainPickupPattern.test(fetchedByCustomer);
  const says = (text: string) => saysPhrase(text) || pickupPattern.test(text);
  return fetchedByCustomer === spelt && says(words) && says(words.replace(notPickups, ' '));
}

const saysPickupInWords = finderOf(pickups.filter((phrase) => phrase.includes(' ')));
const isFetchedAt = remember((cell): boolean => {
  const words = normaliseWords(cell);
  return pickups.includes(words) || saysPickup(words, saysPickupInWords);
});

/** `Өөрөө авна` instead of an address. One word, such as Retiro, may be a place. */
export function isPickupPlace(cell: string): boolean {
  return (!isPlain(cell) || pickupWord.test(cell)) && isFetchedAt(cell);
}

/** The longest word of each phrase, because most of the many addresses have none of them. */
const pickupWord = new RegExp(
  [...new Set(pickups.filter(isPlain).map(longestWord))]
    .join('|')
    .replaceAll('и', '[ий]')
    .replaceAll('е', '[её]')
    .concat(`|${lists.pickupStems.join('|')}`),
  'i',
);

function longestWord(phrase: string): string {
  return phrase.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest));
}

const plainNote = new RegExp(`^(?:\\S+ ){0,3}(?:${plainPickup})(?: (?:${lists.plainNoteEnds.join('|')}))?$`);
const wholeNote = new RegExp(`^(?:\\S+ ){0,3}(?:${lists.pickupPatterns.join('|')})$`, 'u');

/** Only when the whole note says so. */
export function isPickupNote(words: string): boolean {
  const spelt = spellPlainly(words);
  if (plainNote.test(spelt)) return spelt.replace(notPlainPickups, ' ') === spelt;
  return pickups.includes(words) || wholeNote.test(words);
}
