import { isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';
import { type Order, orderLines, statedFields } from '../../orders/order.ts';
import type { Behaviour } from '../behaviour/schema.ts';

const orderFields: readonly string[] = statedFields;
const customerFields = ['phone', 'externalCustomerId'];
const lineFields = ['sku'];

/** Fields that the interface does not name. */
export function unknownFields(order: Order): string[] {
  return [
    ...namesExcept(orderFields, order, ''),
    ...namesExcept(customerFields, order.customer, 'customer.'),
    ...orderLines(order).flatMap((line, index) => namesExcept(lineFields, line, `items[${index}].`)),
  ];
}

function namesExcept(known: readonly string[], value: Json | undefined, prefix: string): string[] {
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => prefix + name);
}

/** What a behaviour stores of an order. Moved fields are under `platform`, where one that was sent there stays. */
export function keptFields(order: Order, fieldsBeyond: Behaviour['orders']['fieldsBeyond']): Order {
  if (fieldsBeyond !== 'dropped' && fieldsBeyond !== 'moved') return order;
  const keep = (known: readonly string[], value: JsonObject): JsonObject => {
    const isKnown = (name: string) => known.includes(name);
    const kept = pick(value, isKnown);
    if (fieldsBeyond === 'dropped') return kept;
    const moved = {
      ...pick(value, (name) => !isKnown(name) && name !== movedTo),
      ...objectAt(value, movedTo),
    };
    return Object.keys(moved).length === 0 ? kept : { ...kept, [movedTo]: moved };
  };
  const { customer, ...rest } = keep(orderFields, order);
  return {
    ...rest,
    ...(isJsonObject(customer) ? { customer: keep(customerFields, customer) } : {}),
    items: orderLines(order).map((line) => (isJsonObject(line) ? keep(lineFields, line) : line)),
  };
}

const movedTo = 'platform';

function objectAt(value: JsonObject, name: string): JsonObject {
  const found = member(value, name);
  return isJsonObject(found) ? found : {};
}

export function pick(value: JsonObject, takes: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => takes(name)));
}
