import { distance } from 'fastest-levenshtein';
import type { FieldPath } from '../../orders/field-path.ts';
import { normaliseWords } from '../words/phrases.ts';
import { units } from '../words/quantity.ts';
import { isLeftOut, isPaymentVerdict, verdict } from '../words/verdict.ts';
import { ownCopy } from './guess/column-profile.ts';
import type { Header } from './header.ts';
import names from './meaning-names.json' with { type: 'json' };

export type NamedMeaning = Exclude<Meaning, 'line' | 'state_or_payment' | 'shipping_or_state'>;

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
  | 'line';

/** Product names repeat; names of people rarely do. */
export const meaningNames = Object.fromEntries(
  Object.entries(names).map(([meaning, lines]) => [meaning, lines.join('|')]),
) as Record<NamedMeaning, string>;

export interface UnreadColumn {
  index: number;
  header: string;
  meaning: Meaning;
}

const meaningByName = new Map<string, NamedMeaning>(
  Object.entries(meaningNames).flatMap(([meaning, list]) =>
    list.split('|').map((name) => [foldName(name), meaning as NamedMeaning] as const),
  ),
);

/** Longer headers are not taken apart: a text of 1 MiB has very many parts. */
const maxNameLength = 1000;

/** The whole header, else what stands before its unit (`Qty (pcs)`), else one of two languages. */
export function meaningOfHeader(header: string): Meaning | undefined {
  const known = meaningByName.get(foldName(header));
  if (known !== undefined || header.length > maxNameLength) return known;
  const [outside = ''] = header.replace(/^[\s*#]+/, '').split(/[([{?]/, 1);
  const parts = (outside === '' ? header : outside).split(/[/|\\,;:+]|\s[-–—]\s|\n/);
  const meanings = parts.map((part) => meaningByName.get(foldName(part)) ?? meaningOfPart(part));
  // A price may be "per piece", so that a unit alone means nothing.
  const isQuantity = (meaning: Meaning | undefined) => meaning === 'quantity';
  return isQuantity(meanings[0]) ? 'quantity' : meanings.find((meaning) => meaning && !isQuantity(meaning));
}

const persons = new Set(
  'recipient receiver consignee customer buyer client хүлээн авагчийн захиалагчийн харилцагчийн получателя покупателя'.split(
    ' ',
  ),
);

/** `RecipientCity`, `Ilość szt.`: the name without its person or its unit. */
function meaningOfPart(part: string): Meaning | undefined {
  const words = normaliseWords(part.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')).split(' ');
  const end = words.length > 1 && units.has(words.at(-1) ?? '') ? -1 : undefined;
  const start = words.findIndex((word) => !persons.has(word));
  const meaning = meaningByName.get(words.slice(Math.max(start, 0), end).join(''));
  return start > 0 && !['address', 'name', 'note'].includes(meaning ?? '') ? undefined : meaning;
}

interface FilledColumn {
  header: string;
  path: FieldPath;
}

/** By their headers, or else by the values of their first rows. */
export function findMeanings(
  header: Header,
  indexes: readonly number[],
  columns: readonly FilledColumn[],
): UnreadColumn[] {
  const numbered = new Set(columns.filter(isNumberedLine).map((column) => withoutNumber(column.header)));
  return indexes.flatMap((index) => {
    const name = header.cells[index] ?? '';
    if (/\d/.test(name) && numbered.has(withoutNumber(name)))
      return [{ index, header: name, meaning: 'line' }];
    const values = (header.below ?? []).map(({ cells }) => cells[index] ?? '').filter((text) => text !== '');
    const different = [...new Set(values)];
    const meaning =
      meaningOfHeader(name) ?? meaningOfValues(different, values.length) ?? meaningOfTypo(name, different);
    return meaning === undefined
      ? []
      : { index, header: name, meaning: meaningWithValues(meaning, different, name) };
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

/** With more different values a column holds names, amounts or notes. */
const maxValues = 50;
const maxValueLength = 200;

/** Collects values over the whole file, because a decisive one may first occur far down. */
export function createLaterMeanings({ cells: names }: Pick<Header, 'cells'>, indexes: readonly number[]) {
  const open = new Map(indexes.map((index) => [index, { values: new Set<string>(), count: 0 }]));
  return {
    addRow: (cells: readonly string[]): void => {
      for (const [index, column] of open) {
        const text = cells[index] ?? '';
        if (text === '') continue;
        column.count += 1;
        if (column.values.has(text)) continue;
        if (column.values.size === maxValues || text.length > maxValueLength) open.delete(index);
        else column.values.add(ownCopy(text));
      }
    },
    value: (): UnreadColumn[] =>
      [...open].flatMap(([index, { values, count }]) => {
        const meaning = meaningOfValues([...values], count);
        if (meaning === undefined) return [];
        const header = names[index] ?? '';
        return { index, header, meaning: meaningWithValues(meaning, [...values], header) };
      }),
  };
}

/** A column of one of several lines that stand side by side, such as `SKU 1`. */
function isNumberedLine({ path, header }: FilledColumn): boolean {
  return path[0] === 'items' && typeof path[1] === 'number' && /\d/.test(header);
}

function withoutNumber(header: string): string {
  return foldName(header.replace(/\d+/, '#'));
}

/** Only when the distinct values of `count` cells are known, and one changes what is delivered or collected. */
function meaningOfValues(values: readonly string[], count: number): Meaning | undefined {
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
  date: (text) => /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/.test(text),
  name: never,
  note: never,
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

function isOnlyPayment(text: string): boolean {
  return verdict('state', text) === 'unknown' && isPaymentVerdict(verdict('payment_method', text));
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
