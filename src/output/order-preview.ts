import { cleanCell, shorten } from '../clean-text.ts';
import { createSum } from '../orders/decimal.ts';
import { isJsonObject, type Json, jsonText, member } from '../orders/json.ts';
import { type Order, orderLines, textField } from '../orders/order.ts';
import { createStyle } from './colour.ts';
import { formatRecord } from './table.ts';
import { describeAge, formatMoment, minWholeWidth } from './times.ts';

/** What is shown before an order is cancelled: the customer, the items, the amounts, and the state of order and delivery. `now` is in milliseconds since the epoch. */
export function formatOrderToCancel(order: Order, now: number): string {
  const customer = member(order, 'customer');
  const created = textField(order, 'createdAt');
  const who = [textField(customer, 'phone') ?? '', text(member(customer, 'name'))];
  const fields = [
    { path: 'order', text: textField(order, 'orderNumber') ?? textField(order, 'id') ?? '' },
    { path: 'own id', text: textField(order, 'externalOrderId') ?? '' },
    {
      path: 'created',
      text: created === undefined ? '' : formatMoment(created, { width: minWholeWidth, now }),
    },
    { path: 'customer', text: who.filter((part) => part !== '').join(', ') },
    { path: 'items', text: linesInBrief(order).join('; ') },
    { path: 'total', text: amount(member(order, 'total')) },
    { path: 'to collect', text: amountToCollect(order) },
    { path: 'deliver on', text: textField(order, 'requestedDeliveryDate') ?? '' },
    { path: 'status', text: text(member(order, 'status')) },
    { path: 'delivery', text: deliveryText(member(order, 'delivery')) },
  ];
  return formatRecord(
    fields.filter((field) => field.text !== ''),
    createStyle(false),
  );
}

/** An order as a person reads it before it is sent, on a few lines of this width. */
export function formatOrderInBrief(order: Order, width: number): string {
  const customer = member(order, 'customer');
  const address = member(order, 'deliveryAddress');
  const date = textField(order, 'requestedDeliveryDate');
  const total = member(order, 'total');
  const name = text(member(customer, 'name'));
  const phone = textField(customer, 'phone') ?? text(member(customer, 'externalCustomerId'));
  const lines = linesInBrief(order);
  const places = isJsonObject(address)
    ? Object.entries(address).flatMap(([field, value]) => (field === 'note' ? [] : [text(value)]))
    : [];
  const fields: [name: string, text: string][] = [
    ['customer', [phone, name].filter((part) => part !== '').join(', ')],
    ...lines.map((line, index): [string, string] => [index === 0 ? 'lines' : '', line]),
    ['pays', payment(order, total === undefined ? '' : ` (total ${amount(total)})`)],
    ['deliver to', places.filter((part) => part !== '').join(', ')],
    ['note', text(member(address, 'note'))],
    ['deliver on', date ?? ''],
  ];
  const rows = fields.filter(([, value]) => value !== '');
  const room = Math.max(20, width - briefNameWidth - 2);
  const body = rows.map(
    ([field, value]) => `  ${field.padEnd(briefNameWidth)}${shorten(cleanCell(value), room - 1)}`,
  );
  return [cleanCell(textField(order, 'externalOrderId') ?? ''), ...body].join('\n');
}

const briefNameWidth = 12;
const maxLines = 4;

function linesInBrief(order: Order): string[] {
  const lines = orderLines(order).map(lineInBrief);
  const more = lines.length - maxLines;
  return more > 0 ? [...lines.slice(0, maxLines), `and ${more} more`] : lines;
}

function lineInBrief(line: Json): string {
  const quantity = text(member(line, 'quantity'));
  const names = [text(member(line, 'sku')), text(member(line, 'name'))].filter((part) => part !== '');
  return `${quantity === '' ? '' : `${quantity} × `}${names.join(', ')}`;
}

function payment(order: Order, total: string): string {
  return textField(order, 'collectionMode') === 'COLLECT'
    ? `the courier collects ${amount(member(order, 'collectionAmount'))}${total}`
    : `nothing, it is prepaid${total}`;
}

const maxNameLength = 60;

/**
 * `LIVE: create for 99112233, 2 items, collect 45,000 ₮?`, after the orders that this customer has had lately; `now` in
 * milliseconds since the epoch.
 */
export function formatCreateQuestion(
  label: string,
  order: Order,
  recent: readonly Order[] = [],
  now = 0,
): string {
  const customer = member(order, 'customer');
  const who = textField(customer, 'phone') ?? textField(customer, 'externalCustomerId');
  const count = orderLines(order).length;
  const amount = textField(order, 'collectionAmount');
  const mode = textField(order, 'collectionMode');
  const parts = [
    `create${recent.length === 0 ? '' : ' another'}${who === undefined ? '' : ` for ${shorten(who, maxNameLength)}`}`,
    count === 1 ? '1 item' : `${count} items`,
    ...(mode === 'COLLECT' && amount !== undefined ? [`collect ${formatAmount(amount)}`] : []),
    ...(mode === 'NONE' ? ['prepaid'] : []),
  ];
  return `${formatRecent(recent, now)}${label}: ${parts.join(', ')}?`;
}

const maxRecent = 3;

/** `This customer has an order of 4 minutes ago: ORD-2026-000236, 31,000 ₮, CONFIRMED. ` */
function formatRecent(recent: readonly Order[], now: number): string {
  const [first, ...others] = recent.map((order) => {
    const amount = jsonText(member(order, 'total') ?? member(order, 'collectionAmount') ?? '');
    const name = textField(order, 'orderNumber') ?? textField(order, 'externalOrderId');
    const facts = [name, amount && formatAmount(amount), textField(order, 'status')].filter(Boolean);
    return { age: describeAge(textField(order, 'createdAt') ?? '', now), text: cleanCell(facts.join(', ')) };
  });
  if (first === undefined) return '';
  if (others.length === 0)
    return `This customer has an order ${first.age === undefined ? 'of the last 24 hours' : `of ${first.age}`}: ${first.text}. `;
  const shown = [first, ...others].slice(0, maxRecent);
  const texts = shown.map(({ age, text }) => `${text}${age === undefined ? '' : ` (${age})`}`);
  const more = recent.length > maxRecent ? `; and ${recent.length - maxRecent} more` : '';
  return `This customer has ${recent.length} orders of the last 24 hours: ${texts.join('; ')}${more}. `;
}

function amountToCollect(order: Order): string {
  const mode = textField(order, 'collectionMode');
  return mode === 'NONE' ? 'nothing (prepaid)' : amount(member(order, 'collectionAmount'));
}

/** The status of a delivery, in the words of the service. */
export function deliveryText(delivery: Json | undefined): string {
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

const shape = /^(\d+)(?:\.(\d+))?$/;

/** A decimal as people read it: `25000.50` → `25,000.50 ₮`, `26700.0` → `26,700 ₮`. Other text is returned unchanged. */
export function formatAmount(decimal: string): string {
  const [, whole, fraction] = shape.exec(toDecimal(decimal)) ?? [];
  if (whole === undefined) return decimal;
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end));
  return `${groups.join(',')}${fraction === undefined ? '' : `.${fraction}`} ₮`;
}

/** Some services show an amount with one digit after the dot, or with four. */
function toDecimal(text: string): string {
  const [, whole, fraction = ''] = shape.exec(text) ?? [];
  if (whole === undefined || fraction.length === 0 || fraction.length === 2) return text;
  let length = fraction.length;
  while (fraction[length - 1] === '0') length -= 1;
  return length === 0 ? whole : `${whole}.${fraction.slice(0, length).padEnd(2, '0')}`;
}

const maxShown = 20;
const maxStatuses = 8;

export function formatOrdersToCancel(orders: readonly Order[], now: number): string {
  const more = orders.length - maxShown;
  return [
    ...orders.slice(0, maxShown).map((order) => `${formatOrderToCancel(order, now)}\n`),
    ...(more > 0 ? [`... and ${more} more\n`] : []),
    ...(orders.length > 1 ? [`${formatSums(orders)}\n`] : []),
  ].join('\n');
}

function formatSums(orders: readonly Order[]): string {
  const [total, toCollect] = [createSum(), createSum()];
  const statuses = new Map<string, number>();
  for (const order of orders) {
    total.add(decimalOf(member(order, 'total')));
    if (textField(order, 'collectionMode') !== 'NONE')
      toCollect.add(decimalOf(member(order, 'collectionAmount')));
    const status = jsonText(member(order, 'status') ?? 'none');
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const counts = [...statuses].map(([status, count]) => `${status} ${count}`);
  const fields = [
    { path: 'orders', text: String(orders.length) },
    { path: 'total', text: amountOfSum(total.value()) },
    { path: 'to collect', text: amountOfSum(toCollect.value()) },
    {
      path: 'by status',
      text: [...counts.slice(0, maxStatuses), ...(counts.length > maxStatuses ? ['...'] : [])].join(', '),
    },
  ];
  return formatRecord(
    fields.filter(({ text }) => text !== ''),
    createStyle(false),
  );
}

function decimalOf(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : toDecimal(jsonText(value));
}

function amountOfSum(decimal: string | undefined): string {
  return decimal === undefined ? '' : formatAmount(decimal);
}
