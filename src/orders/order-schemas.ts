import * as z from 'zod/mini';
import { isBefore, isCalendarDate } from './calendar-date.ts';
import { decimalShape, isDecimal, isZeroDecimal } from './decimal.ts';
import { formatFieldPath, readField } from './field-path.ts';
import { type Issue, issueOf, maxDepth, type RuleName } from './issue.ts';
import { isDeeperThan, isJsonNumber, isJsonObject, type Json, jsonText } from './json.ts';
import { collectionModes, type Order, statedFields } from './order.ts';
import { isPhoneLike, isScientificNotation, kindOfPhone } from './phone.ts';

// The schemas only check: the input is sent unchanged. The message of a zod issue is the name of the broken rule.

const text = z.string('text_invalid');
const filledText = text.check(z.regex(/\S/, 'text_blank'));
const moneyText = z.string({
  error: ({ input }) => (isJsonNumber(input) ? 'decimal_is_number' : 'decimal_not_text'),
});
const money = moneyText.check(z.regex(decimalShape, 'decimal_invalid'));
const date = z.string('date_invalid').check(z.refine(isCalendarDate, 'date_invalid'));
const collectionMode = z.enum(collectionModes, {
  error: ({ input = '' }) => (input === '' ? 'collection_mode_missing' : 'collection_mode_invalid'),
});

/** Interface section 2.3. Checked even if other fields are invalid, but only for valid amounts. */
function amountOf(mode: string, fits: (amount: string) => boolean, error: RuleName) {
  return z.refine<{ collectionMode?: unknown; collectionAmount?: unknown }>(
    ({ collectionMode, collectionAmount: amount = '0' }) =>
      collectionMode !== mode || typeof amount !== 'string' || !isDecimal(amount) || fits(amount),
    { error, path: ['collectionAmount'], when: () => true },
  );
}
const amountToCollect = amountOf('COLLECT', (amount) => !isZeroDecimal(amount), 'collection_amount_required');
const nothingToCollect = amountOf('NONE', isZeroDecimal, 'collection_amount_not_allowed');

/** zod would take a JsonNumber for an object with fields. */
const withoutClass = z.transform((value: unknown) => (isJsonNumber(value) ? jsonText(value) : value));

const statedCustomer = z
  .object({ phone: z.optional(filledText), externalCustomerId: z.optional(filledText) }, 'customer_invalid')
  .check(
    z.refine(({ phone, externalCustomerId }) => (phone ?? externalCustomerId) !== undefined, {
      error: 'phone_missing',
      path: ['phone'],
    }),
  );
const statedLine = z.object({ sku: z.optional(text) }, 'line_invalid');

/** What the interface states of an order (sections 2.2 to 2.4 and 4.1). */
export const statedOrder = z
  .object({
    externalOrderId: z.optional(filledText),
    customer: z.pipe(withoutClass, statedCustomer),
    items: z.optional(
      z.array(z.pipe(withoutClass, statedLine), 'lines_invalid').check(z.minLength(1, 'lines_invalid')),
    ),
    collectionMode: z.optional(collectionMode),
    collectionAmount: z.optional(money),
    total: z.optional(money),
    requestedDeliveryDate: z.optional(date),
    currency: z.optional(z.literal('MNT', 'currency_invalid')),
  })
  .check(amountToCollect, nothingToCollect);

const externalOrderId = z
  .string({ error: ({ input }) => (input === undefined ? 'external_order_id_missing' : 'text_invalid') })
  .check(
    z.regex(/\S/, 'external_order_id_blank'),
    // Control characters are removed from results and rejects files, so the ID would differ there.
    z.refine((id) => !/(?![\t-\r])\p{Cc}/u.test(id), 'external_order_id_invalid'),
  );

function phoneProblem(phone: string): RuleName | undefined {
  if (isScientificNotation(phone.trim())) return 'phone_damaged';
  if (!isPhoneLike(phone)) return 'phone_invalid';
  const kind = kindOfPhone(phone.trim());
  if (kind === 'mongolian') return undefined;
  return kind === 'possible' ? 'phone_implausible' : `phone_${kind}`;
}

const phone = z.string('phone_not_text').check(
  z.refine((phone) => phoneProblem(phone) === undefined, {
    error: ({ input }) => phoneProblem(input as string),
  }),
);

/** A phone or an external customer ID identifies the customer (interface section 4.1). */
const customer = z
  .object({ phone: z.optional(phone), externalCustomerId: z.optional(text) }, 'customer_missing')
  .check(
    z.refine(({ phone, externalCustomerId }) => !(isBlank(phone) && isBlank(externalCustomerId)), {
      error: 'customer_missing',
      when: ({ value }) => isJsonObject(value as Json),
    }),
  );

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

const wholeNumber = /^[1-9]\d*(?:\.0+)?$/;
const anyNumber = /^\s*[+-]?[.,]?\d[\d.,]*\s*$/;

/** Not a field of the interface, so a value that is not a number may be intended. */
const quantity = z.refine<unknown>((value) => {
  const isNumber = typeof value === 'string' ? anyNumber.test(value) : isJsonNumber(value);
  return !isNumber || wholeNumber.test(jsonText(value as Json));
}, 'quantity_invalid');

const line = z.pipe(
  z.unknown().check(z.refine((line) => isFilledObject(line as Json), 'line_empty')),
  z.object({
    sku: z.optional(text.check(z.regex(/\S/, 'sku_blank'))),
    quantity: z.optional(z.unknown().check(quantity)),
  }),
);

function isFilledObject(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length > 0;
}

/** With the rules of this tool. `today` where the user is, `YYYY-MM-DD`. */
function checkedOrder(today: string) {
  const isPast = (day: string) => isCalendarDate(day) && isBefore(day, today);
  return z
    .object({
      externalOrderId,
      customer,
      items: z.array(line, 'items_missing').check(z.refine(({ length }) => length > 0, 'items_missing')),
      collectionMode,
      collectionAmount: z.optional(money),
      total: z.optional(money),
      requestedDeliveryDate: z.optional(date.check(z.refine((day) => !isPast(day), 'date_past'))),
    })
    .check(amountToCollect, nothingToCollect);
}

/** The rules that apply even with `--no-checks`. */
const identifiedOrder = z.object({
  externalOrderId,
  collectionAmount: z.optional(moneyText),
  total: z.optional(moneyText),
  requestedDeliveryDate: z.optional(z.string('date_invalid')),
});

export interface CheckOptions {
  today: string;
  /** With false, only the rules for the external order ID, and that money and dates are text. */
  allRules: boolean;
  /** The order is known to have no deep values. */
  isShallow?: boolean;
}

interface BrokenRule {
  rule: RuleName;
  path: (string | number)[];
}

let checked: { today: string; schema: ReturnType<typeof checkedOrder> } | undefined;

/** All problems of one order, warnings included, in the order of its fields. An order without errors may be sent. */
export function findIssues(order: Order, { today, allRules, isShallow }: CheckOptions): Issue[] {
  if (checked?.today !== today) checked = { today, schema: checkedOrder(today) };
  const { error } = (allRules ? checked.schema : identifiedOrder).safeParse(order);
  const broken = (error?.issues ?? []).map(({ message, path }) => ({ rule: message, path }) as BrokenRule);
  if (!isShallow && isDeeperThan(maxDepth, order)) broken.push(...tooDeep(order));
  const isMissing = broken.some(({ rule }) => rule === 'customer_missing');
  return broken
    .filter(({ path }) => !(isMissing && path[1] === 'phone'))
    .sort((left, right) => rankOf(left) - rankOf(right))
    .map(({ rule, path }) => issueOf(rule, formatFieldPath(path), readField(order, path)));
}

function tooDeep(order: Order): BrokenRule[] {
  return Object.keys(order)
    .filter((key) => isDeeperThan(maxDepth - 1, order[key] as Json))
    .map((key) => ({ rule: 'nested_too_deeply', path: [key] }));
}

const fieldNames: readonly unknown[] = statedFields;

function rankOf({ rule, path: [field, ...steps] }: BrokenRule): number {
  if (rule === 'nested_too_deeply') return 0.5;
  return fieldNames.indexOf(field) + (steps.length > 0 ? 0.5 : 0);
}
