import { member } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';
import { deliveryText, formatAmount } from './order-preview.ts';
import type { TableColumn } from './table.ts';

interface Column extends TableColumn {
  text(order: Order, look: ListLook): string;
}

export interface ListLook {
  /** Of the terminal, in characters. */
  width: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/** With less room days and times are written shorter, and columns are closer together. */
const minWholeWidth = 100;

export function gapOf({ width }: Pick<ListLook, 'width'>): number {
  return width < minWholeWidth ? 1 : 2;
}

const columns: readonly Column[] = [
  { name: 'created', text: (order, look) => formatMoment(textField(order, 'createdAt') ?? '', look) },
  {
    name: 'number',
    isIdentifier: true,
    text: (order) => textField(order, 'orderNumber') ?? textField(order, 'id') ?? '',
  },
  { name: 'own id', text: (order) => textField(order, 'externalOrderId') ?? '' },
  { name: 'phone', text: (order) => textField(member(order, 'customer'), 'phone') ?? '' },
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
  look: ListLook,
): [columns: readonly TableColumn[], rows: string[][]] {
  return [columns, orders.map((order) => columns.map(({ text }) => text(order, look)))];
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

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
/** RFC 3339, as the interface shows times (section 4.1). */
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** `today 14:02`, `21 Nov 14:02`, `21 Nov 2025`; text that is no time with a zone is returned unchanged. */
function formatMoment(text: string, { width, now }: ListLook): string {
  const moment = new Date(instant.test(text) ? text : Number.NaN);
  if (Number.isNaN(moment.getTime())) return text;
  const today = new Date(now);
  const time = `${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`;
  const isShort = width < minWholeWidth;
  if (moment.toDateString() === today.toDateString()) return isShort ? time : `today ${time}`;
  const day = `${moment.getDate()} ${months[moment.getMonth()]}`;
  if (moment.getFullYear() !== today.getFullYear()) return `${day} ${moment.getFullYear()}`;
  return isShort ? day : `${day} ${time}`;
}

/** A calendar date in full, or `25 Nov` where there is little room and it is in this year. */
function formatDay(text: string, { width, now }: ListLook): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (width >= minWholeWidth || Number(year) !== new Date(now).getFullYear()) return text;
  return `${Number(day)} ${months[Number(month) - 1]}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
