import { isDayOrTime } from '../../orders/calendar-date.ts';
import { type Issue, issueOf } from '../../orders/issue.ts';
import type { Order } from '../../orders/order.ts';
import { deliveryMethodsOf } from '../../orders/unnamed-fields.ts';
import {
  finderOf,
  normaliseName,
  normaliseWords,
  once,
  phrasesOf,
  remember,
  wordsOf,
} from '../../words/phrases.ts';
import yesNo from '../../words/yes-no.json' with { type: 'json' };
import { type LeftOutReason, leftOutReasons } from '../choices.ts';
import {
  isPaidState,
  isPickupNote,
  isPickupPlace,
  knownState,
  pickupOf,
  saysPickupPlainly,
  shippingOf,
  stateOf,
} from './delivery-words.ts';
import {
  isHeaderOfCash,
  isOnDeliveryNote,
  methodOf,
  mntNames,
  paymentOf,
  paymentStateOf,
} from './payment-words.ts';
import type { Verdict, WordMeaning } from './vocabulary.ts';
import lists from './words.json' with { type: 'json' };

/** A date or a number is a tick in some columns. */
type Reading = Verdict | 'date' | 'number';

/** Of a longer text only the beginning is read, and never as a whole. */
const maxLength = 1000;

/** `header` says what a tick or a date means: `Y` in a column `COD`, a date in `Cancelled at`. */
export function verdict(meaning: WordMeaning, text: string, header = ''): Verdict {
  const reading = readings[meaning](text.length > maxLength ? `${text.slice(0, maxLength)} …x` : text);
  if (reading === 'unknown') return reading;
  // `paid?` is a question.
  if (/\S\s*\?\s*$/.test(text)) return 'unclear';
  if (reading === 'number') return 'yes';
  if (reading !== 'yes' && reading !== 'no' && reading !== 'date') return reading;
  const named = header === '' ? undefined : verdictsOfHeader(header)[meaning];
  // A day on which it is to be delivered says nothing about today.
  const isPlanned = reading === 'date' && named?.yes === 'deliver';
  if (named !== undefined && !isPlanned) return reading === 'no' ? named.no : named.yes;
  // Without such a header it is a fee.
  if (meaning.startsWith('shipping_') && /^\d$/.test(text)) return 'unknown';
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
  const isState = !isAboutPayment(meaning);
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
      return meaning === 'state_or_payment' && !hasOtherPayment ? likely('deliver') : certain('deliver');
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

export const undecided: Choice = { isCertain: false };
export const certain = (decision: Decision): Choice => ({ decision, isCertain: true });
const likely = (decision: Decision): Choice => ({ decision, isCertain: false });

function isAboutPayment(meaning: WordMeaning): boolean {
  return ['payment_status', 'payment_method', 'amount_due', 'amount_paid'].includes(meaning);
}

/** Whether a decision about all other texts of a column includes one with this verdict. */
export function isIncluded(found: Verdict, decision: Decision): boolean {
  if (['no', 'nothing', 'unclear', 'perhaps_paid', 'perhaps_open'].includes(found)) return false;
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

const tickOf = wordsOf({
  yes: [...yesNo.ticks.yes, ...lists.yes],
  no: [...yesNo.ticks.no, ...lists.no],
});

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
  if (/^[✓✔☑✅🗸√]\uFE0F?$/u.test(text.trim())) return 'yes';
  if (/^[✗✘❌☐✖]\uFE0F?$/u.test(text.trim())) return 'no';
  if (isDayOrTime(text)) return 'date';
  if (/^0+(?:[.,]0+)?$/.test(text)) return 'no';
  return tickOf(normaliseWords(text)) ?? 'unknown';
}

const noText = once(() => new Set(phrasesOf(lists.nothing)));
const guests = once(() => new Set(phrasesOf(lists.guests)));
const longestNothing = 12;
// A literal in a function would be a new object for each cell.
const onlyMarks = /^[-–—.…_/\s]*$/;
const digit = /\d/;

/** Blank, `-`, `N/A`, `null`. */
function isNothing(text: string): boolean {
  if (onlyMarks.test(text)) return true;
  return text.length <= longestNothing && noText().has(normaliseWords(text));
}

function readState(text: string): Reading {
  const words = normaliseWords(text);
  return firstOf(
    () => (isPaidState(words) ? 'deliver' : stateOf(words)),
    () => markOf(text),
    () => (saysPickupPlainly(words) ? 'pickup' : 'unknown'),
    () => (/^\d/.test(text) ? 'number' : 'unknown'),
  );
}

function readStateOrPayment(text: string): Reading {
  if (isPaidState(normaliseWords(text))) return 'paid';
  const state = readState(text);
  return state === 'unknown' || state === 'unclear' ? readMethod(text) : state;
}

function readStatus(text: string): Reading {
  const words = normaliseWords(text);
  const method = methodOf(words);
  return firstOf(
    () => paymentStateOf(words) ?? 'unknown',
    () => (method === 'on_delivery' || method === 'unclear' ? method : 'unknown'),
    () => paymentOf(words),
    () => markOf(text),
    () => method,
  );
}

function readMethod(text: string): Reading {
  const words = normaliseWords(text);
  return firstOf(
    () => methodOf(words),
    () => paymentOf(words),
    () => markOf(text),
  );
}

function isZeroAmount(text: string): boolean {
  return /^0+(?:[.,]0+)?\s?₮?$/.test(text);
}

function readAmountDue(text: string): Reading {
  if (isZeroAmount(text)) return 'paid';
  return firstOf(
    () => methodOf(normaliseWords(text)),
    () => (isNothing(text) ? 'nothing' : 'open'),
  );
}

function readShipping(text: string): Reading {
  return firstOf(
    () => shippingOf(normaliseWords(text)),
    () => pickupOf(text),
    () => tickOfShipping(text),
  );
}

/** A larger number is a fee. */
function tickOfShipping(text: string): Reading {
  return /^\d/.test(text) && !/^[01]$/.test(text) && !isDayOrTime(text) ? 'unknown' : markOf(text);
}

function readShippingOrState(text: string): Reading {
  const state = stateOf(normaliseWords(text));
  const isKnown = state !== 'unknown' && state !== 'unclear';
  return firstOf(
    () => (isKnown ? state : 'unknown'),
    () => readShipping(text),
    () => state,
  );
}

function readAny(text: string): Reading {
  const state = stateOf(normaliseWords(text));
  if (isLeftOut(state)) return state;
  return firstOf(
    () => pickupOf(text),
    () => readMethod(text),
    () => state,
  );
}

const readings: Readonly<Record<WordMeaning, (text: string) => Reading>> = {
  payment_status: remember(readStatus),
  payment_method: remember(readMethod),
  amount_due: remember(readAmountDue),
  amount_paid: (text) => (isNothing(text) || isZeroAmount(text) ? 'nothing' : 'unknown'),
  state: remember(readState),
  state_or_payment: remember(readStateOrPayment),
  shipping_method: remember(readShipping),
  shipping_or_state: remember(readShippingOrState),
  currency: remember(readCurrency),
  address: readAddress,
  customer_id: remember(readCustomerId),
  note: remember(readNote),
  total: readTotal,
  tick: markOf,
  any: remember(readAny),
  mark: markOf,
};

type HeaderVerdicts = Partial<Record<WordMeaning, { yes: Verdict; no: Verdict }>>;

const needsShipping = once(() => new Set(phrasesOf(lists.shippingNeeded)));
const headerStarts = once(() => new Set(phrasesOf(lists.headerStarts)));
const headerEnds = once(() => new Set(phrasesOf(lists.headerEnds)));

/** `Date cancelled`, `Хүргэсэн эсэх` → the words for what a tick confirms. */
function confirmedWords(header: string): string {
  const words = normaliseName(header).split(' ');
  while (words.length > 1 && headerStarts().has(words[0] ?? '')) words.shift();
  while (words.length > 1 && headerEnds().has(words.at(-1) ?? '')) words.pop();
  return words.join(' ');
}

/** `Delivered on`, `Хүргэсэн эсэх`: when, or whether, an order ended. An order may come from a quote of some date. */
export function saysThatOrderEnded(header: string): boolean {
  const words = confirmedWords(header);
  const state = knownState(words);
  if (state === undefined || ['deliver', 'draft', 'test'].includes(state)) return false;
  return words !== normaliseName(header);
}

/** What yes and no say in a column, by its header. */
const verdictsOfHeader = remember((header): HeaderVerdicts => {
  const words = confirmedWords(header);
  if (isHeaderOfCash(normaliseWords(header))) {
    const atDoor = { yes: 'on_delivery', no: 'paid' } as const;
    const tick = { yes: 'on_delivery', no: 'no' } as const;
    return { payment_status: atDoor, payment_method: atDoor, state_or_payment: atDoor, tick };
  }
  const payment = paymentStateOf(words);
  const state = knownState(words);
  if (pickupOf(words) === 'pickup') {
    const named = { yes: 'pickup', no: 'no' } as const;
    const shipping = { yes: 'pickup', no: 'deliver' } as const;
    return { shipping_method: shipping, shipping_or_state: shipping, tick: named };
  }
  if (payment === 'paid' || payment === 'open') {
    const named = { yes: payment, no: payment === 'paid' ? 'open' : 'paid' } as const;
    return { payment_status: named, tick: named };
  }
  if (needsShipping().has(words)) return { tick: { yes: 'deliver', no: 'needs_no_shipping' } };
  if (state === undefined) return {};
  const named =
    state === 'deliver' ? { yes: state, no: 'unknown' as const } : { yes: state, no: 'no' as const };
  return { state: named, state_or_payment: named, shipping_or_state: named, tick: named };
});

function readAddress(text: string): Reading {
  if (isNothing(text)) return 'nothing';
  return isPickupPlace(text) ? 'pickup' : 'unknown';
}

/** Shops write `0` or `guest` for the ID of all who have none. */
function readCustomerId(text: string): Reading {
  const isGuest = isNothing(text) || isZeroAmount(text) || guests().has(normaliseWords(text));
  return isGuest ? 'nothing' : 'unknown';
}

function readNote(text: string): Reading {
  if (isNothing(text)) return 'nothing';
  const words = normaliseWords(text);
  if (isPickupNote(words)) return 'pickup';
  return isOnDeliveryNote(words) ? 'on_delivery' : 'unknown';
}

const currencies = once((): ReadonlySet<string> => new Set(lists.currencies));
const longestCurrency = 40;
const isCurrencyName = finderOf(() => phrasesOf(lists.currencyNames));

function namesCurrency(text: string): boolean {
  return text.length <= longestCurrency && !/\d/.test(text) && isCurrencyName(normaliseWords(text));
}

function readCurrency(text: string): Reading {
  if (text.trim() === '₮' || mntNames().has(normaliseWords(text))) return 'mnt';
  if (isNothing(text)) return 'nothing';
  return currencies().has(text) || /^\p{Sc}$/u.test(text) || namesCurrency(text)
    ? 'other_currency'
    : 'unknown';
}

const totals = once(() => new Set(phrasesOf(lists.totals)));
const maxTotalLength = 24;

/** `Total`, `НИЙТ ДҮН:` */
function readTotal(cell: string): Reading {
  const mayBe = cell !== '' && cell.length <= maxTotalLength && !digit.test(cell);
  return mayBe && totals().has(normaliseWords(cell)) ? 'total' : 'unknown';
}

/** Fields for customers who pick the order up; they must not be sent, even without checks (interface section 1). */
export function findPickup(order: Order): Issue[] {
  return deliveryMethodsOf(order)
    .filter(({ text }) => verdict('shipping_method', text) === 'pickup')
    .map(({ path, text }) => issueOf('pickup_not_deliverable', path, text));
}
