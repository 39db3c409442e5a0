import { isCalendarDate } from '../../orders/calendar-date.ts';
import { checkCollection, checkMoney } from '../../orders/check-money.ts';
import { isJsonObject, type Json, member } from '../../orders/json.ts';
import { type Order, orderLines } from '../../orders/order.ts';
import type { FieldProblem } from '../behaviour/error-body.ts';
import { refuseField } from '../refusal.ts';

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
