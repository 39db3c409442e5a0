import { type JsonObject, writeJson } from './json.ts';
import { type Order, statedFields } from './order.ts';

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
