import { isCalendarDate } from '../../orders/calendar-date.ts';
import { checkCollection, checkMoney } from '../../orders/check-money.ts';
import { isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';
import { type Order, orderLines, statedFields, textField } from '../../orders/order.ts';
import type { Behaviour } from '../behaviour/behaviour.ts';
import type { FieldProblem } from '../behaviour/error-body.ts';
import { refuseField } from '../behaviour/refusal.ts';
import type { Store } from '../store/store.ts';

/** The rules of interface sections 2.2 to 2.4, none of which needs the store; the first one broken is told. */
export function checkOrder(order: Order): void {
  const [first] = [
    ...checkText('externalOrderId', member(order, 'externalOrderId')),
    ...checkCustomer(member(order, 'customer')),
    ...checkLines(order),
    ...[...checkMoney(order, false), ...checkCollection(order)].map(({ path, problem }) =>
      wrong(path, problem),
    ),
    ...checkDate(member(order, 'requestedDeliveryDate')),
  ];
  if (first !== undefined) throw refuseField('orderInvalid', first.field, first.problem);
}

function checkCustomer(customer: Json | undefined): FieldProblem[] {
  if (!isJsonObject(customer)) return [wrong('customer', 'an order needs its customer, as an object')];
  const phone = member(customer, 'phone');
  const externalId = member(customer, 'externalCustomerId');
  if (phone === undefined && externalId === undefined) return [wrong('customer.phone', 'is missing')];
  return [...checkText('customer.phone', phone), ...checkText('customer.externalCustomerId', externalId)];
}

function checkLines(order: Order): FieldProblem[] {
  const lines = orderLines(order);
  if (lines.length === 0) return [wrong('items', 'an order needs at least one line, in an array')];
  return lines.flatMap((line, index) => {
    if (!isJsonObject(line)) return [wrong(`items[${index}]`, 'is not an object')];
    const sku = member(line, 'sku');
    return sku === undefined || typeof sku === 'string' ? [] : [wrong(`items[${index}].sku`, 'is not text')];
  });
}

function checkDate(date: Json | undefined): FieldProblem[] {
  if (date === undefined || (typeof date === 'string' && isCalendarDate(date))) return [];
  return [wrong('requestedDeliveryDate', 'is not a calendar date written YYYY-MM-DD')];
}

function checkText(field: string, value: Json | undefined): FieldProblem[] {
  if (value === undefined) return [];
  if (typeof value !== 'string') return [wrong(field, 'is not text')];
  return value.trim() === '' ? [wrong(field, 'is blank')] : [];
}

function wrong(field: string, problem: string): FieldProblem {
  return { field, problem };
}

/** The SKU rules of interface section 4.1; a line without a SKU is not looked up. */
export function checkSkus(store: Store, merchantId: number, order: Order): void {
  for (const [index, line] of orderLines(order).entries()) {
    const sku = textField(line, 'sku');
    if (sku === undefined) continue;
    const product = store.products.find(merchantId, sku);
    const field = `items[${index}].sku`;
    if (!product) throw refuseField('skuUnknown', field, `no product has the SKU "${sku}"`);
    if (!product.active) throw refuseField('skuInactive', field, `"${sku}" is inactive`);
  }
}

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
