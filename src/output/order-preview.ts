import { isJsonObject, type Json, jsonText, member } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';
import { createStyle } from './colour.ts';
import { type Field, flattenFields } from './fields.ts';
import { formatAmount } from './money.ts';
import { formatRecord } from './record.ts';

/** What a person must see before an order is cancelled: whose it is, what it is worth, and where it stands. */
export function formatOrderToCancel(order: Order): string {
  const fields = [
    { path: 'order', text: textField(order, 'orderNumber') ?? textField(order, 'id') ?? '' },
    { path: 'own id', text: textField(order, 'externalOrderId') ?? '' },
    { path: 'customer', text: textField(member(order, 'customer'), 'phone') ?? '' },
    { path: 'total', text: amount(member(order, 'total')) },
    { path: 'to collect', text: amountToCollect(order) },
    { path: 'status', text: text(member(order, 'status')) },
    { path: 'delivery', text: deliveryText(member(order, 'delivery')) },
  ];
  return formatPlain(fields.filter((field) => field.text !== ''));
}

/** Every field of an order that is about to be created. */
export function formatOrderToCreate(order: Order): string {
  return formatPlain(flattenFields(order));
}

function formatPlain(fields: Field[]): string {
  return formatRecord(fields, createStyle(false));
}

function amountToCollect(order: Order): string {
  const mode = textField(order, 'collectionMode');
  return mode === 'NONE' ? 'nothing (prepaid)' : amount(member(order, 'collectionAmount'));
}

function deliveryText(delivery: Json | undefined): string {
  if (delivery === null) return 'none yet';
  if (!isJsonObject(delivery)) return text(delivery);
  return textField(delivery, 'status') ?? jsonText(delivery);
}

function amount(value: Json | undefined): string {
  return value === undefined || value === null ? '' : formatAmount(jsonText(value));
}

function text(value: Json | undefined): string {
  return value === undefined || value === null ? '' : jsonText(value);
}
