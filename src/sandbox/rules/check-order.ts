import { isCalendarDate } from '../../orders/calendar-date.ts';
import { checkCollection, checkMoney } from '../../orders/check-money.ts';
import { isJsonObject, type Json, member } from '../../orders/json.ts';
import { type Order, orderLines } from '../../orders/order.ts';
import { Refusal } from '../refusal.ts';

/** The rules of interface sections 2.2 to 2.4, none of which needs the store; the first one broken is told. */
export function checkOrder(order: Order): void {
  const [problem] = [
    ...checkText('externalOrderId', member(order, 'externalOrderId')),
    ...checkCustomer(member(order, 'customer')),
    ...checkLines(order),
    ...[...checkMoney(order, false), ...checkCollection(order)].map(
      ({ path, problem }) => `${path}: ${problem}`,
    ),
    ...checkDate(member(order, 'requestedDeliveryDate')),
  ];
  if (problem !== undefined) throw new Refusal('orderInvalid', problem);
}

function checkCustomer(customer: Json | undefined): string[] {
  if (!isJsonObject(customer)) return ['customer: an order needs its customer, as an object'];
  const phone = member(customer, 'phone');
  const externalId = member(customer, 'externalCustomerId');
  if (phone === undefined && externalId === undefined) return ['customer.phone: is missing'];
  return [...checkText('customer.phone', phone), ...checkText('customer.externalCustomerId', externalId)];
}

function checkLines(order: Order): string[] {
  const lines = orderLines(order);
  if (lines.length === 0) return ['items: an order needs at least one line, in an array'];
  return lines.flatMap((line, index) => {
    if (!isJsonObject(line)) return [`items[${index}]: is not an object`];
    const sku = member(line, 'sku');
    return sku === undefined || typeof sku === 'string' ? [] : [`items[${index}].sku: is not text`];
  });
}

function checkDate(date: Json | undefined): string[] {
  if (date === undefined || (typeof date === 'string' && isCalendarDate(date))) return [];
  return ['requestedDeliveryDate: is not a calendar date written YYYY-MM-DD'];
}

function checkText(path: string, value: Json | undefined): string[] {
  if (value === undefined) return [];
  if (typeof value !== 'string') return [`${path}: is not text`];
  return value.trim() === '' ? [`${path}: is blank`] : [];
}
