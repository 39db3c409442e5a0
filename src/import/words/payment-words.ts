import { stateOf } from './delivery-words.ts';
import { classifier, finderOf, normaliseWords, phrasesOf, spellPlainly, wordsOf } from './phrases.ts';
import type { Verdict } from './vocabulary.ts';
import lists from './words.json' with { type: 'json' };

export const paymentStateOf = wordsOf(lists.paymentStates);
/** The states that a column of payments may hold. */
const statesOfPayments: ReadonlySet<Verdict> = new Set([
  'cancelled',
  'voided',
  'expired',
  'refunded',
  'returned',
]);

const saysFreight = finderOf(phrasesOf(lists.freight));
/** A wallet, payment of the freight, or payment before delivery: not cash at the door. */
const isFalseFriend = finderOf(phrasesOf(lists.falseFriends));
const onDelivery = phrasesOf(lists.onDelivery);
const saysOnDelivery = finderOf(onDelivery);
const onDeliveryPhrase = new RegExp(`(?<!\\S)(?:${onDelivery.join('|')})(?!\\S)`);
/** In longer texts they may be about something else: `Takeaway cup`, `Handed to the courier`. */
const wholeOnDelivery = new Set(phrasesOf(lists.wholeOnDelivery));
const methodNames = wordsOf({ cash: lists.cash, other_method: lists.otherMethods });

/** Paid, and to be paid at the door: one of the two is wrong. */
function atDoor(words: string): Verdict {
  const rest = words.replace(onDeliveryPhrase, ' ').trim();
  return rest !== '' && rest.split(' ').some((word) => paymentStateOf(word) === 'paid')
    ? 'unknown'
    : 'on_delivery';
}

export function methodOf(text: string): Verdict {
  if (saysFreight(text.replace(/[货貨]到付款/g, ' '))) return 'unknown';
  if (isFalseFriend(text)) return 'other_method';
  if (saysOnDelivery(text) || wholeOnDelivery.has(text)) return atDoor(text);
  return methodNames(text) ?? 'unknown';
}

const classesOf = classifier<keyof typeof lists.paymentClasses>(lists.paymentClasses);

/** `QPay төлсөн`, `not paid yet`, `Үлдэгдлээ хүргэлт дээр төлнө`: only when every word is understood. */
function paymentInWords(words: string, column: 'status' | 'method'): Verdict {
  const found = classesOf(words, (word) => {
    const method = methodNames(word);
    return method === 'cash' ? 'cash' : method && 'method';
  });
  if (found === undefined) return 'unknown';
  const [hasMethod, isPart] = [found.has('method') || found.has('cash'), found.has('part')];
  const isDone = found.has('done') && (found.has('money') || hasMethod || isPart);
  const isPast = found.has('past') || isDone;
  const isArrival = found.has('arrival') && (found.has('future') || hasMethod);
  const isAtDoor = found.has('door') || isArrival || (found.has('shipping') && found.has('at'));
  if ((found.has('shipping') || found.has('arrival')) && !isAtDoor) return 'unknown';
  const isUnpaid = found.has('unpaid') || found.has('waiting') || (isPast && found.has('not'));
  if (found.has('done') && !isDone) return 'unknown';
  if (isUnpaid) {
    const isMixed = (found.has('unpaid') && isPast) || (found.has('waiting') && found.has('not'));
    return isMixed ? 'unknown' : 'open';
  }
  if (found.has('not')) return 'unknown';
  if (isPast) {
    if (isAtDoor || found.has('future') || found.has('rest')) return 'unknown';
    return isPart ? 'partly_paid' : 'paid';
  }
  if (isPart || found.has('rest')) return 'partly_paid';
  if (isAtDoor) return 'on_delivery';
  // As a method, `Дараа төлье` is a name, and `дансаар шилжүүлнэ` a way to pay.
  if (found.has('future') && column === 'status') return 'open';
  if (!hasMethod) return 'unknown';
  return found.has('cash') ? 'cash' : 'other_method';
}

/** `50% paid` → `half paid`; `Paid 12/11` → `Paid`. */
function withoutNumbers(text: string): string {
  if (!/\d/.test(text)) return text;
  return text
    .replace(/(?<!\d)100\s?(?:%|хувь)/iu, ' whole ')
    .replace(/(?<!\d)\d{1,2}\s?(?:%|хувь)/iu, ' half ')
    .replace(/(?<!\d)\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?(?!\d)/, ' ');
}

const saysPerhapsOpen = finderOf(phrasesOf(lists.paymentStates.perhaps_open).map(spellPlainly));
const saysPerhapsPaid = finderOf(phrasesOf(lists.paymentStates.perhaps_paid).map(spellPlainly));

/** Also among words that are not understood, so that nobody decides about them in passing. */
function perhapsIn(words: string): Verdict | undefined {
  const spelt = spellPlainly(words);
  if (saysPerhapsOpen(spelt)) return 'perhaps_open';
  return saysPerhapsPaid(spelt) ? 'perhaps_paid' : undefined;
}

export function paymentOf(text: string, column: 'status' | 'method'): Verdict {
  const words = normaliseWords(text);
  const found = paymentStateOf(words) ?? paymentInWords(normaliseWords(withoutNumbers(text)), column);
  if (found !== 'unknown') return found;
  const state = stateOf(words);
  return statesOfPayments.has(state) ? state : (perhapsIn(words) ?? 'unknown');
}

/** Whether a note says that the courier collects: the whole of it, or with an amount. */
export function isOnDeliveryNote(words: string): boolean {
  const before = words.replace(/(?<![\d ])[\d ]+(?:mnt|төг|төгрөг)?$/, '').trim();
  return onDelivery.includes(before) || wholeOnDelivery.has(before);
}
