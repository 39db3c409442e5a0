import { shorten } from '../clean-text.ts';
import { isCalendarDate } from '../orders/calendar-date.ts';
import { isJsonObject, type Json, member } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';
import type { FieldPlaces, UnnamedField } from '../orders/unnamed-fields.ts';
import { createStyle } from './colour.ts';
import { type Field, flattenFields } from './fields.ts';
import { formatAmount } from './order-preview.ts';
import { formatRecord } from './table.ts';
import { describeDay } from './times.ts';

/** A longer text would move the rest of the order off the screen. */
const maxLength = 400;

/** Fields of the interface in the words of the questions, in the order of the screen. */
const namedFields: Record<string, string> = {
  externalOrderId: 'your order ID',
  'customer.phone': 'phone number',
  'customer.externalCustomerId': 'your customer ID',
};
const unnamed: Partial<Record<UnnamedField, string>> = {
  name: 'customer name',
  email: 'email',
  'address.company': 'company',
  'address.city': 'city',
  'address.district': 'district',
  'address.street': 'street',
  note: 'note',
};

/** An order before it is created, with everything that is sent: what the questions are about in their words, the rest by its path. */
export function formatOrderToCreate(order: Order, places: FieldPlaces): string {
  const { items, ...others } = order;
  const { rest, take } = fieldsOf(others);
  const shown = (name: string, text: string | undefined): Field[] =>
    text === undefined ? [] : [{ path: name, text }];
  const fields = [
    ...Object.entries(namedFields).flatMap(([path, name]) => shown(name, take(path))),
    ...itemFields(items, places),
    ...collection(order, take),
    ...shown('total', amountText(take('total'))),
    ...shown('delivery date', dayText(take('requestedDeliveryDate'))),
    ...Object.entries(unnamed).flatMap(([field, name]) => shown(name, take(places[field as UnnamedField]))),
    ...rest,
  ];
  const clipped = fields.map(({ path, text }) => ({ path, text: shorten(text, maxLength) }));
  return formatRecord(clipped, createStyle(false));
}

/** `take` returns the text of a field, which is then no longer in the rest. */
function fieldsOf(record: Order) {
  const rest = flattenFields(record);
  const take = (path: string) => {
    const index = rest.findIndex((field) => field.path === path);
    return index < 0 ? undefined : rest.splice(index, 1)[0]?.text;
  };
  return { rest, take };
}

function collection(order: Order, take: (path: string) => string | undefined): Field[] {
  const mode = textField(order, 'collectionMode');
  const amount = textField(order, 'collectionAmount');
  const isPrepaid = mode === 'NONE' && member(order, 'collectionAmount') === undefined;
  if (!isPrepaid && (mode !== 'COLLECT' || amount === undefined)) return [];
  take('collectionMode');
  take('collectionAmount');
  const text = isPrepaid ? 'nothing, it is prepaid' : formatAmount(amount ?? '');
  return [{ path: 'courier collects', text }];
}

function itemFields(items: Json | undefined, places: FieldPlaces): Field[] {
  if (items === undefined) return [];
  if (!Array.isArray(items) || !items.every(isJsonObject)) return flattenFields({ items });
  return items.map((item, index) => ({
    path: items.length === 1 ? 'item' : `item ${index + 1}`,
    text: itemText(item, places),
  }));
}

/** `2 × TEA-001, Black tea, unitPrice: 5000` */
function itemText(item: Order, places: FieldPlaces): string {
  const { rest, take } = fieldsOf(item);
  const inLine = (field: UnnamedField) => places[field].replace(/^items\[\]\./, '');
  const count = take(inLine('quantity'));
  const names = [take('sku'), take(inLine('item'))].filter((name) => name !== undefined);
  const others = rest.map(({ path, text }) => `${path}: ${text}`);
  return `${count === undefined ? '' : `${count} × `}${[...names, ...others].join(', ')}`;
}

function amountText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : formatAmount(text);
}

function dayText(text: string | undefined): string | undefined {
  return text !== undefined && isCalendarDate(text) ? describeDay(text) : text;
}
