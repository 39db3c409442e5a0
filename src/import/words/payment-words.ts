import { finderOf, once, phrasesOf, spellPlainly, wordsOf } from '../../words/phrases.ts';
import { stateOf } from './delivery-words.ts';
import type { Verdict } from './vocabulary.ts';
import lists from './words.json' with { type: 'json' };

export const paymentStateOf = wordsOf(lists.paymentStates);
const methodNames = wordsOf({ cash: lists.cash, other_method: lists.otherMethods });
const saysPaymentState = finderOf(() => Object.values(lists.paymentStates).flatMap(phrasesOf));

const saysFreight = finderOf(() => phrasesOf(lists.freight));
/** A wallet, payment of the freight, or payment before delivery: not cash at the door. */
const isFalseFriend = finderOf(() => phrasesOf(lists.falseFriends));
const onDelivery = once(() => phrasesOf(lists.onDelivery));
const saysOnDelivery = finderOf(onDelivery);
const onDeliveryPhrases = once(
  () => new RegExp(`(?<![^ \\p{Lo}])(?:${onDelivery().join('|')})(?![^ \\p{Lo}])`, 'gu'),
);
const wholeOnDelivery = wordsOf({ on_delivery: [...lists.onDelivery, lists.courier] });
export const mntNames = once(() => new Set(phrasesOf(lists.mnt)));

/** `Cash on delivery (COD) by card, 45000`: beside the phrases there are only methods and amounts. */
function isOnDelivery(words: string): boolean {
  const rest = words.replace(onDeliveryPhrases(), ' ').trim();
  const isMethod = (word: string) =>
    /^(?:\d{3,})?$/.test(word) || mntNames().has(word) || methodNames(word) !== undefined;
  return methodNames(rest) !== undefined || rest.split(' ').every(isMethod);
}

/** Of one method. The parts of a joined one (`Cash on Delivery + manual`) come one by one. */
export function methodOf(words: string): Verdict {
  if (saysFreight(words.replace(/[货貨]到付款/g, ' '))) return 'unknown';
  if (isFalseFriend(words)) return 'other_method';
  const whole = wholeOnDelivery(words) ?? methodNames(words);
  if (whole !== undefined) return whole;
  if (!saysOnDelivery(words)) return 'unknown';
  return isOnDelivery(words) ? 'on_delivery' : 'unclear';
}

/** `COD (Y/N)` */
export function isHeaderOfCash(words: string): boolean {
  return saysOnDelivery(words) && !isFalseFriend(words);
}

/** The states that a column of payments may hold. */
const statesOfPayments: ReadonlySet<Verdict> = new Set([
  'cancelled',
  'voided',
  'expired',
  'refunded',
  'returned',
]);

export function paymentOf(words: string): Verdict {
  const whole = paymentStateOf(words) ?? stateWithMethod(words.split(' '));
  if (whole !== undefined) return whole;
  const state = stateOf(words);
  if (statesOfPayments.has(state)) return state;
  return perhapsIn(words) ?? (saysPaymentState(words) || state === 'unclear' ? 'unclear' : 'unknown');
}

/** The first or the last word of each state and method, as it is written and in the spelling for all. */
function edgeWords(place: 0 | -1): (word: string | undefined) => boolean {
  const edges = once(
    () =>
      new Set(
        [...Object.values(lists.paymentStates), lists.cash, lists.otherMethods]
          .flatMap(phrasesOf)
          .flatMap((phrase) => [phrase, spellPlainly(phrase)])
          .map((phrase) => phrase.split(' ').at(place)),
      ),
  );
  return (word = '') => edges().has(word) || edges().has(spellPlainly(word));
}

const mayBegin = edgeWords(0);
const mayEnd = edgeWords(-1);

/** More words say more than a state and a method. */
const maxWords = 8;

/** `QPay төлсөн`, `Paid (card)`: a state next to a method, and no other word. */
function stateWithMethod(words: readonly string[]): Verdict | undefined {
  if (words.length > maxWords || !mayBegin(words[0]) || !mayEnd(words.at(-1))) return undefined;
  for (let end = 1; end < words.length; end += 1) {
    const [before, after] = [words.slice(0, end).join(' '), words.slice(end).join(' ')];
    const state = methodNames(after) ? paymentStateOf(before) : undefined;
    const found = state ?? (methodNames(before) ? paymentStateOf(after) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Any form of тооцоотой (something is owed) or тооцоогүй (nothing is owed, or not yet counted) among other words, which
 * are always asked about.
 */
function perhapsIn(words: string): Verdict | undefined {
  const spelt = spellPlainly(words).replace(/gvi|guy/g, 'gui');
  if (!/(?<!\S)tutsu/.test(spelt)) return undefined;
  return /gui/.test(spelt) ? 'perhaps_paid' : 'perhaps_open';
}

/** Whether a note says that the courier collects: the whole of it, or with an amount. */
export function isOnDeliveryNote(words: string): boolean {
  return onDelivery().includes(words.replace(/(?<![\d ])[\d ]+(?:mnt|төг|төгрөг)?$/, '').trim());
}
