import { type Text, t } from '../advice/advice.ts';
import { isBefore, isCalendarDate } from './calendar-date.ts';
import { groupThousands, isDecimal, isZeroDecimal } from './decimal.ts';
import {
  hasMembers,
  isDeeperThan,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonText,
  maxJsonDepth,
  member,
} from './json.ts';
import { collectionModes, type Order, orderLines } from './order.ts';
import {
  isCommonPhone,
  isPhoneLike,
  isScientificNotation,
  kindOfPhone,
  rangeBeforeRounding,
} from './phone.ts';

type Wording = Text | ((value: Json) => Text);

/** A field of an order, or the whole order. */
export type CheckedField =
  | 'order'
  | 'externalOrderId'
  | 'customer'
  | 'customer.phone'
  | 'customer.externalCustomerId'
  | 'items'
  | 'items[]'
  | 'items[].sku'
  | 'items[].quantity'
  | 'collectionMode'
  | 'collectionAmount'
  | 'total'
  | 'requestedDeliveryDate';

/** What holds of some fields, and what is said where it does not. */
export interface Rule {
  fields?: readonly CheckedField[];
  /** Whether a value, or a field without one, keeps the rule. It keeps those before it. None: checked elsewhere. */
  isKept?(value: Json | undefined, today: string): boolean;
  /** Holds with `--no-checks`, too. */
  isAlways?: true;
  problem: Wording;
  fix: Wording;
  /** The problem is a whole sentence; all others say something of the field. */
  isWhole?: true;
  /** Of several rules with one code. */
  code?: string;
  isWarning?: true;
  /** The value would not help. */
  hidesValue?: true;
}

// A literal in a function would be a new object for each order.
const controlCharacter = /(?![\t-\r])\p{Cc}/u;
const wholeAboveZero = /^[1-9]\d*(?:\.0+)?$/;
const visible = /\S/;

/** A response wraps an order in envelopes, and is itself limited to `maxJsonDepth`. */
export const maxDepth = maxJsonDepth - 20;
const moneyFormat = t`write digits, or digits, a dot and two digits: 25000 or 25000.50`;
const phoneFormat = t`write the number in digits: 99112233 or +976 9911 2233`;
const lineFix = t`an order needs at least one line, and each line at least one field`;
const sentAnyway = t`check it; it is sent as it is`;
const noDate = {
  fields: ['requestedDeliveryDate'],
  problem: t`is not a calendar date`,
  fix: t`write a day that exists as YYYY-MM-DD: 2026-11-25`,
} as const;
const money = ['collectionAmount', 'total'] as const;
const phone = ['customer.phone'] as const;

/** In the order of their checks: of a field only the first that is broken is reported. Optional fields may be missing. */
export const rules = {
  external_order_id_missing: {
    fields: ['externalOrderId'],
    isKept: (id) => id !== undefined,
    isAlways: true,
    problem: t`is missing`,
    fix: t`give your own order ID, which prevents the order from being created twice`,
  },
  text_invalid: {
    fields: ['externalOrderId', 'customer.externalCustomerId', 'items[].sku'],
    isKept: isText,
    isAlways: true,
    problem: t`is not text`,
    fix: (value) =>
      isJsonNumber(value) ? t`write it in quotes: "${String(value)}"` : t`write it as text, in quotes`,
  },
  external_order_id_blank: {
    fields: ['externalOrderId'],
    isKept: isFilled,
    isAlways: true,
    problem: t`is blank`,
    fix: t`give your own order ID`,
  },
  // They are removed from results and rejects files, so the ID would differ there.
  external_order_id_invalid: {
    fields: ['externalOrderId'],
    isKept: (id) => !controlCharacter.test(String(id)),
    isAlways: true,
    problem: t`contains a control character`,
    fix: t`remove the invisible character from it, or type the ID again`,
  },
  nested_too_deeply: {
    problem: t`makes the order more than ${maxDepth} levels deep`,
    fix: t`send fewer levels`,
    hidesValue: true,
  },
  // Interface section 4.1.
  customer_missing: {
    fields: ['customer'],
    isKept: (customer) =>
      !(isBlank(member(customer, 'phone')) && isBlank(member(customer, 'externalCustomerId'))),
    problem: t`the customer is missing`,
    fix: t`give customer.phone or customer.externalCustomerId`,
    isWhole: true,
    hidesValue: true,
  },
  phone_not_text: {
    fields: phone,
    isKept: isText,
    problem: t`is not text`,
    fix: phoneFormat,
    code: 'phone_invalid',
  },
  phone_damaged: {
    fields: phone,
    isKept: (number) => !isScientificNotation(trimmed(number)),
    problem: (number) => describeDamage(jsonText(number).trim()),
    fix: phoneFormat,
    isWhole: true,
  },
  phone_invalid: {
    fields: phone,
    isKept: (number) => number === undefined || isPhoneLike(String(number)),
    problem: t`is not a phone number`,
    fix: phoneFormat,
  },
  phone_several: {
    fields: phone,
    isKept: (number) => kindOf(number) !== 'several',
    problem: t`holds more than one phone number`,
    fix: t`keep one of them`,
    code: 'phone_invalid',
  },
  phone_impossible: {
    fields: phone,
    isKept: (number) => kindOf(number) !== 'impossible',
    problem: t`is not a valid phone number`,
    fix: t`${phoneFormat}, or with + and the code of its country`,
    code: 'phone_invalid',
  },
  phone_implausible: {
    fields: phone,
    isKept: (number) => kindOf(number) === 'mongolian',
    problem: t`does not look like a phone number of Mongolia`,
    fix: sentAnyway,
    isWarning: true,
  },
  items_missing: {
    fields: ['items'],
    isKept: (items) => Array.isArray(items) && items.length > 0,
    problem: t`the order has no lines`,
    fix: lineFix,
    isWhole: true,
    hidesValue: true,
  },
  line_empty: {
    fields: ['items[]'],
    isKept: (line) => isJsonObject(line) && hasMembers(line),
    problem: t`the line is empty`,
    fix: lineFix,
    code: 'items_missing',
    hidesValue: true,
  },
  sku_blank: {
    fields: ['items[].sku'],
    isKept: isFilled,
    problem: t`is blank`,
    fix: t`give the SKU, or leave it out for a product without one`,
  },
  // Not a field of the interface, so a value that is not a number may be intended.
  quantity_invalid: {
    fields: ['items[].quantity'],
    isKept: (quantity) => !isNumber(quantity) || wholeAboveZero.test(jsonText(quantity)),
    problem: t`is not a whole number above zero`,
    fix: t`write how many are ordered, in digits: 2; leave the line out when there is nothing to deliver`,
  },
  collection_mode_missing: {
    fields: ['collectionMode'],
    isKept: (mode) => mode !== undefined && mode !== '',
    problem: t`it is missing, so the courier would not know whether to collect money`,
    fix: t`set it to NONE (prepaid) or COLLECT`,
    isWhole: true,
    hidesValue: true,
  },
  collection_mode_invalid: {
    fields: ['collectionMode'],
    isKept: (mode) => (collectionModes as readonly (Json | undefined)[]).includes(mode),
    problem: t`is not a collection mode`,
    fix: t`write NONE (prepaid) or COLLECT, in capitals`,
  },
  // The interface (section 2.3) compares the two only where the amount is valid.
  collection_amount_required: {
    fields: ['order'],
    isKept: (order) => member(order, 'collectionMode') !== 'COLLECT' || amountToCollect(order) !== 'zero',
    problem: t`COLLECT needs the amount the courier collects, above zero`,
    fix: t`give the amount, or set collectionMode to NONE when the order is prepaid`,
    isWhole: true,
  },
  collection_amount_not_allowed: {
    fields: ['order'],
    isKept: (order) => member(order, 'collectionMode') !== 'NONE' || amountToCollect(order) !== 'above zero',
    problem: t`NONE means prepaid, so there is nothing to collect`,
    fix: t`leave the amount out, or set collectionMode to COLLECT`,
    isWhole: true,
  },
  collection_amount_small: { problem: t`is less than 1,000 ₮`, fix: sentAnyway, isWarning: true },
  decimal_is_number: {
    fields: money,
    isKept: (amount) => !isJsonNumber(amount),
    isAlways: true,
    problem: t`is a JSON number, and money is text`,
    fix: (amount) => t`write it in quotes: "${isDecimal(jsonText(amount)) ? jsonText(amount) : '25000.50'}"`,
    code: 'decimal_invalid',
  },
  decimal_not_text: {
    fields: money,
    isKept: isText,
    isAlways: true,
    problem: t`is not an amount`,
    fix: t`write it as text: "25000" or "25000.50"`,
    code: 'decimal_invalid',
  },
  decimal_invalid: {
    fields: money,
    isKept: (amount) => amount === undefined || isDecimal(String(amount)),
    problem: t`is not an amount in the format of the service`,
    fix: moneyFormat,
  },
  date_not_text: { ...noDate, isKept: isText, isAlways: true, code: 'date_invalid' },
  date_invalid: { ...noDate, isKept: (date) => date === undefined || isCalendarDate(String(date)) },
  date_past: {
    fields: ['requestedDeliveryDate'],
    isKept: (date, today) => date === undefined || !isBefore(String(date), today),
    problem: t`is in the past`,
    fix: sentAnyway,
    isWarning: true,
  },
  pickup_not_deliverable: {
    problem: t`says that the customer picks the order up; the service only delivers`,
    fix: t`do not send this order, or correct the field if a courier is to deliver it`,
  },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;
type CodeOf<Name extends RuleName> = (typeof rules)[Name] extends { code: infer Code } ? Code : Name;
export type IssueCode = { [Name in RuleName]: CodeOf<Name> }[RuleName];

export interface CheckOptions {
  /** Where the user is, `YYYY-MM-DD`. */
  today: string;
  /** With false, only the rules for the external order ID, and that money and dates are text. */
  allRules: boolean;
  /** The order is known to have no deep values. */
  isShallow?: boolean;
}

type FieldRule = Pick<Rule, 'isAlways'> & Required<Pick<Rule, 'isKept'>> & { name: RuleName };

let ofFields: Record<CheckedField, FieldRule[]> | undefined;

function rulesOfFields(): Record<CheckedField, readonly FieldRule[]> {
  if (ofFields !== undefined) return ofFields;
  const found: Partial<Record<CheckedField, FieldRule[]>> = {};
  for (const [name, { fields = [], isKept, isAlways }] of Object.entries<Rule>(rules))
    for (const field of isKept === undefined ? [] : fields)
      found[field] = [...(found[field] ?? []), { name, isKept, isAlways } as FieldRule];
  ofFields = found as Record<CheckedField, FieldRule[]>;
  return ofFields;
}

export function isCheckedField(path: string): path is CheckedField {
  return path in rulesOfFields();
}

/** The first rule of a field that its value breaks. */
export function brokenRule(
  field: CheckedField,
  value: Json | undefined,
  { today, allRules }: CheckOptions,
): RuleName | undefined {
  const broken = ({ isAlways, isKept }: FieldRule) => (allRules || isAlways) && !isKept(value, today);
  return rulesOfFields()[field].find(broken)?.name;
}

/** Several times faster than the schemas; true only if they would find nothing. */
export function isOrdinary(order: Order, { today, isShallow }: CheckOptions): boolean {
  const of = rulesOfFields();
  const { customer } = order;
  const phone = member(customer, 'phone');
  for (const line of orderLines(order)) {
    if (!keeps(of['items[]'], line, today)) return false;
    const { sku, quantity } = line as JsonObject;
    if (!keeps(of['items[].sku'], sku, today) || !keeps(of['items[].quantity'], quantity, today))
      return false;
  }
  return (
    keeps(of.externalOrderId, order.externalOrderId, today) &&
    keeps(of.customer, customer, today) &&
    ((typeof phone === 'string' && isCommonPhone(phone)) || keeps(of['customer.phone'], phone, today)) &&
    keeps(of['customer.externalCustomerId'], member(customer, 'externalCustomerId'), today) &&
    keeps(of.items, order.items, today) &&
    keeps(of.collectionMode, order.collectionMode, today) &&
    keeps(of.collectionAmount, order.collectionAmount, today) &&
    keeps(of.order, order, today) &&
    keeps(of.total, order.total, today) &&
    keeps(of.requestedDeliveryDate, order.requestedDeliveryDate, today) &&
    (isShallow || !isDeeperThan(maxDepth, order))
  );
}

function keeps(rules: readonly FieldRule[], value: Json | undefined, today: string): boolean {
  for (const { isKept } of rules) if (!isKept(value, today)) return false;
  return true;
}

function isText(value: Json | undefined): boolean {
  return value === undefined || typeof value === 'string';
}

function isFilled(text: Json | undefined): boolean {
  return text === undefined || visible.test(String(text));
}

function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function trimmed(phone: Json | undefined): string {
  return String(phone ?? '').trim();
}

function kindOf(phone: Json | undefined) {
  return phone === undefined ? 'mongolian' : kindOfPhone(trimmed(phone));
}

function isNumber(value: Json | undefined): value is Json {
  return typeof value === 'string' ? /^\s*[+-]?[.,]?\d[\d.,]*\s*$/.test(value) : isJsonNumber(value);
}

function amountToCollect(order: Json | undefined): 'zero' | 'above zero' | undefined {
  const amount = member(order, 'collectionAmount') ?? '0';
  if (typeof amount !== 'string' || !isDecimal(amount)) return undefined;
  return isZeroDecimal(amount) ? 'zero' : 'above zero';
}

function describeDamage(text: string): Text {
  const range = rangeBeforeRounding(text);
  if (range === undefined) return t`a spreadsheet replaced this number`;
  const [from, to] = [range.from, range.to].map(groupThousands);
  return t`a spreadsheet replaced this number; its last digits are gone (it was between ${from ?? ''} and ${to ?? ''})`;
}
