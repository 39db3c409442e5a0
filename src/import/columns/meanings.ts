import { distance } from 'fastest-levenshtein';
import { startsWithDay } from '../../orders/calendar-date.ts';
import type { FieldPath } from '../../orders/field-path.ts';
import { normaliseName, normaliseWords, spellPlainly } from '../../words/phrases.ts';
import { units } from '../words/quantity.ts';
import { isLeftOut, isPaymentVerdict, saysThatOrderEnded, verdict } from '../words/verdict.ts';
import { columnAt, type Header, type NamedColumn } from './header.ts';
import roles from './roles.json' with { type: 'json' };

type NamedMeaning = Exclude<Meaning, 'line' | 'state_or_payment' | 'shipping_or_state'>;

/** What a column can change about an order although no field is filled from it (docs/import.md). */
export type Meaning =
  | 'quantity'
  | 'payment_method'
  | 'payment_status'
  | 'amount_due'
  | 'amount_paid'
  | 'currency'
  | 'state'
  /** Shops write "paid" and "not paid" among the states of an order. */
  | 'state_or_payment'
  | 'shipping_method'
  /** Named for delivery, with states as values. */
  | 'shipping_or_state'
  | 'address'
  | 'date'
  | 'name'
  | 'note'
  /** The size or colour of a product, which its name may lack. */
  | 'variant'
  | 'line';

/** A field that means something by itself, such as a quantity, names it as `means`. */
const namesOfFields = Object.values<{ means?: string; names: readonly string[] }>(roles.fields).flatMap(
  ({ means, names }) => (means === undefined ? [] : [[means, names] as const]),
);

/** Separated by `|`. */
const meaningNames = [...namesOfFields, ...Object.entries(roles.rules)] as [
  NamedMeaning,
  readonly string[],
][];

/** Of columns whose values have a meaning one by one: who pays, by a status before a method, then the state. */
export const valueMeanings: readonly Meaning[] = [
  'payment_status',
  'state_or_payment',
  'payment_method',
  'state',
  'shipping_or_state',
  'shipping_method',
];

/** Whether the values of a column say one by one who pays. */
export function isPaymentMeaning(meaning: Meaning): boolean {
  return valueMeanings.slice(0, 3).includes(meaning);
}

export function isShipping(meaning: Meaning): boolean {
  return meaning === 'shipping_method' || meaning === 'shipping_or_state';
}

export const amountMeanings: readonly Meaning[] = ['amount_due', 'amount_paid'];

/** A value of such a column may change who pays, or whether and when an order is delivered. */
export const decisiveMeanings: readonly Meaning[] = [...valueMeanings, ...amountMeanings, 'currency', 'date'];

/** A column that nothing reads, although it means something. */
export interface UnreadColumn extends NamedColumn {
  meaning: Meaning;
}

/** A column that nothing reads, and what it means where that is known. */
export interface IgnoredColumn extends NamedColumn {
  meaning?: Meaning;
}

export function isUnreadColumn(column: IgnoredColumn): column is UnreadColumn {
  return column.meaning !== undefined;
}

const meaningByName = new Map<string, NamedMeaning>(
  meaningNames.flatMap(([meaning, lines]) =>
    lines.flatMap((line) => line.split('|')).map((name) => [foldName(name), meaning] as const),
  ),
);

/** Mongolian names in one spelling, also of Latin letters: `tulbur` is `төлбөр`. */
const meaningBySpelling = new Map(
  [...meaningByName].flatMap(([name, meaning]) =>
    /[а-яөү]/.test(name) ? [[spellPlainly(name), meaning] as const] : [],
  ),
);

function meaningOfName(name: string): NamedMeaning | undefined {
  const folded = foldName(name);
  return meaningByName.get(folded) ?? meaningBySpelling.get(spellPlainly(folded));
}

/** Longer headers are not taken apart: a text of 1 MiB has very many parts. */
const maxNameLength = 1000;

/** The whole header, else what stands before its unit (`Qty (pcs)`), else one of two languages. */
export function meaningOfHeader(header: string): Meaning | undefined {
  const known = meaningOfName(header);
  if (known !== undefined || header.length > maxNameLength) return known;
  const [outside = ''] = header.replace(/^[\s*#]+/, '').split(/[([{?]/, 1);
  const parts = (outside === '' ? header : outside).split(/[/|\\,;:+]|\s[-–—]\s|\n/);
  const meanings = parts.map(
    (part) => meaningOfName(part) ?? meaningOfPart(part) ?? (saysThatOrderEnded(part) ? 'state' : undefined),
  );
  // A price may be "per piece", so that a unit alone means nothing.
  const isQuantity = (meaning: Meaning | undefined) => meaning === 'quantity';
  if (isQuantity(meanings[0])) return 'quantity';
  const others = meanings.filter((meaning) => meaning !== undefined && !isQuantity(meaning));
  // `Payment / Deposit` joins the names of a header of two rows: the lower one says more.
  return others.at(header.includes(' / ') ? -1 : 0);
}

const persons = new Set(
  'recipient receiver consignee customer buyer client хүлээн авагчийн захиалагчийн харилцагчийн получателя покупателя'.split(
    ' ',
  ),
);

/** `RecipientCity`, `Ilość szt.`: the name without its person or its unit. */
function meaningOfPart(part: string): Meaning | undefined {
  const words = normaliseName(part).split(' ');
  const end = words.length > 1 && units().has(words.at(-1) ?? '') ? -1 : undefined;
  const start = words.findIndex((word) => !persons.has(word));
  const meaning = meaningByName.get(words.slice(Math.max(start, 0), end).join(''));
  return start > 0 && !['address', 'name', 'note'].includes(meaning ?? '') ? undefined : meaning;
}

interface FilledColumn extends NamedColumn {
  path: FieldPath;
}

/** By their headers; a misspelt one counts with values that fit. `columns`: those that fill a field. */
export function findMeanings(
  header: Header,
  indexes: readonly number[],
  columns: readonly FilledColumn[] = [],
): UnreadColumn[] {
  const numbered = new Set(columns.filter(isNumberedLine).map((column) => withoutNumber(column.header)));
  return indexes.flatMap((index): UnreadColumn[] => {
    const column = columnAt(header, index);
    const name = column.header;
    if (/\d/.test(name) && numbered.has(withoutNumber(name))) return [{ ...column, meaning: 'line' }];
    const values = (header.below ?? []).map(({ cells }) => cells[index] ?? '').filter((text) => text !== '');
    const different = [...new Set(values)];
    const meaning = meaningOfHeader(name) ?? meaningOfTypo(name, different);
    return meaning === undefined ? [] : [{ ...column, meaning: meaningWithValues(meaning, different, name) }];
  });
}

/** A column of states may hold payments as well, and one named for delivery may hold states: its values say so. */
export function meaningWithValues(meaning: Meaning, values: readonly string[], header: string): Meaning {
  if (values.length > maxStates) return meaning;
  if (meaning === 'state' && values.some(isOnlyPayment)) return 'state_or_payment';
  const holdsStates =
    meaning === 'shipping_method' &&
    values.some(
      (text) => isStateOfShipping(text, header) || verdict('shipping_or_state', text, header) === 'unclear',
    );
  return holdsStates ? 'shipping_or_state' : meaning;
}

/** Whether a text of a column for the shipping method is a state, and no method. */
export function isStateOfShipping(text: string, header: string): boolean {
  return isState(text) && verdict('shipping_method', text, header) === 'unknown';
}

/** A column of one of several lines that stand side by side, such as `SKU 1`. */
function isNumberedLine({ path, header }: FilledColumn): boolean {
  return path[0] === 'items' && typeof path[1] === 'number' && /\d/.test(header);
}

function withoutNumber(header: string): string {
  return foldName(header.replace(/\d+/, '#'));
}

/** Only when the different values of `count` cells are known, and one changes what is delivered or collected. */
export function meaningOfValues(values: readonly string[], count: number): Meaning | undefined {
  const some = (holds: (text: string) => boolean) => values.some(holds);
  const areKnown = (holds: (text: string) => boolean) => values.every(holds) || repeats(values, count, holds);
  if (values.length === 0) return undefined;
  if (some((text) => verdict('payment_method', text) === 'on_delivery') && areKnown(isPaymentWord))
    return 'payment_method';
  if (values.length > 1 && some((text) => isLeftOut(verdict('state', text))) && areKnown(isState))
    return 'state';
  if (some(isPickup) && values.length <= maxChoices && count >= 2 * values.length) return 'shipping_method';
  return values.every(isCurrency) && some((text) => verdict('currency', text) !== 'mnt')
    ? 'currency'
    : undefined;
}

/** Whether the column is a choice of a few values, at least a third of which are known. */
function repeats(values: readonly string[], count: number, holds: (text: string) => boolean): boolean {
  return (
    values.length <= maxChoices && count > values.length && 3 * values.filter(holds).length >= values.length
  );
}

const minTypoLength = 6;

/** A misspelt header whose values have its meaning. */
function meaningOfTypo(name: string, values: readonly string[]): Meaning | undefined {
  const folded = foldName(name);
  if (folded.length < minTypoLength || values.length === 0) return undefined;
  const limit = folded.length >= 8 ? 2 : 1;
  for (const [known, meaning] of meaningByName) {
    const isNear = Math.abs(known.length - folded.length) <= limit && known.length >= minTypoLength;
    if (isNear && distance(folded, known) <= limit && values.some(valueTests[meaning])) return meaning;
  }
  return undefined;
}

const never = () => false;
const valueTests: Record<NamedMeaning, (text: string) => boolean> = {
  quantity: (text) => /^\d{1,3}$/.test(text) && text !== '1',
  payment_method: isPaymentWord,
  payment_status: isPaymentWord,
  amount_due: never,
  amount_paid: never,
  currency: isCurrency,
  state: isState,
  shipping_method: isPickup,
  address: (text) => /\p{L}/u.test(text) && !isPaymentWord(text) && !isState(text),
  date: startsWithDay,
  name: never,
  note: never,
  variant: never,
};

/** A column of names or notes has more values than a choice of shipping methods. */
const maxChoices = 5;
const maxStates = 20;

function isPaymentWord(text: string): boolean {
  return (
    isPaymentVerdict(verdict('payment_method', text)) ||
    verdict('tick', text) === 'yes' ||
    verdict('tick', text) === 'no'
  );
}

function isState(text: string): boolean {
  const state = verdict('state', text);
  return state === 'deliver' || isLeftOut(state);
}

/** `paid` is a state as well, but without a rule for it the courier would collect what is paid. */
function isOnlyPayment(text: string): boolean {
  const isPayment = verdict('state', text) === 'unknown' && isPaymentVerdict(verdict('payment_method', text));
  return isPayment || verdict('state_or_payment', text) === 'paid';
}

function isPickup(text: string): boolean {
  return verdict('shipping_method', text) === 'pickup';
}

function isCurrency(text: string): boolean {
  return ['mnt', 'other_currency'].includes(verdict('currency', text));
}

function foldName(name: string): string {
  return normaliseWords(name).replaceAll(' ', '');
}

const maxShown = 5;
/** With more different values a column holds names, amounts or notes. */
const maxValues = 50;
const maxValueLength = 200;

export interface CountedValue {
  text: string;
  count: number;
}

export type ValueCounts = ReturnType<typeof createCounts>;

/** The different values of a column, and how often each occurs. Long values that begin alike count as one. */
export function createCounts(counted: readonly CountedValue[] = []) {
  const values = new Map(counted.slice(0, maxValues).map((value) => [value.text, { ...value }]));
  let others = counted.length - values.size;
  const list = (): CountedValue[] => [...values.values()].sort((left, right) => right.count - left.count);
  return {
    get areDates() {
      return [...values.keys()].every(startsWithDay);
    },
    add: (cell: string) => {
      const start = cell.slice(0, maxValueLength + 1);
      const known = values.get(start);
      if (known !== undefined) known.count += 1;
      else if (values.size < maxValues) {
        const text = ownCopy(start);
        values.set(text, { text, count: 1 });
      } else others += 1;
    },
    get isEmpty() {
      return values.size === 0;
    },
    /** Without those that were too long to keep. */
    get whole() {
      return [...values.keys()].filter(({ length }) => length <= maxValueLength);
    },
    /** The most frequent first. */
    list,
    /** `cancelled (12), refunded (3)`, the most frequent first. */
    format: () => {
      const all = list();
      const shown = all.slice(0, maxShown).map(({ text, count }) => `${clip(text)} (${count})`);
      return shown.join(', ') + (all.length > maxShown || others > 0 ? ', ...' : '');
    },
  };
}

/** A slice of a string keeps the whole string in memory. */
export function ownCopy(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

/** At most 40 characters, to show. */
export function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
