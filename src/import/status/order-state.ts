import { isCancelled, type ServiceOrder } from '../../api/responses/order.ts';
import { compareOrders } from '../../orders/compare.ts';
import { amountOf } from '../../orders/decimal.ts';
import { type Json, jsonText, member, parseWritten } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import type { FieldPlaces } from '../../orders/unnamed-fields.ts';
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
  isCancelled: boolean;
  /** The file names the same order before, by another name. */
  isRepeat: boolean;
  /** `missing`, `twice`, `cancelled`, `left_out`, `no_id`, or the fields in which the file differs. */
  difference: readonly string[];
}

const nothing = {
  orderNumber: '',
  externalOrderId: '',
  status: '',
  delivery: '',
  collectionMode: '',
  collectionAmount: '',
  total: '',
  createdAt: '',
};

/** Of an order that was not found, or not looked up. */
export function stateWithout(difference: 'missing' | 'twice' | 'left_out' | 'no_id'): OrderState {
  return { id: undefined, ...nothing, isCancelled: false, isRepeat: false, difference: [difference] };
}

interface StateOptions {
  places: FieldPlaces;
  /** The ledger says that the service created it from this content, and it may store some of it otherwise. */
  isCreatedFromFile: boolean;
  isTwice: boolean;
}

export function stateOf(file: FileOrder, found: ServiceOrder, options: StateOptions): OrderState {
  const { order } = found;
  const isGone = isCancelled(found);
  const fields = file.isLeftOut ? ['left_out'] : differingFields(file, order, options);
  return {
    id: found.id,
    orderNumber: shownText(member(order, 'orderNumber')),
    externalOrderId: shownText(member(order, 'externalOrderId')),
    status: shownText(member(order, 'status')),
    delivery: shownText(deliveryOf(order)),
    collectionMode: shownText(member(order, 'collectionMode')).toUpperCase(),
    collectionAmount: amountOf(shownText(member(order, 'collectionAmount'))),
    total: amountOf(shownText(member(order, 'total'))),
    createdAt: shownText(member(order, 'createdAt')),
    isCancelled: isGone,
    isRepeat: false,
    difference: [
      ...(options.isTwice ? ['twice'] : []),
      ...(isGone && !file.isLeftOut ? ['cancelled'] : []),
      ...fields,
    ],
  };
}

/** Fields that the interface does not describe are compared where the profile sends them. */
function differingFields(
  { body, unclear }: FileOrder,
  found: Order,
  { places, isCreatedFromFile }: StateOptions,
): string[] {
  const { differences } = compareOrders(parseWritten(body) as Order, found, places);
  const counting = differences.filter(
    ({ field, kind }) => !unclear.includes(topOf(field)) && !(isCreatedFromFile && kind === 'usual'),
  );
  return [...new Set(counting.map(({ field }) => field))];
}

/** Its status, where it shows one. */
function deliveryOf(order: Order): Json | undefined {
  const delivery = member(order, 'delivery');
  return textField(delivery, 'status') ?? delivery;
}

function shownText(value: Json | undefined): string {
  return value === undefined || value === null ? '' : jsonText(value);
}
