import { cleanCell, shorten } from '../clean-text.ts';
import { member } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';
import { deliveryText, formatAmount } from './order-preview.ts';
import type { TableColumn } from './table.ts';
import { formatDay, formatMoment, minWholeWidth, type TimeLook } from './times.ts';

interface Column extends TableColumn {
  text(order: Order, look: TimeLook): string;
}

/** With less room columns are closer together. */
export function gapOf({ width }: Pick<TimeLook, 'width'>): number {
  return width < minWholeWidth ? 1 : 2;
}

export const ownId: TableColumn = { name: 'own id', keepsEnd: true };

const columns: readonly Column[] = [
  { name: 'created', text: (order, look) => formatMoment(textField(order, 'createdAt') ?? '', look) },
  {
    name: 'number',
    isIdentifier: true,
    text: (order) => textField(order, 'orderNumber') ?? textField(order, 'id') ?? '',
  },
  { ...ownId, text: (order) => textField(order, 'externalOrderId') ?? '' },
  { name: 'phone', text: (order, look) => phoneText(order, look) },
  { name: 'to collect', isAmount: true, text: (order) => amountToCollect(order) },
  {
    name: 'deliver on',
    text: (order, look) => formatDay(textField(order, 'requestedDeliveryDate') ?? '', look),
  },
  { name: 'status', text: (order) => textField(order, 'status') ?? '' },
  { name: 'delivery', text: (order) => deliveryText(member(order, 'delivery')) },
];

/** Orders for a person at a terminal: what they are found by, in local time, under short heads. */
export function orderList(
  orders: readonly Order[],
  look: TimeLook,
): [columns: readonly TableColumn[], rows: string[][]] {
  const isShort = look.width < minWholeWidth;
  const shown = columns.map((column) =>
    isShort && column.name === 'created' ? { ...column, name: 'made' } : column,
  );
  return [shown, orders.map((order) => columns.map(({ text }) => text(order, look)))];
}

/** One order on one line, for a list to choose from: `21 Nov  ORD-2026-000123  UB-1  99112233  collect 45,000 ₮  CONFIRMED`. */
export function orderLine(order: Order, { width, now }: TimeLook): string {
  const look = { width: minWholeWidth - 1, now };
  const texts = columns.flatMap(({ name, text }) => {
    const cell = text(order, look);
    if (name === 'to collect') return cell === '' ? [] : [`collect ${cell} ₮`];
    return ['deliver on', 'delivery'].includes(name) ? [] : [cell];
  });
  return shorten(
    texts
      .map(cleanCell)
      .filter((text) => text !== '')
      .join('  '),
    width - markWidth,
  );
}

/** What a prompt puts before a choice, and a column that stays free. */
const markWidth = 3;

/** Where there is little room a Mongolian number has no country code and no gap. */
function phoneText(order: Order, { width }: TimeLook): string {
  const phone = textField(member(order, 'customer'), 'phone') ?? '';
  return width < minWholeWidth
    ? phone.replace(/^(?:(?:00|\+)?\(?976\)?[ -]?)?(\d{4})[ -]?(\d{4})$/, '$1$2')
    : phone;
}

function amountToCollect(order: Order): string {
  if (textField(order, 'collectionMode') === 'NONE') return '';
  const amount = textField(order, 'collectionAmount');
  return amount === undefined ? '' : formatAmount(amount).replace(/ ₮$/, '');
}

/** `ORD-2026-000123 is already cancelled (21 Nov 14:02: out of stock).` The time and the reason where the service shows them. */
export function formatAlreadyCancelled(order: Order, now: number): string {
  const name = textField(order, 'orderNumber') ?? textField(order, 'id') ?? '';
  const moment = textField(order, 'cancelledAt');
  const when = moment === undefined ? undefined : formatMoment(moment, { width: minWholeWidth, now });
  const facts = [when, textField(order, 'cancelReason')].filter((fact) => fact !== undefined);
  return `${name} is already cancelled${facts.length === 0 ? '' : ` (${facts.join(': ')})`}. Nothing was sent.`;
}
