import { isCancelled, type ServiceOrder } from '../api/responses/order.ts';
import { compareStored } from '../orders/compare.ts';
import { decimalOf, toHundredths } from '../orders/decimal.ts';
import { type Json, jsonText, member, parseWritten } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';
import type { FieldPaths } from '../orders/unnamed-fields.ts';
import type { FileOrder } from './file-orders.ts';

const shownFields = [
  'orderNumber',
  'externalOrderId',
  'status',
  'collectionMode',
  'collectionAmount',
  'total',
  'createdAt',
  'requestedDeliveryDate',
] as const;

/** What the service shows of an order of a file; blank where it shows nothing. */
export interface OrderState extends Record<(typeof shownFields)[number] | 'delivery' | 'phone', string> {
  /** Undefined when it was not found. */
  id: string | undefined;
  /** What the courier collects if it is delivered, in hundredths. Undefined when the service does not show it. */
  due: bigint | undefined;
  /** `missing`, `twice`, `cancelled`, `left_out`, `at_service`, `no_id`, or the fields that differ. */
  difference: readonly string[];
  /** Fields that this order does not show. */
  notShown: readonly string[];
}

/** Of an order that was not found. */
export function stateWithout(...difference: readonly string[]): OrderState {
  return { ...textsOf({}), id: undefined, due: 0n, difference, notShown: [] };
}

export function stateOf(file: FileOrder, found: ServiceOrder, fieldPaths: FieldPaths): OrderState {
  const texts = textsOf(found.order);
  const isGone = isCancelled(found);
  const isFree = isGone || texts.collectionMode.toUpperCase() === 'NONE';
  const amount = isFree ? '0' : decimalOf(texts.collectionAmount);
  const content = parseWritten(file.body) as Order;
  const { differing, notCompared } = compareStored(content, found.order, fieldPaths);
  const left = isGone ? ['left_out'] : ['left_out', 'at_service'];
  return {
    ...texts,
    id: found.id,
    due: amount === undefined ? undefined : toHundredths(amount),
    difference: file.isLeftOut ? left : [...(isGone ? ['cancelled'] : []), ...new Set(differing)],
    notShown: [...notCompared, ...(amount === undefined ? ['collectionAmount'] : [])],
  };
}

function textsOf(order: Order) {
  const delivery = member(order, 'delivery');
  const texts = shownFields.map((field) => [field, shownText(member(order, field))]);
  return {
    ...(Object.fromEntries(texts) as Record<(typeof shownFields)[number], string>),
    delivery: shownText(textField(delivery, 'status') ?? delivery),
    phone: shownText(member(member(order, 'customer'), 'phone')),
  };
}

function shownText(value: Json | undefined): string {
  return value === undefined || value === null ? '' : jsonText(value);
}
