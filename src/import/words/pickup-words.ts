import { type Issue, issueOf } from '../../orders/issue.ts';
import type { Order } from '../../orders/order.ts';
import { deliveryMethodsOf } from '../../orders/unnamed-fields.ts';
import { finderOf, isPlain, normaliseWords, phrasesOf, remember, spellPlainly } from './phrases.ts';
import lists from './words.json' with { type: 'json' };

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

/** Fields for customers who pick the order up; they must not be sent, even without checks (interface section 1). */
export function findPickup(order: Order): Issue[] {
  return deliveryMethodsOf(order)
    .filter(({ text }) => isPickup(text))
    .map(({ path, text }) => issueOf('pickup_not_deliverable', path, text));
}
