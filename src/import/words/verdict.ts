import { type Issue, issueOf } from '../../orders/issue.ts';
import type { Order } from '../../orders/order.ts';
import { deliveryMethodsOf } from '../../orders/unnamed-fields.ts';
import { type LeftOutReason, leftOutReasons } from '../choices.ts';
import lists from './words.json' with { type: 'json' };

type Groups<Name extends string> = Readonly<Record<Name, ReadonlySet<string>>>;

/** Phrases in English, Mongolian, Russian and the languages of the shops, normalised. */
const onDelivery = phrases(lists.onDelivery);
/** A wallet, payment of the freight, or payment before delivery: not cash at the door. */
const falseFriends = phrases(lists.falseFriends);
/** Cash, but where it changes hands is not said. */
const cashSomewhere = phrases(lists.cashSomewhere);
/** Methods that do not say whether the order is paid. */
const otherMethods = phrases(lists.otherMethods);
export const pickups: readonly string[] = phrases(lists.pickups);
/** In longer texts they may be about something else: `Takeaway cup`. */
export const wholePickups: readonly string[] = phrases(lists.wholePickups);

/** Whole cells. */
const paymentStates = groups(lists.paymentStates);
/** By the reason why an order is left out. */
const orderStates: Partial<Groups<LeftOutReason>> = groups(lists.orderStates);
const stillToDeliver = new Set(phrases(lists.stillToDeliver));
const totals = new Set(phrases(lists.totals));
const yes = new Set(phrases(lists.yes));
const no = new Set(phrases(lists.no));

function phrases(lines: readonly string[]): string[] {
  return lines.join('|').split('|').map(normaliseWords);
}

function groups<Name extends string>(named: Readonly<Record<Name, string[]>>): Groups<Name> {
  const entries = Object.entries<string[]>(named).map(([name, lines]) => [name, new Set(phrases(lines))]);
  return Object.fromEntries(entries);
}

/** Scripts that are written without spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

const saysFreight = finderOf(phrases(lists.freight));
const isFalseFriend = finderOf(falseFriends);
const saysOnDelivery = finderOf(onDelivery);
const saysPickup = withoutDeliveries(finderOf(pickups));
const saysPickupInWords = withoutDeliveries(finderOf(pickups.filter((phrase) => phrase.includes(' '))));

const maxTotalLength = 24;

/** Whether a whole cell is a word for a total: `Total`, `НИЙТ ДҮН:`. */
export function isTotalWord(cell: string): boolean {
  return cell !== '' && cell.length <= maxTotalLength && !/\d/.test(cell) && totals.has(normaliseWords(cell));
}

export type PaymentMethod = 'on_delivery' | 'cash' | 'other' | 'unknown';

/** Of one method. The parts of a joined one (`Cash on Delivery (COD) + manual`) come one by one. */
export const methodOf = remember((text): PaymentMethod => {
  if (saysFreight(text.replace(/[货貨]到付款/g, ' '))) return 'unknown';
  if (isFalseFriend(text)) return 'other';
  if (saysOnDelivery(text)) return 'on_delivery';
  if (cashSomewhere.includes(text)) return 'cash';
  return otherMethods.includes(text) ? 'other' : 'unknown';
});

export type PaymentState = 'paid' | 'partly_paid' | 'open' | 'unknown';

export const paymentStateOf = remember((text, cell): PaymentState => {
  const state = wholeStateOf(text);
  if (state !== 'unknown') return state;
  if (isYes(cell)) return 'paid';
  return isNo(cell) ? 'open' : stateWithMethod(text.split(' '));
});

function wholeStateOf(text: string): PaymentState {
  if (paymentStates.paid.has(text)) return 'paid';
  if (paymentStates.partlyPaid.has(text)) return 'partly_paid';
  return paymentStates.open.has(text) ? 'open' : 'unknown';
}

const mostWords = Math.max(
  ...[
    ...otherMethods,
    ...cashSomewhere,
    ...Object.values(paymentStates).flatMap((states) => [...states]),
  ].map((phrase) => phrase.split(' ').length),
);

/** `QPay төлсөн`, `Paid (card)`: a state next to a method, and no other word. */
function stateWithMethod(words: readonly string[]): PaymentState {
  if (words.length > 2 * mostWords) return 'unknown';
  for (let end = 1; end < words.length; end += 1) {
    const [before, after] = [words.slice(0, end).join(' '), words.slice(end).join(' ')];
    for (const [state, method] of [
      [wholeStateOf(before), after],
      [wholeStateOf(after), before],
    ] as const) {
      if (state !== 'unknown' && isMethodAhead(method)) return state;
    }
  }
  return 'unknown';
}

function isMethodAhead(text: string): boolean {
  return otherMethods.includes(text) || cashSomewhere.includes(text);
}

/** `yes`, `Тийм`, `✓` */
export function isYes(text: string): boolean {
  return /^[✓✔☑✅🗸]\uFE0F?$/u.test(text.trim()) || yes.has(normaliseWords(text));
}

/** `no`, `Үгүй`, `✗`: what a column of yes and no says when it says nothing. */
export function isNo(text: string): boolean {
  return /^[✗✘❌☐✖]\uFE0F?$/u.test(text.trim()) || no.has(normaliseWords(text));
}

type OrderState = LeftOutReason | 'to_deliver' | 'unknown';

export function isLeftOut(state: OrderState): state is LeftOutReason {
  return state !== 'unknown' && state !== 'to_deliver';
}

export const orderStateOf = remember((text): OrderState => {
  if (stillToDeliver.has(text)) return 'to_deliver';
  return leftOutReasons.find((reason) => orderStates[reason]?.has(text)) ?? 'unknown';
});

/** Whether the customer, and no courier of this service, moves the goods. */
export const isPickup = remember(
  (text, cell): boolean =>
    wholePickups.includes(text) ||
    saysPickup(text) ||
    (/\p{Ll}\p{Lu}/u.test(cell) && saysPickup(wordsInName(cell))),
);

/** `inStorePickup`, as programs write names. */
function wordsInName(name: string): string {
  return normaliseWords(name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
}

/** `Өөрөө авна`: the customer fetches the goods. One word, such as Retiro, may be a place. */
export function isPickupPlace(cell: string): boolean {
  return (!isPlain(cell) || pickupWord.test(cell)) && saysPickupPlace(cell);
}

const saysPickupPlace = remember((text) => pickups.includes(text) || saysPickupInWords(text));
/** The longest word of each phrase, because most of the many addresses have none of them. */
const pickupWord = new RegExp(
  [...new Set(pickups.filter(isPlain).map(longestWord))]
    .join('|')
    .replaceAll('и', '[ий]')
    .replaceAll('е', '[её]'),
  'i',
);

function longestWord(phrase: string): string {
  return phrase.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest));
}

export const isPickupNote = remember((text): boolean => pickups.includes(text));

/** Whether a note says that the courier collects: the whole of it, or with an amount. */
export const isOnDeliveryNote = remember((text): boolean =>
  onDelivery.includes(text.replace(/(?<![\d ])[\d ]+(?:mnt|төг|төгрөг)?$/, '').trim()),
);

const noText = new Set(['none', 'nan', 'null', 'n a']);

const mntNames = new Set(['mnt', 'төг', 'төгрөг', 'tugrik', 'tugrug', '496'].map(normaliseWords));

export function isMnt(text: string): boolean {
  return text.trim() === '₮' || mntNames.has(normaliseWords(text));
}

/** Blank, `-`, `N/A`, `null`. */
export function isNothing(text: string): boolean {
  return /^[-–—.…_/\s]*$/.test(text) || noText.has(normaliseWords(text));
}

/** A column of states says this when the order has none: blank, no, or zero. */
export function isNoState(text: string): boolean {
  return isNo(text) || isNothing(text) || /^0+(?:[.,]0+)?$/.test(text);
}

/** Finds the phrases in a normalised text: as whole words, or anywhere in a script without spaces. */
function finderOf(all: readonly string[]): (text: string) => boolean {
  const inside = all.filter((phrase) => unspaced.test(phrase));
  const words = new RegExp(`(?:^| )(?:${all.join('|')})(?: |$)`);
  const parts = inside.length === 0 ? undefined : new RegExp(inside.join('|'));
  return (text) => words.test(text) || parts?.test(text) === true;
}

/** The same, without phrases such as `no pickup` and `pickup by courier`. */
function withoutDeliveries(says: (text: string) => boolean): (text: string) => boolean {
  const deliveries = new RegExp(`(?<!\\S)(?:${phrases(lists.notPickups).join('|')})(?!\\S)`, 'g');
  return (text) => says(text) && says(text.replace(deliveries, ' '));
}

const maxRemembered = 1000;
const maxRememberedLength = 200;

/** Cells of these columns repeat, so a few results serve a whole file. */
function remember<Result>(find: (normalised: string, text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const earlier = known.get(text);
    if (earlier !== undefined) return earlier;
    const result = find(normaliseWords(text), text);
    if (known.size < maxRemembered && text.length <= maxRememberedLength) known.set(text, result);
    return result;
  };
}

/** Text for comparison: without case, accents and punctuation, with one space between words. */
export function normaliseWords(text: string): string {
  if (isPlain(text)) return normalisePlain(text);
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase()
    .replace(/ı/g, 'i')
    .replace(/ł/g, 'l')
    .replace(/[^\p{L}\p{M}\p{N}&]+/gu, ' ')
    .trim();
}

/** Whether a text has no other letters than those of most cells. */
function isPlain(text: string): boolean {
  return /^[ -~А-ЯЁа-яёӨөҮү]*$/.test(text);
}

/** Without the slow rules for every script: NFKD changes only й and ё of these letters. */
function normalisePlain(text: string): string {
  return text
    .toLowerCase()
    .replace(/й/g, 'и')
    .replace(/ё/g, 'е')
    .replace(/[^a-z0-9а-яөү&]+/g, ' ')
    .trim();
}

/** Fields for customers who pick the order up; they must not be sent, even without checks (interface section 1). */
export function findPickup(order: Order): Issue[] {
  return deliveryMethodsOf(order)
    .filter(({ text }) => isPickup(text))
    .map(({ path, text }) => issueOf('pickup_not_deliverable', path, text));
}
