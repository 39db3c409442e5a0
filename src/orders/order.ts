import { isJsonObject, type Json, type JsonObject, member, writeJson } from './json.ts';

/** The fields of interface section 2.2 and any others, which are passed through unchanged. Its shape is not checked. */
export type Order = JsonObject;

export const collectionModes = ['NONE', 'COLLECT'] as const;

/** The fields that the interface names, in the order in which the body has them. */
export const statedFields = [
  'externalOrderId',
  'customer',
  'items',
  'collectionMode',
  'collectionAmount',
  'total',
  'requestedDeliveryDate',
] as const;

/** Decimal strings (interface section 2.4). */
export const moneyFields = ['collectionAmount', 'total'] as const;

export function textField(order: Json | undefined, key: string): string | undefined {
  const value = member(order, key);
  return typeof value === 'string' ? value : undefined;
}

export function phoneOf(order: Json | undefined): string | undefined {
  return textField(member(order, 'customer'), 'phone');
}

const ownFields = ['orderNumber', 'externalOrderId', 'collectionMode', 'customer'];

/** Whether a value has a field that only orders have (interface section 2), so it is not an envelope. */
export function hasOrderField(value: Json | undefined): boolean {
  return ownFields.some((field) => member(value, field) !== undefined);
}

const shownFields = [...statedFields, 'orderNumber', 'status', 'delivery'];

/** Whether a value has any field of interface section 2; other things may have a status or a total, too. */
export function hasInterfaceField(value: Json | undefined): boolean {
  return shownFields.some((field) => member(value, field) !== undefined);
}

export function orderLines(order: Order): Json[] {
  const items = member(order, 'items');
  return Array.isArray(items) ? items : [];
}

export function tidyOrder(order: Order): Order {
  const customer = member(order, 'customer');
  const phone = textField(customer, 'phone');
  if (!isJsonObject(customer) || phone === undefined || phone === phone.trim()) return order;
  return { ...order, customer: { ...customer, phone: phone.trim() } };
}

const rankByField = new Map<string, number>(
  [...statedFields, 'phone', 'externalCustomerId', 'sku'].map((field, index) => [field, index]),
);

/** The exact body of a create: named fields first, then all other keys by code unit, at every depth. */
export function writeOrderBody(order: Order): string {
  return writeJson(order, orderedKeys);
}

function orderedKeys(object: JsonObject): string[] {
  const keys = Object.keys(object);
  for (let index = 1; index < keys.length; index += 1) {
    if (byRankThenCodeUnit(keys[index - 1] as string, keys[index] as string) > 0) {
      return keys.sort(byRankThenCodeUnit);
    }
  }
  return keys;
}

function byRankThenCodeUnit(left: string, right: string): number {
  const rank = (rankByField.get(left) ?? rankByField.size) - (rankByField.get(right) ?? rankByField.size);
  if (rank !== 0) return rank;
  return left < right ? -1 : left > right ? 1 : 0;
}
