import { isBefore, isCalendarDate } from '../../orders/calendar-date.ts';
import { isJsonObject, type Json, member } from '../../orders/json.ts';
import { checkCollection, checkMoney } from '../../orders/money.ts';
import { moneyFields, type Order, orderLines, textField } from '../../orders/order.ts';
import { deliveryMethodsOf } from '../../orders/unnamed-fields.ts';
import { fieldError } from '../behaviour/api-error.ts';
import type { FieldProblem } from '../behaviour/error-bodies.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import type { Store } from '../store/store.ts';

/**
 * The rules of interface sections 2.2 to 2.4, and those of the behaviour, which need no store; reports the first
 * violation. `now` in epoch milliseconds. @throws ApiError
 */
export function checkOrder(order: Order, { orders, limits }: Behaviour, now: number): void {
  const [first] = [
    ...checkRequired(order, orders),
    ...checkText('externalOrderId', member(order, 'externalOrderId')),
    ...checkCustomer(member(order, 'customer')),
    ...checkLines(order),
    ...checkAmounts(order),
    ...checkDate(member(order, 'requestedDeliveryDate'), limits, now),
    ...checkSizes(order, limits),
    ...checkCurrency(member(order, 'currency')),
    ...checkPickup(order, orders),
  ];
  if (first !== undefined) throw fieldError('orderInvalid', first.field, first.problem);
}

function checkRequired(order: Order, { required }: Behaviour['orders']): FieldProblem[] {
  const isMissing = (path: string) =>
    path.split('.').reduce<Json | undefined>((value, name) => member(value, name), order) === undefined;
  return required.filter(isMissing).map((path) => fieldProblem(path, 'is missing'));
}

function checkAmounts(order: Order): FieldProblem[] {
  const money = moneyFields.map((field) => checkMoney(order, field, false));
  // The interface states no rule for an order without collectionMode.
  const collection = member(order, 'collectionMode') === undefined ? undefined : checkCollection(order);
  return [...money, collection].flatMap((issue) =>
    issue === undefined ? [] : fieldProblem(issue.path, issue.problem),
  );
}

/** The only currency is MNT (interface section 2.4). */
function checkCurrency(currency: Json | undefined): FieldProblem[] {
  return currency === undefined || currency === 'MNT' ? [] : [fieldProblem('currency', 'is not MNT')];
}

/** Exact values only: what other words mean is for the client to know. */
const pickups = ['PICKUP', 'STORE_PICKUP'];

function checkPickup(order: Order, { pickup }: Behaviour['orders']): FieldProblem[] {
  if (pickup === 'accept') return [];
  const found = deliveryMethodsOf(order).filter(({ text }) => pickups.includes(text));
  return found.map(({ path }) => fieldProblem(path, 'is a pickup, which is not a delivery'));
}

function checkSizes(order: Order, { items, textLength }: Behaviour['limits']): FieldProblem[] {
  const isLong = items !== null && orderLines(order).length > items;
  const tooLong = textLength === null ? undefined : findLongText(order, textLength, '');
  return [
    ...(isLong ? [fieldProblem('items', `has more than ${items} items`)] : []),
    ...(tooLong === undefined ? [] : [fieldProblem(tooLong, `has more than ${textLength} characters`)]),
  ];
}

/** The path of the first text with more characters. */
function findLongText(value: Json, length: number, path: string): string | undefined {
  if (typeof value === 'string')
    return value.length > length && [...value].length > length ? path : undefined;
  const members: [string, Json][] = Array.isArray(value)
    ? value.map((item, place) => [`${path}[${place}]`, item])
    : isJsonObject(value)
      ? Object.entries(value).map(([name, item]) => [path === '' ? name : `${path}.${name}`, item])
      : [];
  for (const [place, item] of members) {
    const found = findLongText(item, length, place);
    if (found !== undefined) return found;
  }
  return undefined;
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
  if (lines.length === 0 && member(order, 'items') !== undefined) {
    return [fieldProblem('items', 'an order needs at least one line, in an array')];
  }
  return lines.flatMap((line, index) => {
    if (!isJsonObject(line)) return [fieldProblem(`items[${index}]`, 'is not an object')];
    const sku = member(line, 'sku');
    return sku === undefined || typeof sku === 'string'
      ? []
      : [fieldProblem(`items[${index}].sku`, 'is not text')];
  });
}

const dayMilliseconds = 86_400_000;

function checkDate(
  date: Json | undefined,
  { pastDates, daysAhead }: Behaviour['limits'],
  now: number,
): FieldProblem[] {
  if (date === undefined) return [];
  const problem = (text: string) => [fieldProblem('requestedDeliveryDate', text)];
  if (typeof date !== 'string' || !isCalendarDate(date)) {
    return problem('is not a calendar date written YYYY-MM-DD');
  }
  const dateAfter = (days: number) => new Date(now + days * dayMilliseconds).toISOString().slice(0, 10);
  if (pastDates === 'refused' && isBefore(date, dateAfter(0))) return problem('is in the past');
  if (daysAhead !== null && isBefore(dateAfter(daysAhead), date)) {
    return problem(`is more than ${daysAhead} days ahead`);
  }
  return [];
}

function checkText(field: string, value: Json | undefined): FieldProblem[] {
  if (value === undefined) return [];
  if (typeof value !== 'string') return [fieldProblem(field, 'is not text')];
  if (value.trim() === '') return [fieldProblem(field, 'is blank')];
  // SQLite would cut or replace them, so that two texts became the same.
  const isAltered = value.includes('\0') || /\p{Surrogate}/u.test(value);
  return isAltered ? [fieldProblem(field, 'has a null character, or half of a surrogate pair')] : [];
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
