import { isBefore, isCalendarDate } from './calendar-date.ts';
import { groupThousands } from './decimal.ts';
import { error, type Issue } from './issue.ts';
import { isJsonNumber, isJsonObject, type Json, type JsonObject, jsonText, member } from './json.ts';
import { checkCollection, checkMoney } from './money.ts';
import { moneyFields, type Order, orderLines } from './order.ts';
import { maxJsonDepth } from './parse-json.ts';
import {
  isCommonPhone,
  isPhoneLike,
  isScientificNotation,
  kindOfPhone,
  rangeBeforeRounding,
} from './phone.ts';

export interface CheckOptions {
  /** Today where the user is, `YYYY-MM-DD`. */
  today: string;
  /** False keeps only the rules for the external order ID, and that money and dates are text. */
  allRules: boolean;
  /** No value of the order can be JSON of any depth. */
  isShallow?: boolean;
}

/** All problems of one order, warnings included. An order without errors may be sent. */
export function checkOrder(order: Order, { today, allRules, isShallow }: CheckOptions): Issue[] {
  const issues: Issue[] = [];
  const add = (issue: Issue | undefined) => {
    if (issue !== undefined) issues.push(issue);
  };
  add(checkExternalOrderId(order));
  if (!isShallow && isDeeperThan(maxDepth, order)) issues.push(...findDepth(order));
  if (allRules) {
    add(checkCustomer(order));
    add(checkCustomerId(order));
    checkLines(order, add);
    add(checkCollection(order));
  }
  for (const field of moneyFields) add(checkMoney(order, field, !allRules));
  add(allRules ? checkDate(order, today) : checkDateIsText(order));
  return issues;
}

function checkExternalOrderId(order: Order): Issue | undefined {
  const path = 'externalOrderId';
  const value = member(order, path);
  if (value === undefined) {
    const fix = 'give your own order ID, which prevents the order from being created twice';
    return error(path, 'external_order_id_missing', 'is missing', fix);
  }
  if (typeof value !== 'string') return notText(path, value);
  const id = value.trim();
  if (id === '') return error(path, 'external_order_id_blank', 'is blank', 'give your own order ID', value);
  // Results and rejects are written without them, so that the ID would be another one there.
  if (!/(?![\t-\r])\p{Cc}/u.test(id)) return undefined;
  const fix = 'remove the invisible character from it, or type the ID again';
  return error(path, 'external_order_id_invalid', 'contains a control character', fix, value);
}

/** Levels of an order. A response holds it inside envelopes, and no response is read beyond its own depth. */
const maxDepth = maxJsonDepth - 20;

function findDepth(order: Order): Issue[] {
  const problem = `makes the order more than ${maxDepth} levels deep`;
  return Object.keys(order)
    .filter((path) => isDeeperThan(maxDepth - 1, order[path] as Json))
    .map((path) => error(path, 'nested_too_deeply', problem, 'send fewer levels'));
}

function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return false;
  if (levels === 0) return true;
  // Without a list of the members, which takes longer than all of this. An array has its items as members.
  for (const key in value) {
    const child = (value as JsonObject)[key] as Json;
    if (typeof child === 'object' && isDeeperThan(levels - 1, child)) return true;
  }
  return false;
}

function checkCustomerId(order: Order): Issue | undefined {
  const value = member(member(order, 'customer'), 'externalCustomerId');
  return value === undefined || typeof value === 'string'
    ? undefined
    : notText('customer.externalCustomerId', value);
}

function checkLines(order: Order, add: (issue: Issue | undefined) => void): void {
  const lines = orderLines(order);
  const fix = 'an order needs at least one line, and each line at least one field';
  if (lines.length === 0) add(error('items', 'items_missing', 'the order has no lines', fix));
  for (const [index, line] of lines.entries()) {
    const path = `items[${index}]`;
    if (!isJsonObject(line) || Object.keys(line).length === 0) {
      add(error(path, 'items_missing', 'the line is empty', fix));
      continue;
    }
    add(checkSku(path, member(line, 'sku')));
    add(checkQuantity(path, member(line, 'quantity')));
  }
}

const wholeNumber = /^[1-9]\d*(?:\.0+)?$/;
const anyNumber = /^\s*[+-]?[.,]?\d[\d.,]*\s*$/;

/** The interface does not name the field, so that a value that is no number may be meant. */
function checkQuantity(line: string, quantity: Json | undefined): Issue | undefined {
  const isNumber = typeof quantity === 'string' ? anyNumber.test(quantity) : isJsonNumber(quantity);
  if (quantity === undefined || !isNumber || wholeNumber.test(jsonText(quantity))) return undefined;
  return { ...quantityInvalid, path: `${line}.quantity`, severity: 'error', value: jsonText(quantity) };
}

export const quantityInvalid: Pick<Issue, 'problem' | 'fix'> & { code: 'quantity_invalid' } = {
  code: 'quantity_invalid',
  problem: 'is not a whole number above zero',
  fix: 'write how many are ordered, in digits: 2; leave the line out when there is nothing to deliver',
};

function checkSku(line: string, sku: Json | undefined): Issue | undefined {
  if (sku === undefined || (typeof sku === 'string' && sku.trim() !== '')) return undefined;
  const path = `${line}.sku`;
  const fix = 'give the SKU, or leave it out for a product without one';
  return typeof sku === 'string' ? error(path, 'sku_blank', 'is blank', fix, sku) : notText(path, sku);
}

function checkDateIsText(order: Order): Issue | undefined {
  const value = member(order, 'requestedDeliveryDate');
  return value === undefined || typeof value === 'string' ? undefined : dateInvalid(value);
}

function checkDate(order: Order, today: string): Issue | undefined {
  const path = 'requestedDeliveryDate';
  const value = member(order, path);
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !isCalendarDate(value)) return dateInvalid(value);
  if (!isBefore(value, today)) return undefined;
  const past = error(path, 'date_past', 'is in the past', 'check it; it is sent as it is', value);
  return { ...past, severity: 'warning' };
}

function dateInvalid(value: Json): Issue {
  const fix = 'write a day that exists as YYYY-MM-DD: 2026-11-25';
  return error('requestedDeliveryDate', 'date_invalid', 'is not a calendar date', fix, value);
}

function notText(path: string, value: Json): Issue {
  const fix = isJsonNumber(value)
    ? `write it in quotes: "${jsonText(value)}"`
    : 'write it as text, in quotes';
  return error(path, 'text_invalid', 'is not text', fix, value);
}

const path = 'customer.phone';
const exampleFix = 'write the number in digits: 99112233 or +976 9911 2233';

/** A phone or an external customer ID identifies the customer (interface section 4.1). */
function checkCustomer(order: Order): Issue | undefined {
  const customer = member(order, 'customer');
  const phone = member(customer, 'phone');
  if (isBlank(phone) && isBlank(member(customer, 'externalCustomerId'))) {
    const fix = 'give customer.phone or customer.externalCustomerId';
    return error('customer', 'customer_missing', 'the customer is missing', fix);
  }
  return phone === undefined ? undefined : checkPhone(phone);
}

function checkPhone(phone: Json): Issue | undefined {
  const invalid = (problem: string, fix: string) => error(path, 'phone_invalid', problem, fix, phone);
  if (typeof phone !== 'string') return invalid('is not text', exampleFix);
  if (isCommonPhone(phone)) return undefined;
  if (isScientificNotation(phone.trim())) {
    const problem = `a spreadsheet replaced this number${describeRange(phone.trim())}`;
    return error(path, 'phone_damaged', problem, exampleFix, phone);
  }
  if (!isPhoneLike(phone)) return invalid('is not a phone number', exampleFix);
  switch (kindOfPhone(phone.trim())) {
    case 'mongolian':
      return undefined;
    case 'several':
      return invalid('holds more than one phone number', 'keep one of them');
    case 'impossible':
      return invalid(
        'is not a possible phone number',
        `${exampleFix}, or with + and the code of its country`,
      );
    case 'possible': {
      const problem = 'does not look like a phone number of Mongolia';
      const implausible = error(path, 'phone_implausible', problem, 'check it; it is sent as it is', phone);
      return { ...implausible, severity: 'warning' };
    }
  }
}

function describeRange(text: string): string {
  const range = rangeBeforeRounding(text);
  if (range === undefined) return '';
  return `; its last digits are gone (it was between ${groupThousands(range.from)} and ${groupThousands(range.to)})`;
}

function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
