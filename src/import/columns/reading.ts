import { type Text, t } from '../../advice/advice.ts';
import { dayWithoutTime, startsWithDay } from '../../orders/calendar-date.ts';
import { dateOrders } from '../choices.ts';
import { readDate } from '../words/dates.ts';
import { readMoney } from '../words/money.ts';
import { isNotOne } from '../words/quantity.ts';
import { isLeftOut, isPaymentVerdict, verdict } from '../words/verdict.ts';
import type { Verdict } from '../words/vocabulary.ts';
import { isTick, type TextKind } from './cell-kinds.ts';
import type { GuessedField, HeaderMatch } from './guess-by-header.ts';
import type { Meaning } from './meanings.ts';
import type { ColumnProfile } from './profile.ts';

/** The share of values that must be those of the field. */
export const minFit = 0.8;

export function speaksForItself(field: GuessedField, profile: ColumnProfile): boolean {
  const { shares, uniqueShare, different, filled } = profile;
  const isOther = shares.phone >= 0.5 || shares.date >= 0.5 || shares.email > 0.2;
  switch (field) {
    case 'customer.phone':
      return shares.certain_phone >= minFit;
    case 'externalOrderId':
      return (
        !isOther &&
        shares.money < 1 &&
        shares.address < 0.5 &&
        filled > 2 &&
        different > 2 &&
        uniqueShare >= 0.98
      );
    case 'items[].quantity:number':
      return areSmallNumbers(profile);
    case 'total':
      return (
        !isOther &&
        holdsAmounts(profile) &&
        shares.words === 0 &&
        shares.round >= 0.5 &&
        !areConsecutive(profile)
      );
    case 'items[].name':
      return !isOther && shares.words >= 0.95 && filled > 1 && shares.place < 0.5 && shares.address < 0.5;
    case 'deliveryAddress.street':
      return shares.address >= minFit;
    default:
      return false;
  }
}

/** Whether its values may be amounts in ₮, which have at least three digits. */
export function holdsAmounts(profile: ColumnProfile | undefined): profile is ColumnProfile {
  if (profile === undefined || profile.isRowNumber) return false;
  const { shares, examples } = profile;
  // `45к` is 45,000, and `0.300` is a weight.
  const isLarge = (text: string) => {
    const amount = readMoney(text);
    return amount === undefined ? /\d{3}/.test(text) : Number(amount) >= 100;
  };
  return shares.money >= 0.95 && shares.certain_phone === 0 && examples.some(isLarge);
}

/** Whole numbers such as quantities, not all of which are 1. */
function areSmallNumbers({ shares, largest, isRowNumber }: ColumnProfile, share = 0.95): boolean {
  return !isRowNumber && shares.count >= share && largest > 1 && largest < 100;
}

/** A value that is the same in more than two orders is neither a customer's phone nor an order ID. */
function isConstant({ different, orders, blankOrders }: ColumnProfile): boolean {
  return different === 1 && orders - blankOrders > 2;
}

/** The numbers of documents: 1001, 1002, 1003. */
function areConsecutive({ samples, isRowNumber }: ColumnProfile): boolean {
  const numbers = samples.map(Number);
  const isNext = (number: number, place: number) => place === 0 || number === (numbers[place - 1] ?? 0) + 1;
  return isRowNumber || (numbers.length > 2 && numbers.every(isNext));
}

/** From 0 to 1. */
export function fitOf(field: GuessedField, profile: ColumnProfile, match: HeaderMatch | undefined): number {
  const { shares, uniqueShare, isRowNumber, different } = profile;
  switch (field) {
    case 'externalOrderId': {
      // The numbers of the rows are order IDs only where the header says so.
      if (isRowNumber && match?.kind !== 'name') return 0;
      const isOther = shares.certain_phone >= minFit && match?.kind !== 'name';
      if (isOther || isConstant(profile)) return 0;
      if (match?.kind !== 'name' && areSmallNumbers(profile) && !areConsecutive(profile)) return 0;
      // The rows of an order may be far apart, but then only the header can say that they are of one order.
      if (uniqueShare < 0.9) return match?.kind === 'name' ? Math.min(shares.id, minFit) : 0;
      return shares.id;
    }
    case 'customer.phone':
      return isConstant(profile) || (different > 2 && shares.round > 0.8) ? 0 : shares.phone;
    case 'customer.externalCustomerId':
      return isConstant(profile) || shares.certain_phone >= minFit ? 0 : shares.id;
    case 'items[].sku':
      if (isRowNumber || shares.email > 0.2 || shares.certain_phone >= minFit) return 0;
      // A shop may sell one product, but then its header must say so.
      return isConstant(profile) && (match === undefined || match.kind === 'weak') ? 0 : shares.sku;
    case 'items[].name':
      return shares.json > 0 ? 0 : shares.words;
    case 'items[].quantity:number':
      return shares.count;
    case 'total':
      return shares.certain_phone >= minFit || areSmallNumbers(profile) ? 0 : shares.money;
    case 'collectionAmount':
      return shares.certain_phone >= minFit ? 0 : shares.money;
    case 'requestedDeliveryDate':
      return shares.date;
    case 'customer.name':
      return shares.email > 0.2 || shares.id > 0.5 ? 0 : shares.words;
    case 'deliveryAddress.postalCode':
      return 1 - shares.email;
    case 'deliveryAddress.street':
      // Only the last word of a header can be a currency; `Total (all)` is not an amount in lek.
      return Math.max(shares.words, shares.count >= minFit ? minFit : 0);
    default:
      return shares.words;
  }
}

const kindOfField: Partial<Record<GuessedField, [TextKind, Text]>> = {
  externalOrderId: ['id', t`IDs`],
  'customer.phone': ['phone', t`phones`],
  'customer.externalCustomerId': ['id', t`IDs`],
  'items[].sku': ['sku', t`SKUs`],
  'items[].quantity:number': ['count', t`quantities`],
  total: ['money', t`amounts`],
  collectionAmount: ['money', t`amounts`],
  requestedDeliveryDate: ['date', t`dates`],
};

export function reasonsOf(
  field: GuessedField,
  { shares, filled, uniqueShare }: ColumnProfile,
  match: HeaderMatch | undefined,
): Text[] {
  const reasons: Text[] = [];
  if (match !== undefined) reasons.push(headerReasons[match.kind]);
  const [kind, words = ''] = kindOfField[field] ?? [];
  if (kind !== undefined) {
    reasons.push(t`${Math.round(shares[kind] * filled)} of ${filled} values look like ${words}`);
  }
  if (field === 'externalOrderId' && uniqueShare === 1) reasons.push(t`no two orders have the same value`);
  return reasons;
}

const headerReasons: Record<HeaderMatch['kind'], Text> = {
  name: t`its header is a name of the field`,
  weak: t`its header may be a name of the field`,
  beside: t`its header is close to a name of the field`,
  near: t`its header is a name of the field, misspelt`,
};

/** What the values of a column may say, whatever its header is. */
type Said =
  /** A word of state, payment or currency that decides about an order. */
  | 'state'
  | 'payment'
  | 'currency'
  /** Any word of these. */
  | 'words'
  /** Ticks in some of the orders. */
  | 'ticks'
  /** A few texts that repeat. */
  | 'choices'
  | 'amounts'
  | 'quantity'
  | 'phone'
  | 'date'
  | 'address'
  /** A city or district. */
  | 'place';

/** With more values a column holds names or notes, in which a word decides nothing. */
const maxWords = 50;
const decisivePayments: ReadonlySet<Verdict> = new Set(['paid', 'partly_paid', 'on_delivery', 'cash']);
const withoutWords: ReadonlySet<Verdict> = new Set(['unknown', 'nothing', 'yes', 'no', 'mnt']);

export function readValues(profile: ColumnProfile): Readonly<Record<Said, boolean>> {
  const { values = [], shares } = profile;
  const texts = values.map(({ text }) => text);
  const words = texts.map((text) => verdict('any', text));
  const isListed = texts.length <= maxWords;
  return {
    state: isListed && words.some(isLeftOut),
    payment: isListed && words.some((word) => decisivePayments.has(word)),
    currency: isListed && texts.some((text) => verdict('currency', text) === 'other_currency'),
    words: words.some((word) => !withoutWords.has(word)),
    ticks: texts.every(isTick) && hasTicksInSome(profile),
    choices: holdsChoices(profile),
    amounts: holdsAmounts(profile) && profile.different > 1,
    quantity: areSmallNumbers(profile, minFit),
    phone: shares.certain_phone >= minFit,
    date: shares.date >= minFit,
    address: shares.address >= 0.5,
    place: shares.place >= 0.5,
  };
}

const maxBlankLength = 20;

/** Also `-` and `n/a`. */
export function isBlank(text: string): boolean {
  if (text === '') return true;
  return text.length <= maxBlankLength && !/\d/.test(text) && verdict('tick', text) === 'nothing';
}

const maxCurrencyLength = 12;

/**
 * What a value would change about an order that is sent without it; undefined when nothing. Without `meaning`, which is
 * that of the header, only a word that decides about an order does.
 */
export function changeBy(
  { meaning, header }: { meaning?: Meaning; header: string },
  text: string,
): string | undefined {
  if (isBlank(text)) return undefined;
  const found = verdict(meaning ?? 'any', text, header);
  switch (meaning) {
    case undefined:
      return isLeftOut(found) ? found : undefined;
    case 'currency':
      return found === 'mnt' ? undefined : text.slice(0, maxCurrencyLength);
    case 'state':
    case 'state_or_payment':
    case 'shipping_or_state':
      if (isLeftOut(found)) return found;
      return found === 'deliver' || found === 'no' || isPaymentVerdict(found) ? undefined : 'marked';
    case 'payment_method':
      return found === 'on_delivery' ? 'on delivery' : undefined;
    case 'payment_status':
      return found === 'paid' ? undefined : 'open';
    case 'amount_due':
    case 'amount_paid':
      return found === 'paid' || found === 'nothing' ? undefined : 'open';
    case 'shipping_method':
      return isLeftOut(found) ? 'pickup' : undefined;
    case 'quantity':
      return isNotOne(text) ? 'several' : undefined;
    case 'name':
    case 'note':
      return undefined;
    default:
      return 'given';
  }
}

/** The values that say yes, among ticks. */
export function tickedValues({ values = [] }: ColumnProfile): ColumnProfile['counted'] {
  return values.filter(({ text }) => text !== '0' && verdict('tick', text) !== 'no');
}

function hasTicksInSome(profile: ColumnProfile): boolean {
  const { values = [], blankOrders } = profile;
  const { length } = tickedValues(profile);
  return length > 0 && (length < values.length || blankOrders > 0);
}

const maxChoices = 6;

function holdsChoices({ values, filled, blankOrders, shares }: ColumnProfile): boolean {
  if (values === undefined) return false;
  const texts = values.map(({ text }) => text);
  if (texts.every(isTick)) return false;
  // A tick or an amount among other texts, such as a deposit of which one says `all`.
  const isMixed = shares.money > 0 && shares.money < minFit && texts.some((text) => /\d{3}/.test(text));
  if (isMixed || texts.some((text) => isTick(text) && !/\d/.test(text))) return true;
  if (texts.every(startsWithDay) || shares.money >= minFit) return false;
  const different = texts.length + Number(blankOrders > 0);
  return different > 1 && texts.length <= maxChoices && filled >= 2 * texts.length;
}

/** Whether most of the days lie after today, in the order of day and month that reads most of them. */
export function areDaysAhead({ examples }: ColumnProfile, today: string): boolean {
  const days = dateOrders.map((order) =>
    examples.flatMap((text) => readDate(dayWithoutTime(text), order, today) ?? []),
  );
  const read = Math.max(...days.map(({ length }) => length));
  return days.some((all) => all.length === read && all.filter((day) => day > today).length * 2 > read);
}
