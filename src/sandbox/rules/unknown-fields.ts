import { isJsonObject, type Json, type JsonObject } from '../../orders/json.ts';
import { type Order, orderLines, statedFields } from '../../orders/order.ts';

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

export function withoutUnknownFields(order: Order): Order {
  const { customer, ...rest } = pick(orderFields, order);
  return {
    ...rest,
    ...(isJsonObject(customer) ? { customer: pick(customerFields, customer) } : {}),
    items: orderLines(order).map((line) => (isJsonObject(line) ? pick(lineFields, line) : line)),
  };
}

function pick(known: readonly string[], value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => known.includes(name)));
}
