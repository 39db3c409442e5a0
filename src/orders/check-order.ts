import { isBefore, isCalendarDate } from './calendar-date.ts';
import { isDecimal, isZeroDecimal } from './decimal.ts';
import { type Issue, maxDepth } from './issue.ts';
import { isDeeperThan, isJsonObject, type Json, type JsonObject, jsonText } from './json.ts';
import type { Order } from './order.ts';
import type { CheckOptions, findIssues } from './order-schemas.ts';
import { isCommonPhone, isPhoneLike, kindOfPhone } from './phone.ts';

let find: typeof findIssues | undefined;

/** Loads zod, which is slow and which ordinary orders do not need. */
export async function loadChecks(): Promise<typeof findIssues> {
  find ??= (await import('./order-schemas.ts')).findIssues;
  return find;
}

/** Undefined if the order needs the schemas and `loadChecks` has not run. */
export function checkOrder(order: Order, options: CheckOptions): Issue[] | undefined {
  return isOrdinary(order, options) ? [] : find?.(order, options);
}

/** Ten times faster than the schemas; true only if they would find nothing. */
export function isOrdinary(order: Order, { today, isShallow }: CheckOptions): boolean {
  const { externalOrderId, customer, items, collectionMode, total, requestedDeliveryDate: date } = order;
  const { collectionAmount: amount = '0' } = order;
  return (
    isFilled(externalOrderId) &&
    !/\p{Cc}/u.test(externalOrderId) &&
    isJsonObject(customer) &&
    isOrdinaryCustomer(customer) &&
    Array.isArray(items) &&
    items.length > 0 &&
    items.every(isOrdinaryLine) &&
    isMoney(amount) &&
    collectionMode === (isZeroDecimal(amount) ? 'NONE' : 'COLLECT') &&
    (total === undefined || isMoney(total)) &&
    (date === undefined || (typeof date === 'string' && isCalendarDate(date) && !isBefore(date, today))) &&
    (isShallow || !isDeeperThan(maxDepth, order))
  );
}

function isOrdinaryCustomer({ phone, externalCustomerId: id }: JsonObject): boolean {
  if (id !== undefined && !isFilled(id)) return false;
  if (typeof phone !== 'string') return phone === undefined && id !== undefined;
  return isCommonPhone(phone) || (isPhoneLike(phone) && kindOfPhone(phone.trim()) === 'mongolian');
}

function isOrdinaryLine(line: Json): boolean {
  if (!isJsonObject(line) || Object.keys(line).length === 0) return false;
  const { sku, quantity } = line;
  return (
    (sku === undefined || isFilled(sku)) && (quantity === undefined || /^[1-9]\d*$/.test(jsonText(quantity)))
  );
}

function isFilled(value: Json | undefined): value is string {
  return typeof value === 'string' && /\S/.test(value);
}

function isMoney(value: Json): value is string {
  return typeof value === 'string' && isDecimal(value);
}
