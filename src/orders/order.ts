import { isJsonObject, type Json, type JsonObject, member, writeJson } from './json.ts';
/**
 * An order as it is sent or was received: the named fields of interface section 2.2 and any other,
 * which are passed through unchanged. Its shape is what the checks look at, so nothing is promised here.
 */
export type Order = JsonObject;

export const collectionModes = ['NONE', 'COLLECT'] as const;

/** The fields that the interface names, in the order in which they are written. */
export const statedFields = [
  'externalOrderId',
  'customer',
  'items',
  'collectionMode',
  'collectionAmount',
  'total',
  'requestedDeliveryDate',
] as const;

/** The fields that hold money: decimal strings (interface section 2.4). */
export const moneyFields = ['collectionAmount', 'total'] as const;

/** Field of an order when it is text, else undefined. */
export function textField(order: Json | undefined, key: string): string | undefined {
  const value = member(order, key);
  return typeof value === 'string' ? value : undefined;
}

/** The lines of an order; empty when there are none. */
export function orderLines(order: Order): Json[] {
  const items = member(order, 'items');
  return Array.isArray(items) ? items : [];
}

/** The order with its phone trimmed; everything else is sent as it was given. */
export function tidyOrder(order: Order): Order {
  const customer = member(order, 'customer');
  const phone = textField(customer, 'phone');
  if (!isJsonObject(customer) || phone === undefined || phone === phone.trim()) return order;
  return { ...order, customer: { ...customer, phone: phone.trim() } };
}

const writtenFirst = new Map<string, number>(
  [...statedFields, 'phone', 'externalCustomerId', 'sku'].map((field, index) => [field, index]),
);

/**
 * The exact body bytes of a create, as text: named fields first in a fixed order, then every other key by
 * code unit, at every depth. One order gives one body whatever the order of columns, the machine or the locale.
 */
export function writeOrderBody(order: Order): string {
  return writeJson(order, orderedKeys);
}

function orderedKeys(object: JsonObject): string[] {
  return Object.keys(object).sort(byRankThenCodeUnit);
}

function byRankThenCodeUnit(left: string, right: string): number {
  const rank = (writtenFirst.get(left) ?? writtenFirst.size) - (writtenFirst.get(right) ?? writtenFirst.size);
  if (rank !== 0) return rank;
  return left < right ? -1 : left > right ? 1 : 0;
}
