import { isCalendarDate } from '../../orders/calendar-date.ts';
import { isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';
import { checkCollection, checkMoney } from '../../orders/money.ts';
import { type Order, orderLines, statedFields, textField } from '../../orders/order.ts';
import { fieldError } from '../behaviour/api-error.ts';
import type { FieldProblem } from '../behaviour/error-bodies.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import type { Store } from '../store/store.ts';

/** The rules of interface sections 2.2 to 2.4, which need no store; reports the first violation. @throws ApiError */
export function checkOrder(order: Order): void {
  const [first] = [
    ...checkText('externalOrderId', member(order, 'externalOrderId')),
    ...checkCustomer(member(order, 'customer')),
    ...checkLines(order),
    ...[...checkMoney(order, false), ...checkCollection(order)].map(({ path, problem }) =>
      fieldProblem(path, problem),
    ),
    ...checkDate(member(order, 'requestedDeliveryDate')),
  ];
  if (first !== undefined) throw fieldError('orderInvalid', first.field, first.problem);
}

function checkCustomer(customer: Json | undefined): FieldProblem[] {
  if (!isJsonObject(customer)) return [fieldProblem('customer', 'an order needs its customer, as an object')];
  const phone = member(customer, 'phone');
  const externalId = member(customer, 'externalCustomerId');
  if (phone === undefined && externalId === undefined) return [fieldProblem('customer.phone', 'is missing')];
  return [...checkText('customer.phone', phone), ...checkText('customer.externalCustomerId', externalId)];
}

function checkLines(order: Order): FieldProblem[] {
  const lines = orderLines(order);
  if (lines.length === 0) return [fieldProblem('items', 'an order needs at least one line, in an array')];
  return lines.flatMap((line, index) => {
    if (!isJsonObject(line)) return [fieldProblem(`items[${index}]`, 'is not an object')];
    const sku = member(line, 'sku');
    return sku === undefined || typeof sku === 'string'
      ? []
      : [fieldProblem(`items[${index}].sku`, 'is not text')];
  });
}

function checkDate(date: Json | undefined): FieldProblem[] {
  if (date === undefined || (typeof date === 'string' && isCalendarDate(date))) return [];
  return [fieldProblem('requestedDeliveryDate', 'is not a calendar date written YYYY-MM-DD')];
}

function checkText(field: string, value: Json | undefined): FieldProblem[] {
  if (value === undefined) return [];
  if (typeof value !== 'string') return [fieldProblem(field, 'is not text')];
  return value.trim() === '' ? [fieldProblem(field, 'is blank')] : [];
}

function fieldProblem(field: string, problem: string): FieldProblem {
  return { field, problem };
}

/** The SKU rules of interface section 4.1; a line without a SKU is ad-hoc. @throws ApiError */
export function checkSkus(store: Store, merchantId: number, order: Order): void {
  for (const [index, line] of orderLines(order).entries()) {
    const sku = textField(line, 'sku');
    if (sku === undefined) continue;
    const product = store.products.find(merchantId, sku);
    const field = `items[${index}].sku`;
    if (!product) throw fieldError('skuUnknown', field, `no product has the SKU "${sku}"`);
    if (!product.active) throw fieldError('skuInactive', field, `"${sku}" is inactive`);
  }
}

const orderFields: readonly string[] = statedFields;
const customerFields = ['phone', 'externalCustomerId'];
const lineFields = ['sku'];

/** Returns, drops or rejects the fields that the interface does not name. @throws ApiError */
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
