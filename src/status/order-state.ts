import { isCancelled, type ServiceOrder } from '../api/responses/order.ts';
import { compareStored } from '../orders/compare.ts';
import { amountOf, decimalOf } from '../orders/decimal.ts';
import { type Json, jsonText, member, parseWritten } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';
import type { FieldPaths } from '../orders/unnamed-fields.ts';
import { type FileOrder, topOf } from './file-orders.ts';

/** What the service shows of an order of a file; blank where it shows nothing. */
export interface OrderState {
  /** Undefined when it was not found, or not looked up. */
  id: string | undefined;
  orderNumber: string;
  externalOrderId: string;
  status: string;
  delivery: string;
  collectionMode: string;
  /** As money is written, or as the service shows it. */
  collectionAmount: string;
  total: string;
  createdAt: string;
  phone: string;
  deliverOn: string;
  isCancelled: boolean;
  /** The file names the same order before, by another name. */
  isRepeat: boolean;
  /** `missing`, `twice`, `cancelled`, `left_out`, `at_service`, `no_id`, `not_compared`, or the fields that differ. */
  difference: readonly string[];
  /** Fields that this order does not show, or that are unclear in the file. */
  notCompared: readonly string[];
  /** Fields of the file that the service shows of no order. */
  notShown: readonly string[];
}

/** A decimal: what the courier collects if the order is delivered. Undefined when the service does not show it. */
export function amountToCollect({ collectionMode, collectionAmount }: OrderState): string | undefined {
  return collectionMode === 'NONE' ? '0' : decimalOf(collectionAmount);
}

const nothing = {
  isCancelled: false,
  isRepeat: false,
  notCompared: [],
  notShown: [],
  orderNumber: '',
  externalOrderId: '',
  status: '',
  delivery: '',
  collectionMode: '',
  collectionAmount: '',
  total: '',
  createdAt: '',
  phone: '',
  deliverOn: '',
};

/** Of an order that was not found, or not looked up. */
export function stateWithout(difference: 'missing' | 'twice' | 'left_out' | 'no_id'): OrderState {
  return { id: undefined, ...nothing, difference: [difference] };
}

interface StateOptions {
  fieldPaths: FieldPaths;
  isTwice: boolean;
  /** Takes the fields that could be compared. */
  shown: Set<string>;
}

export function stateOf(file: FileOrder, found: ServiceOrder, options: StateOptions): OrderState {
  const { order } = found;
  const isGone = isCancelled(found);
  const { fields, notCompared } = file.isLeftOut ? leftOut(isGone) : compareContent(file, order, options);
  return {
    ...nothing,
    id: found.id,
    orderNumber: shownText(member(order, 'orderNumber')),
    externalOrderId: shownText(member(order, 'externalOrderId')),
    status: shownText(member(order, 'status')),
    delivery: shownText(deliveryOf(order)),
    collectionMode: shownText(member(order, 'collectionMode')).toUpperCase(),
    collectionAmount: amountOf(shownText(member(order, 'collectionAmount'))),
    total: amountOf(shownText(member(order, 'total'))),
    createdAt: shownText(member(order, 'createdAt')),
    phone: shownText(member(member(order, 'customer'), 'phone')),
    deliverOn: shownText(member(order, 'requestedDeliveryDate')),
    isCancelled: isGone,
    difference: [
      ...(options.isTwice ? ['twice'] : []),
      ...(isGone && !file.isLeftOut ? ['cancelled'] : []),
      ...fields,
    ],
    notCompared,
  };
}

interface ComparedContent {
  fields: string[];
  notCompared: string[];
}

function leftOut(isGone: boolean): ComparedContent {
  return { fields: isGone ? ['left_out'] : ['left_out', 'at_service'], notCompared: [] };
}

/** What one order does not show, but others do, is no field that the service never shows. */
export function withNotCompared(
  { unclear }: FileOrder,
  state: OrderState,
  shown: ReadonlySet<string>,
): OrderState {
  if (state.notCompared.length === 0) return state;
  const isFlagged = (field: string) => shown.has(field) || unclear.includes(field);
  const notCompared = state.notCompared.filter(isFlagged);
  return {
    ...state,
    difference: [...state.difference, ...(notCompared.length > 0 ? ['not_compared'] : [])],
    notCompared,
    notShown: state.notCompared.filter((field) => !isFlagged(field)),
  };
}

/** Fields that the interface does not describe are compared where the profile sends them. */
function compareContent(
  { body, unclear }: FileOrder,
  found: Order,
  { fieldPaths, shown }: StateOptions,
): ComparedContent {
  const { equal, differing, notCompared } = compareStored(parseWritten(body) as Order, found, fieldPaths);
  for (const field of [...equal, ...differing]) shown.add(field);
  const isClear = (field: string) => !unclear.includes(topOf(field));
  return {
    fields: [...new Set(differing.filter(isClear))],
    notCompared: [...unclear, ...new Set(notCompared.filter(isClear))],
  };
}

/** Its status, where it shows one. */
function deliveryOf(order: Order): Json | undefined {
  const delivery = member(order, 'delivery');
  return textField(delivery, 'status') ?? delivery;
}

function shownText(value: Json | undefined): string {
  return value === undefined || value === null ? '' : jsonText(value);
}
