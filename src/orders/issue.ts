import { joinTexts, type Text, t } from '../advice/advice.ts';
import type { ErrorIssue } from '../errors.ts';
import { groupThousands, isDecimal } from './decimal.ts';
import { isJsonNumber, type Json, jsonText, maxJsonDepth } from './json.ts';
import { rangeBeforeRounding } from './phone.ts';

export interface Issue {
  path: string;
  code: IssueCode;
  severity: 'error' | 'warning';
  problem: Text;
  fix: Text;
  value?: string;
}

type Wording = Text | ((value: Json) => Text);

/** A response wraps an order in envelopes, and is itself limited to `maxJsonDepth`. */
export const maxDepth = maxJsonDepth - 20;
const moneyFormat = t`write digits, or digits, a dot and two digits: 25000 or 25000.50`;
const phoneFormat = t`write the number in digits: 99112233 or +976 9911 2233`;
const lineFix = t`an order needs at least one line, and each line at least one field`;
const sentAnyway = t`check it; it is sent as it is`;

const quantity = {
  problem: t`is not a whole number above zero`,
  fix: t`write how many are ordered, in digits: 2; leave the line out when there is nothing to deliver`,
};
export const quantityInvalid = { code: 'quantity_invalid', ...quantity } as const;

const rules = {
  external_order_id_missing: {
    problem: t`is missing`,
    fix: t`give your own order ID, which prevents the order from being created twice`,
  },
  external_order_id_blank: { problem: t`is blank`, fix: t`give your own order ID` },
  external_order_id_invalid: {
    problem: t`contains a control character`,
    fix: t`remove the invisible character from it, or type the ID again`,
  },
  nested_too_deeply: {
    problem: t`makes the order more than ${maxDepth} levels deep`,
    fix: t`send fewer levels`,
  },
  customer_missing: {
    problem: t`the customer is missing`,
    fix: t`give customer.phone or customer.externalCustomerId`,
  },
  phone_not_text: { problem: t`is not text`, fix: phoneFormat },
  phone_invalid: { problem: t`is not a phone number`, fix: phoneFormat },
  phone_damaged: {
    problem: (phone) => describeDamage(jsonText(phone).trim()),
    fix: phoneFormat,
  },
  phone_several: { problem: t`holds more than one phone number`, fix: t`keep one of them` },
  phone_impossible: {
    problem: t`is not a valid phone number`,
    fix: t`${phoneFormat}, or with + and the code of its country`,
  },
  phone_implausible: { problem: t`does not look like a phone number of Mongolia`, fix: sentAnyway },
  text_invalid: {
    problem: t`is not text`,
    fix: (value) =>
      isJsonNumber(value) ? t`write it in quotes: "${String(value)}"` : t`write it as text, in quotes`,
  },
  items_missing: { problem: t`the order has no lines`, fix: lineFix },
  line_empty: { problem: t`the line is empty`, fix: lineFix },
  sku_blank: { problem: t`is blank`, fix: t`give the SKU, or leave it out for a product without one` },
  quantity_invalid: quantity,
  collection_mode_missing: {
    problem: t`it is missing, so the courier would not know whether to collect money`,
    fix: t`set it to NONE (prepaid) or COLLECT`,
  },
  collection_mode_invalid: {
    problem: t`is not a collection mode`,
    fix: t`write NONE (prepaid) or COLLECT, in capitals`,
  },
  collection_amount_required: {
    problem: t`COLLECT needs the amount the courier collects, above zero`,
    fix: t`give the amount, or set collectionMode to NONE when the order is prepaid`,
  },
  collection_amount_not_allowed: {
    problem: t`NONE means prepaid, so there is nothing to collect`,
    fix: t`leave the amount out, or set collectionMode to COLLECT`,
  },
  collection_amount_small: { problem: t`is less than 100 ₮`, fix: sentAnyway },
  decimal_is_number: {
    problem: t`is a JSON number, and money is text`,
    fix: (amount) => t`write it in quotes: "${isDecimal(jsonText(amount)) ? jsonText(amount) : '25000.50'}"`,
  },
  decimal_not_text: { problem: t`is not an amount`, fix: t`write it as text: "25000" or "25000.50"` },
  decimal_invalid: { problem: t`is not an amount in the format of the service`, fix: moneyFormat },
  date_invalid: {
    problem: t`is not a calendar date`,
    fix: t`write a day that exists as YYYY-MM-DD: 2026-11-25`,
  },
  date_past: { problem: t`is in the past`, fix: sentAnyway },
  pickup_not_deliverable: {
    problem: t`says that the customer picks the order up; the service only delivers`,
    fix: t`do not send this order, or correct the field if a courier is to deliver it`,
  },
} satisfies Record<string, { problem: Wording; fix: Wording }>;

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

const warnings: ReadonlySet<string> = new Set(['phone_implausible', 'collection_amount_small', 'date_past']);
/** Issues whose value would not help. */
const withoutValue: ReadonlySet<string> = new Set([
  ...['customer_missing', 'items_missing', 'collection_mode_missing', 'nested_too_deeply'],
]);

/** `value` is undefined when the field is missing. */
export function issueOf(rule: RuleName, path: string, value: Json | undefined): Issue {
  const { [rule]: code = rule as IssueCode }: Partial<Record<RuleName, IssueCode>> = sharedCodes;
  const { problem, fix }: { problem: Wording; fix: Wording } = rules[rule];
  const word = (wording: Wording) => (typeof wording === 'function' ? wording(value as Json) : wording);
  const shown = value === undefined || withoutValue.has(code) ? {} : { value: jsonText(value) };
  const severity = warnings.has(code) ? 'warning' : 'error';
  return { path, code, severity, problem: word(problem), fix: word(fix), ...shown };
}

export function isError(issue: Issue): boolean {
  return issue.severity === 'error';
}

export function toErrorIssue(issue: Issue): ErrorIssue {
  const { path, code, problem, fix, value } = issue;
  return { path, code, message: joinTexts([problem, fix], '; '), ...(value === undefined ? {} : { value }) };
}

function describeDamage(text: string): Text {
  const range = rangeBeforeRounding(text);
  if (range === undefined) return t`a spreadsheet replaced this number`;
  const [from, to] = [range.from, range.to].map(groupThousands);
  return t`a spreadsheet replaced this number; its last digits are gone (it was between ${from ?? ''} and ${to ?? ''})`;
}
