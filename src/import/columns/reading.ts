import { dayWithoutTime, startsWithDay } from '../../orders/calendar-date.ts';
import { dateOrders } from '../choices.ts';
import { readDate } from '../words/dates.ts';
import { readMoney } from '../words/money.ts';
import { isLeftOut, verdict } from '../words/verdict.ts';
import type { Verdict } from '../words/vocabulary.ts';
import { isTick } from './cell-kinds.ts';
import type { ColumnProfile } from './profile.ts';

/** The share of values that must be those of the field. */
export const minFit = 0.8;

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
export function areSmallNumbers({ shares, largest, isRowNumber }: ColumnProfile, share = 0.95): boolean {
  return !isRowNumber && shares.count >= share && largest > 1 && largest < 100;
}

/** A value that is the same in more than two orders is neither a customer's phone nor an order ID. */
export function isConstant({ different, orders, blankOrders }: ColumnProfile): boolean {
  return different === 1 && orders - blankOrders > 2;
}

/** The numbers of documents: 1001, 1002, 1003. */
export function areConsecutive({ samples, isRowNumber }: ColumnProfile): boolean {
  const numbers = samples.map(Number);
  const isNext = (number: number, place: number) => place === 0 || number === (numbers[place - 1] ?? 0) + 1;
  return isRowNumber || (numbers.length > 2 && numbers.every(isNext));
}

/** With more values a column holds names or notes, in which a word decides nothing. */
const maxWords = 50;
const decisivePayments: ReadonlySet<Verdict> = new Set(['paid', 'partly_paid', 'on_delivery', 'cash']);
const withoutWords: ReadonlySet<Verdict> = new Set(['unknown', 'nothing', 'yes', 'no', 'mnt']);

/** What the values of a column may say, whatever its header is. */
export function readValues(profile: ColumnProfile) {
  const { values = [], shares } = profile;
  const texts = values.map(({ text }) => text);
  const words = texts.map((text) => verdict('any', text));
  const isListed = texts.length <= maxWords;
  return {
    // A word that decides about an order.
    state: isListed && words.some(isLeftOut),
    payment: isListed && words.some((word) => decisivePayments.has(word)),
    currency: isListed && texts.some((text) => verdict('currency', text) === 'other_currency'),
    // Any word of these.
    words: words.some((word) => !withoutWords.has(word)),
    ticks: texts.every(isTick) && hasTicksInSome(profile),
    choices: holdsChoices(profile),
    amounts: holdsAmounts(profile) && profile.different > 1,
    quantity: areSmallNumbers(profile, minFit),
    phone: shares.certain_phone >= minFit,
    date: shares.date >= minFit,
    address: shares.address >= 0.5,
    // A city or district.
    place: shares.place >= 0.5,
  };
}

const maxBlankLength = 20;

/** Also `-` and `n/a`. */
export function isBlank(text: string): boolean {
  if (text === '') return true;
  return text.length <= maxBlankLength && !/\d/.test(text) && verdict('tick', text) === 'nothing';
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
