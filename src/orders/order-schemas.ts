import * as z from 'zod/mini';
import { isCalendarDate } from './calendar-date.ts';
import { decimalShape } from './decimal.ts';
import { formatFieldPath, readField } from './field-path.ts';
import { type Issue, issueOf } from './issue.ts';
import { isDeeperThan, isJsonNumber, isJsonObject, type Json, jsonText } from './json.ts';
import { collectionModes, type Order, statedFields } from './order.ts';
import { brokenRule, type CheckedField, type CheckOptions, maxDepth, type RuleName } from './order-rules.ts';

// The schemas only check: the input is sent unchanged. The message of a zod issue is the name of the broken rule.

/** The first rule that the value breaks. */
function nameIn(field: CheckedField, rules: CheckOptions) {
  return { error: ({ input }: { input?: unknown }) => brokenRule(field, input as Json | undefined, rules) };
}

function kept(field: CheckedField, rules: CheckOptions, more = {}) {
  const isKept = (value: unknown) => brokenRule(field, value as Json | undefined, rules) === undefined;
  return z.refine<unknown>(isKept, { ...nameIn(field, rules), ...more });
}

/** Interface section 2.3. Checked even if other fields are invalid. */
const fittingAmount = (rules: CheckOptions) =>
  kept('order', rules, { path: ['collectionAmount'], when: () => true });

const stated = { today: '', allRules: true };
const text = z.string('text_invalid');
const filledText = text.check(z.regex(/\S/, 'text_blank'));
const money = z.string(nameIn('total', stated)).check(z.regex(decimalShape, nameIn('total', stated)));
const date = z.string('date_invalid').check(z.refine(isCalendarDate, 'date_invalid'));

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
    collectionMode: z.optional(z.enum(collectionModes, nameIn('collectionMode', stated))),
    collectionAmount: z.optional(money),
    total: z.optional(money),
    requestedDeliveryDate: z.optional(date),
    currency: z.optional(z.literal('MNT', 'currency_invalid')),
  })
  .check(fittingAmount(stated));

function fieldSchema(field: CheckedField, rules: CheckOptions) {
  const schema = z.unknown().check(kept(field, rules));
  return brokenRule(field, undefined, rules) === undefined ? z.optional(schema) : schema;
}

/** With the rules of this tool. */
function checkedOrder(rules: CheckOptions) {
  const field = (name: CheckedField) => fieldSchema(name, rules);
  const customer = {
    phone: field('customer.phone'),
    externalCustomerId: field('customer.externalCustomerId'),
  };
  const line = z.object({ sku: field('items[].sku'), quantity: field('items[].quantity') });
  return z
    .object({
      ...statedTexts(rules),
      customer: z
        .object(customer, 'customer_missing')
        .check(kept('customer', rules, { when: ({ value }: { value: Json }) => isJsonObject(value) })),
      items: z.pipe(field('items'), z.array(z.pipe(field('items[]'), line))),
      collectionMode: field('collectionMode'),
    })
    .check(fittingAmount(rules));
}

/** Checked with `--no-checks`, too. */
function statedTexts(rules: CheckOptions) {
  const names = ['externalOrderId', 'collectionAmount', 'total', 'requestedDeliveryDate'] as const;
  return Object.fromEntries(names.map((name) => [name, fieldSchema(name, rules)]));
}

interface BrokenRule {
  rule: RuleName;
  path: (string | number)[];
}

let checked: (CheckOptions & { schema: z.ZodMiniType }) | undefined;

/** All problems of one order, warnings included, in the order of its fields. An order without errors may be sent. */
export function findIssues(order: Order, { today, allRules, isShallow }: CheckOptions): Issue[] {
  if (checked?.today !== today || checked.allRules !== allRules) {
    const rules = { today, allRules };
    checked = { ...rules, schema: allRules ? checkedOrder(rules) : z.object(statedTexts(rules)) };
  }
  const { error } = checked.schema.safeParse(order);
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
