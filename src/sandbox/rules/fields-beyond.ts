import { isJsonObject, type Json, type JsonObject } from '../../orders/json.ts';
import { type Order, orderLines, statedFields } from '../../orders/order.ts';
import type { Behaviour } from '../behaviour.ts';
import { refuseField } from '../refusal.ts';

const ofOrder: readonly string[] = statedFields;
const ofCustomer = ['phone', 'externalCustomerId'];
const ofLine = ['sku'];

/** The order as it is stored: with what the document does not name, or without it, or not at all. */
export function treatFieldsBeyond(order: Order, { fieldsBeyond }: Behaviour['orders']): Order {
  if (fieldsBeyond === 'returned') return order;
  const [first] = findBeyond(order);
  if (first === undefined) return order;
  if (fieldsBeyond === 'refused') throw refuseField('orderInvalid', first, 'is not a field of an order');
  return withoutBeyond(order);
}

function findBeyond(order: Order): string[] {
  return [
    ...othersThan(ofOrder, order, ''),
    ...othersThan(ofCustomer, order.customer, 'customer.'),
    ...orderLines(order).flatMap((line, index) => othersThan(ofLine, line, `items[${index}].`)),
  ];
}

function othersThan(stated: readonly string[], value: Json | undefined, prefix: string): string[] {
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .filter((name) => !stated.includes(name))
    .map((name) => prefix + name);
}

function withoutBeyond(order: Order): Order {
  const { customer, ...rest } = only(ofOrder, order);
  return {
    ...rest,
    ...(isJsonObject(customer) ? { customer: only(ofCustomer, customer) } : {}),
    items: orderLines(order).map((line) => (isJsonObject(line) ? only(ofLine, line) : line)),
  };
}

function only(stated: readonly string[], value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => stated.includes(name)));
}
