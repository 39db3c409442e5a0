import { type Text, t } from '../../advice/advice.ts';
import { startsWithDay } from '../../orders/calendar-date.ts';
import { normaliseWords } from '../../words/phrases.ts';
import type { UnreadReason } from '../problem.ts';
import { isNotOne } from '../words/quantity.ts';
import { isLeftOut, isPaymentVerdict, verdict } from '../words/verdict.ts';
import type { Verdict, WordMeaning } from '../words/vocabulary.ts';
import { areTicks, type TextKind } from './cell-kinds.ts';
import type { ColumnProfile } from './profile.ts';
import { areConsecutive, areSmallNumbers, holdsAmounts, isBlank, isConstant, minFit } from './reading.ts';
import lexicon from './roles.json' with { type: 'json' };

/** How a header names a role; `beside`: with words that make it another column, as in "Billing phone". */
export type MatchKind = 'name' | 'weak' | 'beside' | 'near';

/** All that is known about what a column may be; its names are in roles.json. */
interface RoleFacts {
  /** As a question names it. */
  label?: Text;
  /** The key of `columns` in a mapping file that it fills. */
  field?: string;
  /** What joins several columns that fill it. */
  join?: string;
  /** What its values look like, and how that is said. */
  looks?: readonly [TextKind, Text];
  /** How well values fit, from 0 to 1; only such a role is searched for. */
  fits?: (profile: ColumnProfile, match: MatchKind | undefined) => number;
  /** Whether values alone suggest it, whatever the header is. */
  speaks?: (profile: ColumnProfile) => boolean;
  /** A wrong guess would send an order twice, to another customer, or for another amount. */
  isStrict?: true;
  /** A column of its numbers is none of amounts. */
  isNumbered?: true;
  /** Its column may hold phones. */
  mayBePhone?: true;
  /** Its values say one by one who pays, or which orders are to be delivered. */
  decides?: 'payment' | 'state';
  /** What its words are about; without this only ticks count. */
  words?: WordMeaning;
  /** Whether a text shows that a misspelt header means it. */
  isValue?: (text: string) => boolean;
  /** What it says about an order where nothing reads it; null: nothing that a courier needs. */
  unread?: UnreadReason | null;
  /** What a value changes about an order that is sent without it, else that one is given. */
  change?: (found: Verdict, text: string) => string | undefined;
  /** A row with text in it, which nothing reads, is an order of its own and does not continue the one above. */
  begins?: true;
  /** All rows of an order must say the same. */
  agrees?: true;
  /** The role as which it is asked about. */
  askedAs?: 'payment_method' | 'state' | 'product';
}

const [ids, phones, amounts, quantities] = [t`IDs`, t`phones`, t`amounts`, t`quantities`];
const whoPays = { decides: 'payment', agrees: true } as const;
const whichOrders = { decides: 'state', unread: 'state' } as const;

/** In the order of the questions. */
const table = {
  order_id: {
    label: t`the order ID`,
    field: 'externalOrderId',
    looks: ['id', ids],
    isStrict: true,
    isNumbered: true,
    mayBePhone: true,
    fits: fitOfOrderId,
    speaks: ({ shares, filled, different, uniqueShare }) =>
      !isOther(shares) &&
      shares.money < 1 &&
      shares.address < 0.5 &&
      filled > 2 &&
      different > 2 &&
      uniqueShare >= 0.98,
  },
  phone: {
    label: t`the customer’s phone`,
    field: 'customer.phone',
    looks: ['phone', phones],
    isStrict: true,
    isNumbered: true,
    mayBePhone: true,
    fits: (profile) => {
      const { shares, different } = profile;
      return isConstant(profile) || (different > 2 && shares.round > 0.8) ? 0 : shares.phone;
    },
    speaks: ({ shares }) => shares.certain_phone >= minFit,
  },
  customer_id: {
    label: t`the customer ID`,
    field: 'customer.externalCustomerId',
    looks: ['id', ids],
    isStrict: true,
    isNumbered: true,
    mayBePhone: true,
    fits: (profile) => (isConstant(profile) || arePhones(profile) ? 0 : profile.shares.id),
  },
  name: {
    label: t`the customer’s name`,
    field: 'customer.name',
    join: ' ',
    mayBePhone: true,
    fits: ({ shares }) => (shares.email > 0.2 || shares.id > 0.5 ? 0 : shares.words),
    unread: null,
    change: () => undefined,
    begins: true,
  },
  sku: {
    label: t`the SKU`,
    field: 'items[].sku',
    looks: ['sku', t`SKUs`],
    isStrict: true,
    isNumbered: true,
    fits: (profile, match) => {
      const { shares, isRowNumber } = profile;
      if (isRowNumber || shares.email > 0.2 || arePhones(profile)) return 0;
      // A shop may sell one product, but then its header must say so.
      return isConstant(profile) && (match === undefined || match === 'weak') ? 0 : shares.sku;
    },
  },
  product: {
    label: t`the name of the product`,
    field: 'items[].name',
    join: ' ',
    fits: ({ shares }) => (shares.json > 0 ? 0 : shares.words),
    speaks: ({ shares, filled }) =>
      !isOther(shares) && shares.words >= 0.95 && filled > 1 && shares.place < 0.5 && shares.address < 0.5,
  },
  lines: { label: t`the lines of an order`, field: 'items' },
  quantity: {
    label: t`the quantity`,
    field: 'items[].quantity:number',
    looks: ['count', quantities],
    isStrict: true,
    fits: ({ shares }) => shares.count,
    speaks: (profile) => areSmallNumbers(profile),
    isValue: (text) => /^\d{1,3}$/.test(text) && text !== '1',
    unread: 'quantity',
    change: (_, text) => (isNotOne(text) ? 'several' : undefined),
  },
  ended_quantity: {
    label: t`pieces that are not delivered: cancelled or returned`,
    looks: ['count', quantities],
  },
  total: {
    label: t`the total of the order`,
    field: 'total',
    looks: ['money', amounts],
    isStrict: true,
    fits: (profile) => (arePhones(profile) || areSmallNumbers(profile) ? 0 : profile.shares.money),
    speaks: (profile) => {
      const { shares } = profile;
      const areAmounts = holdsAmounts(profile) && shares.words === 0 && shares.round >= 0.5;
      return !isOther(shares) && areAmounts && !areConsecutive(profile);
    },
  },
  amount_due: {
    label: t`the amount to collect`,
    field: 'collectionAmount',
    looks: ['money', amounts],
    isStrict: true,
    fits: (profile) => (arePhones(profile) ? 0 : profile.shares.money),
    words: 'amount_due',
    unread: 'payment',
    change: changeOfAmount,
    begins: true,
    agrees: true,
  },
  amount_paid: {
    label: t`what is paid already`,
    looks: ['money', amounts],
    words: 'amount_paid',
    unread: 'payment',
    change: changeOfAmount,
  },
  collection_mode: { label: t`who pays at the door (NONE or COLLECT)`, field: 'collectionMode' },
  payment_status: {
    ...whoPays,
    words: 'payment_status',
    isValue: isPaymentWord,
    unread: 'payment',
    change: (found) => (found === 'paid' ? undefined : 'open'),
    begins: true,
    askedAs: 'payment_method',
  },
  /** Shops write "paid" and "not paid" among the states of an order. */
  state_or_payment: { ...whoPays, words: 'state_or_payment', unread: 'state', change: changeOfState },
  payment_method: {
    ...whoPays,
    label: t`who pays (each value is asked about)`,
    words: 'payment_method',
    isValue: isPaymentWord,
    unread: 'payment',
    change: (found) => (found === 'on_delivery' ? 'on delivery' : undefined),
  },
  state: {
    ...whichOrders,
    label: t`which orders are delivered (each value is asked about)`,
    words: 'state',
    isValue: isState,
    change: changeOfState,
  },
  /** Named for delivery, with states as values. */
  shipping_or_state: { ...whichOrders, words: 'shipping_or_state', change: changeOfState, agrees: true },
  shipping_method: {
    ...whichOrders,
    words: 'shipping_method',
    isValue: (text) => verdict('shipping_method', text) === 'pickup',
    change: (found) => (isLeftOut(found) ? 'pickup' : undefined),
    agrees: true,
    askedAs: 'state',
  },
  currency: {
    words: 'currency',
    isValue: (text) => ['mnt', 'other_currency'].includes(verdict('currency', text)),
    unread: 'currency',
    change: (found, text) => (found === 'mnt' ? undefined : text.slice(0, maxCurrencyLength)),
    agrees: true,
  },
  date: {
    label: t`the delivery date`,
    field: 'requestedDeliveryDate',
    looks: ['date', t`dates`],
    isStrict: true,
    fits: ({ shares }) => shares.date,
    isValue: startsWithDay,
    unread: 'date',
    begins: true,
  },
  street: {
    label: t`the street`,
    field: 'deliveryAddress.street',
    // Only the last word of a header can be a currency; `Total (all)` is not an amount in lek.
    fits: ({ shares }) => Math.max(shares.words, shares.count >= minFit ? minFit : 0),
    speaks: ({ shares }) => shares.address >= minFit,
  },
  city: { label: t`the city`, field: 'deliveryAddress.city', fits: shareOfWords },
  district: { label: t`the district`, field: 'deliveryAddress.district', fits: shareOfWords },
  province: { label: t`the province`, field: 'deliveryAddress.province', fits: shareOfWords },
  postal_code: {
    label: t`the postal code`,
    field: 'deliveryAddress.postalCode',
    isNumbered: true,
    fits: ({ shares }) => 1 - shares.email,
  },
  country: { label: t`the country`, field: 'deliveryAddress.country', fits: shareOfWords },
  /** Any part of one; which, its header says. */
  address: {
    label: t`the address, or a part of it`,
    field: 'deliveryAddress.street',
    join: ', ',
    words: 'address',
    isValue: (text) => /\p{L}/u.test(text) && !isPaymentWord(text) && !isState(text),
    unread: 'address',
    begins: true,
  },
  note: {
    label: t`the note for the courier`,
    field: 'deliveryAddress.note',
    join: ', ',
    fits: shareOfWords,
    words: 'note',
    unread: null,
    change: () => undefined,
  },
  /** The size or colour of a product, which its name may lack. */
  variant: { unread: null, askedAs: 'product' },
  /** One of several lines that stand side by side. */
  line: { unread: 'line' },
  /** Amounts beside a total. */
  goods: {},
  delivery: {},
  tax: {},
  discount: {},
  /** `№`: its numbers count something else than pieces. */
  rank: {},
  /** Certainly something else, whatever its values look like. */
  other: {},
} satisfies Record<string, RoleFacts>;

/** What a column may be. */
export type Role = keyof typeof table;

export const roles: Readonly<Record<Role, RoleFacts>> = table;
export const allRoles = Object.keys(table) as Role[];

/** In many languages. Case, accents and punctuation do not matter; `|` separates names. */
interface RoleNames {
  /** Usual ones in English and Mongolian, and those of Shopify and WooCommerce: they fill the field without a question. */
  aliases?: readonly string[];
  /** Those that can mean nothing else. `@name` stands for a list of that name, or the names of a role. */
  names?: readonly string[];
  /** Those that other columns have as well. */
  weak?: readonly string[];
  /** Words beside a name that change nothing. */
  besides?: readonly string[];
  /** Names of columns that look like the role and hold something near it. */
  rivals?: readonly string[];
  /** Words beside a name that turn it into another column. */
  others?: readonly string[];
  /** Words of the header of an address that name this part of it. */
  parts?: readonly string[];
  /** Words with which the column never has the role, whatever its values look like. */
  never?: readonly string[];
}

export const namesOf: Readonly<Partial<Record<Role, RoleNames>>> = lexicon.roles;

const lists: Readonly<Record<string, readonly string[]>> = lexicon.lists;

/** The names and words of a list. */
export function listed(list: keyof typeof lexicon.lists): string[] {
  return namesIn(lists[list] ?? []);
}

export function namesIn(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split('|'))
    .flatMap((name) => (name.startsWith('@') ? namesAt(name.slice(1)) : normaliseWords(name)))
    .filter((name) => name !== '');
}

function namesAt(name: string): string[] {
  return namesIn(lists[name] ?? namesOf[name as Role]?.names ?? []);
}

/** The field as a mapping file names it → its role; undefined for fields that are not searched for. */
export function roleOfField(field: string): Role | undefined {
  return allRoles.find((role) => roles[role].field === field);
}

function shareOfWords({ shares }: ColumnProfile): number {
  return shares.words;
}

/** From 0 to 1. */
export function fitOf(role: Role, profile: ColumnProfile, match?: MatchKind): number {
  return roles[role].fits?.(profile, match) ?? 0;
}

export function isShipping(role: Role): boolean {
  return role === 'shipping_method' || role === 'shipping_or_state';
}

/** Whether it says who pays, value by value or by an amount. */
export function isAboutPayment(role: Role): boolean {
  return roles[role].decides === 'payment' || roles[role].unread === 'payment';
}

/** Whether a value may change who pays, or whether and when an order is delivered. */
export function isDecisive(role: Role): boolean {
  return ['state', 'payment', 'currency', 'date'].includes(roles[role].unread ?? '');
}

/** Of numbers and days, which are no words: where words stand, the header meant something else. */
export function isOfNumbers(role: Role): boolean {
  return ['count', 'money', 'date'].includes(roles[role].looks?.[0] ?? '');
}

export function wordsOf(role: Role): WordMeaning {
  return roles[role].words ?? 'mark';
}

/** What a text says in a column, by what the column is. */
export function verdictIn({ role, header }: { role: Role; header: string }, text: string): Verdict {
  return verdict(wordsOf(role), text, header);
}

/**
 * What a value would change about an order that is sent without it; undefined when nothing. Without a role, which is
 * that of the header, only a word that decides about an order does.
 */
export function changeBy(
  { role, header }: { role?: Role; header: string },
  text: string,
): string | undefined {
  if (isBlank(text)) return undefined;
  if (role === undefined) {
    const found = verdict('any', text, header);
    return isLeftOut(found) ? found : undefined;
  }
  const { change } = roles[role];
  return change === undefined ? 'given' : change(verdictIn({ role, header }, text), text);
}

const maxCurrencyLength = 12;

function changeOfState(found: Verdict): string | undefined {
  if (isLeftOut(found)) return found;
  return found === 'deliver' || found === 'no' || isPaymentVerdict(found) ? undefined : 'marked';
}

function changeOfAmount(found: Verdict): string | undefined {
  return found === 'paid' || found === 'nothing' ? undefined : 'open';
}

function isPaymentWord(text: string): boolean {
  return isPaymentVerdict(verdict('payment_method', text)) || ['yes', 'no'].includes(verdict('tick', text));
}

function isState(text: string): boolean {
  const state = verdict('state', text);
  return state === 'deliver' || isLeftOut(state);
}

function isOther({ phone, date, email }: ColumnProfile['shares']): boolean {
  return phone >= 0.5 || date >= 0.5 || email > 0.2;
}

function arePhones({ shares }: ColumnProfile): boolean {
  return shares.certain_phone >= minFit;
}

const maxListed = 20;

/** With fewer of them a column holds something else. */
const minShares: Partial<Record<TextKind, number>> = { money: 0.3, count: 0.5 };

/** Whether a person may say that a column of unknown texts has the role. */
export function mayHold(role: Role, { values, shares }: ColumnProfile): boolean {
  const { decides, looks } = roles[role];
  if (looks?.[0] === 'money' && shares.certain_phone >= 0.3) return false;
  if (looks !== undefined) return shares[looks[0]] >= (minShares[looks[0]] ?? minFit);
  if (decides === undefined) return shares.words > 0 || role === 'address' || role === 'note';
  // So few that each can be decided about.
  if (values === undefined || values.length > maxListed) return false;
  return areTicks(values.map(({ text }) => text)) || (shares.money < minFit && shares.date < minFit);
}

function fitOfOrderId(profile: ColumnProfile, match: MatchKind | undefined): number {
  const { shares, uniqueShare, isRowNumber } = profile;
  const isNamed = match === 'name';
  // The numbers of the rows are order IDs only where the header says so.
  if (!isNamed && (isRowNumber || arePhones(profile))) return 0;
  if (isConstant(profile)) return 0;
  if (!isNamed && areSmallNumbers(profile) && !areConsecutive(profile)) return 0;
  // The rows of an order may be far apart, but then only the header can say that they are of one order.
  if (uniqueShare < 0.9) return isNamed ? Math.min(shares.id, minFit) : 0;
  return shares.id;
}
