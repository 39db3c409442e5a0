import { type Issue, issueOf } from '../../orders/issue.ts';
import type { Order } from '../../orders/order.ts';
import { deliveryMethodsOf } from '../../orders/unnamed-fields.ts';
import { type LeftOutReason, leftOutReasons } from '../choices.ts';
import {
  classifier,
  finderOf,
  isPlain,
  normaliseWords,
  phrasesOf,
  remember,
  spellPlainly,
} from './phrases.ts';
import lists from './words.json' with { type: 'json' };

/** What the text of a cell says. */
export type Verdict =
  | 'paid'
  | 'partly_paid'
  | 'open'
  /** Words that people use for both: asked about, with the likelier one first. */
  | 'perhaps_paid'
  | 'perhaps_open'
  | 'on_delivery'
  /** Cash, but where it changes hands is not said. */
  | 'cash'
  /** A method that does not say whether the order is paid. */
  | 'other_method'
  /** The order is still to be delivered. */
  | 'deliver'
  | LeftOutReason
  | 'mnt'
  | 'other_currency'
  | 'total'
  | 'yes'
  | 'no'
  | 'nothing'
  | 'unknown';

/** What a column is about: words count only in columns that are about them. */
export type WordMeaning =
  | 'payment_status'
  | 'payment_method'
  | 'amount_due'
  | 'amount_paid'
  | 'state'
  /** Shops write "paid" and "not paid" among the states of an order. */
  | 'state_or_payment'
  | 'shipping_method'
  /** A column named for delivery that holds states. */
  | 'shipping_or_state'
  | 'currency'
  | 'address'
  | 'note'
  /** The first cell of a row that may sum up the others. */
  | 'total'
  /** Yes and no; what they say is in the header. */
  | 'tick'
  /** A column whose meaning is not known: whatever would change an order. */
  | 'any'
  /** No words decide in these. */
  | 'quantity'
  | 'date'
  | 'name'
  | 'line';

/** A date or a number is a tick in some columns. */
type Reading = Verdict | 'date' | 'number';

/** Of a longer text only the beginning is read, and never as a whole. */
const maxLength = 1000;

/** `header` says what a tick or a date means: `Y` in a column `COD`, a date in `Cancelled at`. */
export function verdict(meaning: WordMeaning, text: string, header = ''): Verdict {
  const reading = readings[meaning](text.length > maxLength ? `${text.slice(0, maxLength)} …x` : text);
  if (reading === 'number') return 'yes';
  if (reading !== 'yes' && reading !== 'no' && reading !== 'date') return reading;
  const named = header === '' ? undefined : verdictsOfHeader(header)[meaning];
  // A day on which it is to be delivered says nothing about today.
  const isPlanned = reading === 'date' && named?.yes === 'deliver';
  if (named !== undefined && !isPlanned) return reading === 'no' ? named.no : named.yes;
  switch (meaning) {
    case 'payment_status':
      return reading === 'no' ? 'open' : 'paid';
    case 'tick':
      return reading === 'date' ? 'unknown' : reading;
    default:
      return reading === 'date' ? 'yes' : reading;
  }
}

export function isLeftOut(found: Verdict): found is LeftOutReason {
  return (leftOutReasons as readonly Verdict[]).includes(found);
}

export function isPaymentVerdict(found: Verdict): boolean {
  return paymentVerdicts.has(found);
}

const paymentVerdicts: ReadonlySet<Verdict> = new Set([
  'paid',
  'partly_paid',
  'open',
  'perhaps_paid',
  'perhaps_open',
  'on_delivery',
  'cash',
  'other_method',
]);

export const decisions = ['collect', 'prepaid', 'deliver', 'leave_out'] as const;
export type Decision = (typeof decisions)[number];

/** Without `isCertain` a decision is only the first choice of a question; without a decision there is none. */
export interface Choice {
  decision?: Decision;
  isCertain: boolean;
}

/** `hasOtherPayment`: another column says who pays as well. */
export function decisionOf(found: Verdict, meaning: WordMeaning, hasOtherPayment = false): Choice {
  const isState = !isPaymentOnly(meaning);
  switch (found) {
    case 'paid':
      return certain('prepaid');
    case 'on_delivery':
      return certain('collect');
    case 'cash':
    case 'perhaps_open':
      return likely('collect');
    case 'perhaps_paid':
      return likely('prepaid');
    case 'open':
      return hasOtherPayment && meaning !== 'payment_method' ? certain('deliver') : likely('collect');
    case 'other_method':
      return hasOtherPayment ? undecided : likely('prepaid');
    case 'deliver':
      return meaning === 'state_or_payment' && !hasOtherPayment ? undecided : certain('deliver');
    case 'yes':
      return meaning === 'state' || meaning === 'state_or_payment' ? likely('leave_out') : undecided;
    case 'no':
      return meaning === 'state' ? certain('deliver') : undecided;
    case 'nothing':
      return isState ? certain('deliver') : undecided;
    case 'unknown':
      return meaning === 'shipping_method' ? certain('deliver') : undecided;
    default:
      if (!isLeftOut(found)) return undecided;
      return isState ? certain('leave_out') : likely('leave_out');
  }
}

const undecided: Choice = { isCertain: false };
const certain = (decision: Decision): Choice => ({ decision, isCertain: true });
const likely = (decision: Decision): Choice => ({ decision, isCertain: false });

function isPaymentOnly(meaning: WordMeaning): boolean {
  return ['payment_status', 'payment_method', 'amount_due', 'amount_paid'].includes(meaning);
}

/** Whether a decision about all other texts of a column includes one with this verdict. */
export function isIncluded(found: Verdict, decision: Decision): boolean {
  if (['no', 'nothing', 'perhaps_paid', 'perhaps_open'].includes(found)) return false;
  if (decision === 'leave_out') return true;
  if (isLeftOut(found)) return false;
  switch (decision) {
    case 'collect':
      return found !== 'paid';
    case 'prepaid':
      return !['open', 'partly_paid', 'on_delivery', 'cash'].includes(found);
    case 'deliver':
      return found !== 'on_delivery' && found !== 'cash';
  }
}

type Names<Name extends string> = Partial<Record<Name, readonly string[]>>;

/** Whole cells, by what they say; those in Mongolian in any spelling. */
function wordsOf<Name extends string>(named: Names<Name>): (text: string) => Name | undefined {
  const exact = new Map<string, Name>();
  const plain = new Map<string, Name>();
  for (const [name, lines] of Object.entries(named) as [Name, readonly string[]][]) {
    for (const phrase of phrasesOf(lines)) {
      if (!exact.has(phrase)) exact.set(phrase, name);
      const spelt = spellPlainly(phrase);
      if (/[а-яөү]/.test(phrase) && !plain.has(spelt)) plain.set(spelt, name);
    }
  }
  return (text) => exact.get(text) ?? plain.get(spellPlainly(text));
}

const tickOf = wordsOf({ yes: lists.yes, no: lists.no });
const paymentStateOf = wordsOf(lists.paymentStates);
const orderStateOf = wordsOf<LeftOutReason | 'deliver'>(lists.orderStates);
/** Payment words that shops write for an order that is to be delivered. */
const isPaidState = new Set(phrasesOf(lists.paidStates));
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

function methodOf(text: string): Verdict {
  if (saysFreight(text.replace(/[货貨]到付款/g, ' '))) return 'unknown';
  if (isFalseFriend(text)) return 'other_method';
  if (saysOnDelivery(text) || wholeOnDelivery.has(text)) return atDoor(text);
  return methodNames(text) ?? 'unknown';
}

type Classes<Lists> = keyof Lists & string;
const paymentClasses = classifier<Classes<typeof lists.paymentClasses>>(lists.paymentClasses);

/** `QPay төлсөн`, `not paid yet`, `Үлдэгдлээ хүргэлт дээр төлнө`: only when every word is understood. */
function paymentInWords(words: string, column: 'status' | 'method'): Verdict {
  const found = paymentClasses(words, (word) => {
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

function paymentOf(text: string, column: 'status' | 'method'): Verdict {
  const words = normaliseWords(text);
  const found = paymentStateOf(words) ?? paymentInWords(normaliseWords(withoutNumbers(text)), column);
  if (found !== 'unknown') return found;
  const state = orderStateOf(words) ?? 'unknown';
  return statesOfPayments.has(state) ? state : 'unknown';
}

const stateClasses = classifier<Classes<typeof lists.stateClasses>>(lists.stateClasses);
const stateFillers = new RegExp(`(?<!\\S)(?:${phrasesOf(lists.stateFillers).join('|')})(?!\\S)`, 'g');

function stateOf(words: string): Verdict {
  const found = orderStateOf(words);
  if (found !== undefined) return found;
  const shorter = words.replace(stateFillers, ' ').replace(/ +/g, ' ').trim();
  const without = shorter === words ? undefined : orderStateOf(shorter);
  if (without !== undefined) return without;
  const [first = '', ...rest] = words.split(' ');
  const isNegated = stateClasses(first)?.has('not') === true;
  if (isNegated && orderStateOf(rest.join(' ')) === 'fulfilled') return 'deliver';
  return stateInWords(words);
}

/** `Handed to the courier`, `хүргэгчид өгөөгүй`: only when every word is understood. */
function stateInWords(words: string): Verdict {
  const found = stateClasses(words);
  if (found === undefined) return 'unknown';
  const isGiven = found.has('given') && (found.has('courier') || found.has('round') || found.has('handing'));
  const isReceived = found.has('given') && found.has('receiving');
  const isSent = found.has('sent') || isGiven || isReceived || (found.has('ongoing') && found.size === 2);
  const isAhead = found.has('unsent') || found.has('future') || found.has('waiting') || found.has('not');
  if (isAhead)
    return found.has('unsent') || found.has('future') || found.has('courier') ? 'deliver' : 'unknown';
  return isSent ? 'fulfilled' : 'unknown';
}

function firstOf(...found: (() => Reading)[]): Reading {
  for (const find of found) {
    const reading = find();
    if (reading !== 'unknown') return reading;
  }
  return 'unknown';
}

/** Of a whole cell: blank, a tick, a date or a number. */
function markOf(text: string): Reading {
  if (isNothing(text)) return 'nothing';
  if (/^[✓✔☑✅🗸]\uFE0F?$/u.test(text.trim())) return 'yes';
  if (/^[✗✘❌☐✖]\uFE0F?$/u.test(text.trim())) return 'no';
  if (isDate(text)) return 'date';
  if (/^0+(?:[.,]0+)?$/.test(text)) return 'no';
  return tickOf(normaliseWords(text)) ?? 'unknown';
}

const noText = new Set(phrasesOf(lists.nothing));
const longestNothing = 40;

/** Blank, `-`, `N/A`, `null`. */
function isNothing(text: string): boolean {
  if (text.length > longestNothing) return false;
  return /^[-–—.…_/\s]*$/.test(text) || noText.has(normaliseWords(text));
}

function isDate(text: string): boolean {
  return /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/.test(text);
}

function readState(text: string): Reading {
  const words = normaliseWords(text);
  const found = isPaidState.has(words) ? 'deliver' : stateOf(words);
  return firstOf(
    () => found,
    () => markOf(text),
    () => (plainPickupPattern.test(spellPlainly(words)) ? 'pickup' : 'unknown'),
    () => (/^\d/.test(text) ? 'number' : 'unknown'),
  );
}

function readStateOrPayment(text: string): Reading {
  const words = normaliseWords(text);
  if (isPaidState.has(words)) return 'paid';
  const state = readState(text);
  return state === 'unknown' ? readMethod(text) : state;
}

function readStatus(text: string): Reading {
  const words = normaliseWords(text);
  return firstOf(
    () => paymentStateOf(words) ?? 'unknown',
    () => (methodOf(words) === 'on_delivery' ? 'on_delivery' : 'unknown'),
    () => paymentOf(text, 'status'),
    () => markOf(text),
    () => methodOf(words),
  );
}

function readMethod(text: string): Reading {
  const words = normaliseWords(text);
  return firstOf(
    () => methodOf(words),
    () => paymentOf(text, 'method'),
    () => markOf(text),
  );
}

function readAmountDue(text: string): Reading {
  if (/^0+(?:[.,]0+)?\s?₮?$/.test(text)) return 'paid';
  return firstOf(
    () => methodOf(normaliseWords(text)),
    () => (isNothing(text) ? 'nothing' : 'open'),
  );
}

function readShipping(text: string): Reading {
  if (isPickup(text)) return 'pickup';
  return firstOf(
    () => shippingIn(normaliseWords(text)),
    () => tickOfShipping(text),
  );
}

/** A number is a fee. */
function tickOfShipping(text: string): Reading {
  return /^\d/.test(text) && !isDate(text) ? 'unknown' : markOf(text);
}

function readShippingOrState(text: string): Reading {
  if (isPickup(text)) return 'pickup';
  return firstOf(
    () => stateOf(normaliseWords(text)),
    () => shippingIn(normaliseWords(text)),
    () => tickOfShipping(text),
  );
}

function readAny(text: string): Reading {
  const words = normaliseWords(text);
  const state = stateOf(words);
  if (isLeftOut(state)) return state;
  if (isPickup(text)) return 'pickup';
  return firstOf(
    () => readMethod(text),
    () => state,
  );
}

const shippingOf = wordsOf<Verdict>(lists.shipping);
const plainDelivery = new RegExp(`^(?:${lists.plainDeliveryPatterns.join('|')})$`);

function shippingIn(words: string): Verdict {
  return shippingOf(words) ?? (plainDelivery.test(spellPlainly(words)) ? 'deliver' : 'unknown');
}

const readings: Readonly<Record<WordMeaning, (text: string) => Reading>> = {
  payment_status: remember(readStatus),
  payment_method: remember(readMethod),
  amount_due: remember(readAmountDue),
  amount_paid: (text) => (isNothing(text) || /^0+(?:[.,]0+)?\s?₮?$/.test(text) ? 'nothing' : 'unknown'),
  state: remember(readState),
  state_or_payment: remember(readStateOrPayment),
  shipping_method: remember(readShipping),
  shipping_or_state: remember(readShippingOrState),
  currency: remember(readCurrency),
  address: readAddress,
  note: remember(readNote),
  total: readTotal,
  tick: markOf,
  any: remember(readAny),
  quantity: markOf,
  date: markOf,
  name: markOf,
  line: markOf,
};

type HeaderVerdicts = Partial<Record<WordMeaning, { yes: Verdict; no: Verdict }>>;

const needsShipping = new Set(phrasesOf(lists.shippingNeeded));
const headerStarts = new Set(phrasesOf(lists.headerStarts));
const headerEnds = new Set(phrasesOf(lists.headerEnds));

/** `Date cancelled`, `Хүргэсэн эсэх` → the words for what a tick confirms. */
function confirmedWords(header: string): string {
  const words = normaliseWords(header.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')).split(' ');
  while (words.length > 1 && headerStarts.has(words[0] ?? '')) words.shift();
  while (words.length > 1 && headerEnds.has(words.at(-1) ?? '')) words.pop();
  return words.join(' ');
}

/** What yes and no say in a column, by its header. */
const verdictsOfHeader = remember((header): HeaderVerdicts => {
  const words = confirmedWords(header);
  if (methodOf(normaliseWords(header)) === 'on_delivery') {
    const atDoor = { yes: 'on_delivery', no: 'paid' } as const;
    const tick = { yes: 'on_delivery', no: 'no' } as const;
    return { payment_status: atDoor, payment_method: atDoor, state_or_payment: atDoor, tick };
  }
  const payment = paymentStateOf(words);
  const state = orderStateOf(words);
  if (isPickup(words)) {
    const named = { yes: 'pickup', no: 'no' } as const;
    const shipping = { yes: 'pickup', no: 'deliver' } as const;
    return { shipping_method: shipping, shipping_or_state: shipping, tick: named };
  }
  if (payment === 'paid' || payment === 'open') {
    const named = { yes: payment, no: payment === 'paid' ? 'open' : 'paid' } as const;
    return { payment_status: named, tick: named };
  }
  if (needsShipping.has(words)) return { tick: { yes: 'deliver', no: 'needs_no_shipping' } };
  if (state === undefined) return {};
  const named =
    state === 'deliver' ? { yes: state, no: 'unknown' as const } : { yes: state, no: 'no' as const };
  return { state: named, state_or_payment: named, shipping_or_state: named, tick: named };
});

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
function isPickup(cell: string): boolean {
  const words = normaliseWords(cell);
  if (wholePickups.has(words) || saysPickup(words, saysPickupPhrase)) return true;
  // `inStorePickup`, as programs write names.
  return (
    /\p{Ll}\p{Lu}/u.test(cell) &&
    saysPickup(normaliseWords(cell.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')), saysPickupPhrase)
  );
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
const readPlace = remember((cell): Reading => {
  const words = normaliseWords(cell);
  return pickups.includes(words) || saysPickup(words, saysPickupInWords) ? 'pickup' : 'unknown';
});

/** One word, such as Retiro, may be a place. */
function readAddress(cell: string): Reading {
  if (isNothing(cell)) return 'nothing';
  return isPlain(cell) && !pickupWord.test(cell) ? 'unknown' : readPlace(cell);
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

const plainNotePattern = new RegExp(
  `^(?:\\S+ ){0,3}(?:${plainPickup})(?: (?:${lists.plainNoteEnds.join('|')}))?$`,
);
const notePattern = new RegExp(`^(?:\\S+ ){0,3}(?:${lists.pickupPatterns.join('|')})(?: on \\S+| \\S*day)?$`);

/** Only what a note says as a whole. */
function readNote(text: string): Reading {
  if (isNothing(text)) return 'nothing';
  const words = normaliseWords(text);
  const spelt = spellPlainly(words);
  const isFetched = plainNotePattern.test(spelt) && !spelt.match(notPlainPickups);
  if (pickups.includes(words) || isFetched || notePattern.test(words)) return 'pickup';
  // The whole of it, or with an amount.
  const before = words.replace(/(?<![\d ])[\d ]+(?:mnt|төг|төгрөг)?$/, '').trim();
  return onDelivery.includes(before) || wholeOnDelivery.has(before) ? 'on_delivery' : 'unknown';
}

const mntNames = new Set(phrasesOf(lists.mnt));
const currencies: ReadonlySet<string> = new Set(lists.currencies);
const isCurrencyName = finderOf(phrasesOf(lists.currencyNames));

function namesCurrency(text: string): boolean {
  return text.length <= longestNothing && !/\d/.test(text) && isCurrencyName(normaliseWords(text));
}

function readCurrency(text: string): Reading {
  if (text.trim() === '₮' || mntNames.has(normaliseWords(text))) return 'mnt';
  if (isNothing(text)) return 'nothing';
  return currencies.has(text) || /^\p{Sc}$/u.test(text) || namesCurrency(text) ? 'other_currency' : 'unknown';
}

const totals = new Set(phrasesOf(lists.totals));
const maxTotalLength = 24;

/** `Total`, `НИЙТ ДҮН:` */
function readTotal(cell: string): Reading {
  const mayBe = cell !== '' && cell.length <= maxTotalLength && !/\d/.test(cell);
  return mayBe && totals.has(normaliseWords(cell)) ? 'total' : 'unknown';
}

/** Fields for customers who pick the order up; they must not be sent, even without checks (interface section 1). */
export function findPickup(order: Order): Issue[] {
  return deliveryMethodsOf(order)
    .filter(({ text }) => verdict('shipping_method', text) === 'pickup')
    .map(({ path, text }) => issueOf('pickup_not_deliverable', path, text));
}
