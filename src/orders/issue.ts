import type { ErrorIssue } from '../errors.ts';
import { groupThousands, isDecimal } from './decimal.ts';
import { isJsonNumber, type Json, jsonText, maxJsonDepth } from './json.ts';
import { rangeBeforeRounding } from './phone.ts';

export interface Issue {
  path: string;
  code: IssueCode;
  severity: 'error' | 'warning';
  problem: string;
  fix: string;
  value?: string;
}

type Sentence = string | ((value: Json) => string);

/** A response wraps an order in envelopes, and is itself limited to `maxJsonDepth`. */
export const maxDepth = maxJsonDepth - 20;
export const moneyFormat = 'write digits, or digits, a dot and two digits: 25000 or 25000.50';
const phoneFormat = 'write the number in digits: 99112233 or +976 9911 2233';
const lineFix = 'an order needs at least one line, and each line at least one field';
const sentAnyway = 'check it; it is sent as it is';

const quantity = {
  problem: 'is not a whole number above zero',
  fix: 'write how many are ordered, in digits: 2; leave the line out when there is nothing to deliver',
};
export const quantityInvalid = { code: 'quantity_invalid', ...quantity } as const;

const rules = {
  external_order_id_missing: {
    problem: 'is missing',
    fix: 'give your own order ID, which prevents the order from being created twice',
  },
  external_order_id_blank: { problem: 'is blank', fix: 'give your own order ID' },
  external_order_id_invalid: {
    problem: 'contains a control character',
    fix: 'remove the invisible character from it, or type the ID again',
  },
  nested_too_deeply: {
    problem: `makes the order more than ${maxDepth} levels deep`,
    fix: 'send fewer levels',
  },
  customer_missing: {
    problem: 'the customer is missing',
    fix: 'give customer.phone or customer.externalCustomerId',
  },
  phone_not_text: { problem: 'is not text', fix: phoneFormat },
  phone_invalid: { problem: 'is not a phone number', fix: phoneFormat },
  phone_damaged: {
    problem: (phone) => `a spreadsheet replaced this number${describeRange(jsonText(phone).trim())}`,
    fix: phoneFormat,
  },
  phone_several: { problem: 'holds more than one phone number', fix: 'keep one of them' },
  phone_impossible: {
    problem: 'is not a valid phone number',
    fix: `${phoneFormat}, or with + and the code of its country`,
  },
  phone_implausible: { problem: 'does not look like a phone number of Mongolia', fix: sentAnyway },
  text_invalid: {
    problem: 'is not text',
    fix: (value) => `write it ${isJsonNumber(value) ? `in quotes: "${value}"` : 'as text, in quotes'}`,
  },
  items_missing: { problem: 'the order has no lines', fix: lineFix },
  line_empty: { problem: 'the line is empty', fix: lineFix },
  sku_blank: { problem: 'is blank', fix: 'give the SKU, or leave it out for a product without one' },
  quantity_invalid: quantity,
  collection_mode_missing: {
    problem: 'it is missing, so the courier would not know whether to collect money',
    fix: 'set it to NONE (prepaid) or COLLECT',
  },
  collection_mode_invalid: {
    problem: 'is not a collection mode',
    fix: 'write NONE (prepaid) or COLLECT, in capitals',
  },
  collection_amount_required: {
    problem: 'COLLECT needs the amount the courier collects, above zero',
    fix: 'give the amount, or set collectionMode to NONE when the order is prepaid',
  },
  collection_amount_not_allowed: {
    problem: 'NONE means prepaid, so there is nothing to collect',
    fix: 'leave the amount out, or set collectionMode to COLLECT',
  },
  decimal_is_number: {
    problem: 'is a JSON number, and money is text',
    fix: (amount) => `write it in quotes: "${isDecimal(jsonText(amount)) ? amount : '25000.50'}"`,
  },
  decimal_not_text: { problem: 'is not an amount', fix: 'write it as text: "25000" or "25000.50"' },
  decimal_invalid: { problem: 'is not an amount in the format of the service', fix: moneyFormat },
  date_invalid: {
    problem: 'is not a calendar date',
    fix: 'write a day that exists as YYYY-MM-DD: 2026-11-25',
  },
  date_past: { problem: 'is in the past', fix: sentAnyway },
  pickup_not_deliverable: {
    problem: 'says that the customer picks the order up; the service only delivers',
    fix: 'do not send this order, or correct the field if a courier is to deliver it',
  },
} satisfies Record<string, { problem: Sentence; fix: Sentence }>;

const sharedCodes = {
  phone_not_text: 'phone_invalid',
  phone_several: 'phone_invalid',
  phone_impossible: 'phone_invalid',
  line_empty: 'items_missing',
  decimal_is_number: 'decimal_invalid',
  decimal_not_text: 'decimal_invalid',
} as const;

export type RuleName = keyof typeof rules;
export type IssueCode = Exclude<RuleName, keyof typeof sharedCodes>;

const warnings: ReadonlySet<string> = new Set(['phone_implausible', 'date_past']);
/** Issues whose value would not help. */
const withoutValue: ReadonlySet<string> = new Set([
  ...['customer_missing', 'items_missing', 'collection_mode_missing', 'nested_too_deeply'],
]);

/** `value` is undefined when the field is missing. */
export function issueOf(rule: RuleName, path: string, value: Json | undefined): Issue {
  const { [rule]: code = rule as IssueCode }: Partial<Record<RuleName, IssueCode>> = sharedCodes;
  const { problem, fix }: { problem: Sentence; fix: Sentence } = rules[rule];
  const say = (sentence: Sentence) => (typeof sentence === 'string' ? sentence : sentence(value as Json));
  const shown = value === undefined || withoutValue.has(code) ? {} : { value: jsonText(value) };
  const severity = warnings.has(code) ? 'warning' : 'error';
  return { path, code, severity, problem: say(problem), fix: say(fix), ...shown };
}

export function isError(issue: Issue): boolean {
  return issue.severity === 'error';
}

export function toErrorIssue(issue: Issue): ErrorIssue {
  const { path, code, problem, fix, value } = issue;
  return { path, code, message: `${problem}; ${fix}`, ...(value === undefined ? {} : { value }) };
}

function describeRange(text: string): string {
  const range = rangeBeforeRounding(text);
  if (range === undefined) return '';
  return `; its last digits are gone (it was between ${groupThousands(range.from)} and ${groupThousands(range.to)})`;
}
