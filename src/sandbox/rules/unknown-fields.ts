import { isJsonObject, type Json, type JsonObject } from '../../orders/json.ts';
import { type Order, orderLines, statedFields } from '../../orders/order.ts';
import { fieldError } from '../behaviour/api-error.ts';
import type { Behaviour } from '../behaviour/schema.ts';

const orderFields: readonly string[] = statedFields;
export const customerFields = ['phone', 'externalCustomerId'];
export const lineFields = ['sku'];

/** Fields that the interface does not name. @throws ApiError */
export function applyUnknownFields(order: Order, { fieldsBeyond }: Behaviour['orders']): Order {
  if (fieldsBeyond === 'returned') return order;
  const [first] = unknownFields(order);
  if (first === undefined) return order;
  if (fieldsBeyond === 'refused') throw fieldError('orderInvalid', first, 'is not a field of an order');
  return withoutUnknownFields(order);
}

function unknownFields(order: Order): string[] {
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

function withoutUnknownFields(order: Order): Order {
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
