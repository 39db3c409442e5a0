import { joinTexts, type Say, type Sentence, sayInEnglish, type Text, t } from '../advice/advice.ts';
import { cleanCell, shorten } from '../clean-text.ts';
import { isCalendarDate } from '../orders/calendar-date.ts';
import { createSum } from '../orders/decimal.ts';
import { isJsonObject, type Json, type JsonObject, jsonText, member } from '../orders/json.ts';
import { type Order, orderLines, textField } from '../orders/order.ts';
import { isUuid } from '../orders/order-reference.ts';
import { defaultPlaces, type FieldPlaces, type UnnamedField } from '../orders/unnamed-fields.ts';
import { formatAmount, toDecimal } from './amount.ts';
import { type Field, flattenFields, pickCells } from './fields.ts';
import { createStyle, type Style } from './print.ts';
import { formatRecord, type TableColumn } from './table.ts';
import {
  describeDay,
  formatDay,
  formatLocalTime,
  formatMoment,
  minWholeWidth,
  type TimeLook,
} from './times.ts';
import { wrapText } from './wrapped-text.ts';

const placed = [
  'number',
  'own id',
  'created',
  'customer',
  'items',
  'total',
  'to collect',
  'deliver on',
] as const;
const toSend = [
  'own id',
  'customer',
  'items',
  'total',
  'to collect',
  'deliver on',
  'address',
  'note',
] as const;

/** The labels of each view; `others` is every field that those before it do not show. */
const partsOf = {
  /** An order of the service, whole. */
  whole: [...placed, 'address', 'note', 'status', 'delivery', 'others'],
  /** One of several. */
  cancel: [...placed, 'address', 'status', 'delivery'],
  /** Everything that is about to be sent. */
  create: [...toSend, 'others'],
  /** An example, after the user has named the columns of a file. */
  import: toSend,
} as const;

const labels = {
  number: t`number`,
  'own id': t`own id`,
  created: t`created`,
  customer: t`customer`,
  items: t`items`,
  total: t`total`,
  'to collect': t`to collect`,
  'deliver on': t`deliver on`,
  address: t`address`,
  note: t`note`,
  status: t`status`,
  delivery: t`delivery`,
} satisfies Record<Exclude<(typeof partsOf)['whole'][number], 'others'>, Sentence>;

interface OrderLook {
  /** Without it, times are shown in full. */
  now?: number | undefined;
  places?: FieldPlaces;
  /** Of each text, so that the rest of the order stays on the screen. */
  maxLength?: number;
  /** Of the terminal, for which texts are wrapped. */
  width?: number | undefined;
  style?: Style;
  say?: Say;
}

export function formatOrder(
  order: Order,
  view: keyof typeof partsOf,
  {
    now,
    places = defaultPlaces,
    maxLength = 400,
    width = Number.POSITIVE_INFINITY,
    style = createStyle(false),
    say = sayInEnglish,
  }: OrderLook = {},
): string {
  const source = sourceOf(order, { places, now, say, isWhole: view === 'create' || view === 'whole' });
  const rows = partsOf[view].flatMap((part): CardRow[] => {
    if (part === 'others') return otherRows(source.rest);
    const texts = [parts[part](source)].flat().filter((text) => text !== undefined && text !== '');
    return texts.map((text = '', index) => ({
      path: index === 0 ? say(labels[part]) : '',
      text,
      isId: false,
    }));
  });
  const clipped = rows.map((row) => ({ ...row, text: shorten(cleanCell(row.text), maxLength) }));
  return formatCard(clipped, width, style);
}

interface CardRow extends Field {
  isId: boolean;
}

/** IDs of the service are for programs, so they come last. */
function otherRows(rest: readonly Field[]): CardRow[] {
  const others = rest.filter(({ path, text }) => path !== 'delivery' || text !== '');
  const rows = others.map(({ path, text }) => ({
    path,
    text: formatLocalTime(text),
    isId: path === 'id' || isUuid(text),
  }));
  return [...rows.filter(({ isId }) => !isId), ...rows.filter(({ isId }) => isId)];
}

/** A longer name has its text right behind it, rather than moving all texts to the right. */
const maxAlignedName = 14;
const maxNameLength = 60;
const minTextWidth = 20;

function formatCard(rows: readonly CardRow[], width: number, style: Style): string {
  const names = rows.map(({ path }) =>
    shorten(cleanCell(path), Math.min(maxNameLength, width - minTextWidth)),
  );
  const lengths = names.map((name) => name.length);
  const aligned = Math.max(0, ...lengths.filter((length) => length <= maxAlignedName));
  const indent = `\n${' '.repeat(aligned + gap)}`;
  return rows
    .map(({ text, isId }, index) => {
      const name = names[index]?.padEnd(aligned) ?? '';
      const room = Math.max(minTextWidth, width - name.length - gap);
      // Letters take up to two columns; measuring takes long.
      const value = text.length * 2 <= room ? text : wrapText(text, room).join(indent);
      if (value === '') return style.bold(name.trimEnd());
      return isId ? style.dim(`${name}  ${value}`) : `${style.bold(name)}  ${value}`;
    })
    .join('\n');
}

const gap = 2;

interface OrderOfFile {
  order: Order;
  row: number;
}

/** How much of an order is said; the first look with which it takes two lines is used. */
const looksInWords: readonly { length: number; lines: number; hasName: boolean }[] = [
  ...[120, 80, 60, 48, 40, 32].map((length) => ({ length, lines: 2, hasName: true })),
  ...[60, 48, 40, 32, 26].map((length) => ({ length, lines: 2, hasName: false })),
  ...[60, 48, 40, 32, 26, 20, 15, 11].map((length) => ({ length, lines: 1, hasName: false })),
];
const maxLinesInWords = 2;
const maxTextInWords = 400;

/** `K-101 (row 2) to 99001122: 2 × Tea; collect 45,000 ₮; БЗД 1; 2026-11-25`, cut to two lines of this width. */
export function formatOrderInWords(
  { order, row }: OrderOfFile,
  { places, width, say = sayInEnglish }: { places: FieldPlaces; width: number; say?: Say },
): string {
  const source = sourceOf(order, { places, now: undefined, isWhole: false, say });
  const { items, take } = source;
  const clean = (text: string | undefined) => cleanCell(shorten(text ?? '', maxTextInWords));
  const id = clean(parts['own id'](source));
  const phone = clean(take('customer.phone') ?? take('customer.externalCustomerId'));
  const name = clean(take(places.name));
  const lines = items.slice(0, 2).map((item) => clean(itemInWords(item, places)));
  const payment = clean(paymentInWords(source));
  const date = clean(take('requestedDeliveryDate'));
  const note = clean(parts.note(source));
  const address = clean(parts.address(source) || otherAddress(source)) || say(t`no address`);
  const inWords = (look: (typeof looksInWords)[number]) => {
    const short = (text: string) => shorten(text, look.length);
    const shown = lines.slice(0, look.lines).map(short);
    const more = items.length - shown.length;
    const goods = joined(
      [shown.join(' + ') || say(t`no lines`), more > 0 ? say(t`and ${more} more`) : ''],
      ' ',
    );
    const customer = joined([phone, look.hasName ? name : ''].map(short));
    const facts = [goods, payment, short(address), date, note && say(t`note "${short(note)}"`)];
    const who = customer === '' ? '' : say(t`to ${customer}`);
    return `${joined([short(id), say(t`(row ${row})`), who], ' ')}: ${joined(facts, '; ')}`;
  };
  const smallest = looksInWords.at(-1) as (typeof looksInWords)[number];
  const fits = (look: typeof smallest) => wrapText(inWords(look), width).length <= maxLinesInWords;
  return inWords(looksInWords.find(fits) ?? smallest);
}

/** A product by its name, or by its SKU when it has none. */
function itemInWords(item: Json, places: FieldPlaces): string {
  if (!isJsonObject(item)) return jsonText(item);
  const { take, rest } = takeFields(item);
  const takeField = (field: UnnamedField) => take(places[field].replace(/^items\[\]\./, ''));
  const quantity = takeField('quantity');
  const what = takeField('item') ?? take('sku') ?? joined(rest.map(({ path, text }) => `${path}: ${text}`));
  return joined([quantity && `${quantity} ×`, what], ' ');
}

function paymentInWords({ order, take, say }: Source): string {
  const mode = textField(order, 'collectionMode');
  const amount = formatAmount(take('collectionAmount') ?? '');
  const total = formatAmount(take('total') ?? '');
  const words =
    mode === 'NONE' ? t`prepaid` : mode === 'COLLECT' ? t`collect ${amount}` : t`payment not stated`;
  const isSame = mode === 'COLLECT' && total === amount;
  return joined([say(words), total === '' || isSame ? '' : say(t`total ${total}`)]);
}

/** An address that a column of the file sends under another name. */
function otherAddress({ rest }: Source): string {
  return joined(rest.filter(({ path }) => /address/i.test(path)).map(({ text }) => text));
}

interface ListSource {
  order: Order;
  /** Returns the text of a field and removes it from `rest`. */
  take(path: string): string | undefined;
  look: Pick<TimeLook, 'width'> & { now: number | undefined };
  say: Say;
}

interface Source extends ListSource {
  items: readonly Json[];
  rest: Field[];
  places: FieldPlaces;
  /** No part may leave anything out. */
  isWhole: boolean;
}

export const addressFields: readonly UnnamedField[] = [
  'address.company',
  'address.city',
  'address.district',
  'address.street',
  'address.province',
  'address.postalCode',
  'address.country',
];

const parts = {
  number: ({ take }: ListSource) => take('orderNumber') ?? take('id'),
  'own id': ({ take }: ListSource) => take('externalOrderId'),
  created: ({ take, say, look: { now, width } }: ListSource) => {
    const moment = take('createdAt') ?? '';
    return now === undefined ? formatLocalTime(moment) : say(formatMoment(moment, { now, width }));
  },
  customer: ({ take, places }: Source) =>
    joined([take('customer.phone'), take('customer.externalCustomerId'), take(places.name)]),
  items: itemTexts,
  total: ({ take }: Source) => formatAmount(take('total') ?? ''),
  'to collect': amountToCollect,
  'deliver on': ({ take, say }: Source) => {
    const date = take('requestedDeliveryDate');
    return date !== undefined && isCalendarDate(date) ? say(describeDay(date)) : date;
  },
  address: ({ take, places, rest, isWhole }: Source) => {
    const known = addressFields.map((field) => take(places[field]));
    const isOther = ({ path }: Field) => path.startsWith('deliveryAddress.') && path !== places.note;
    return joined([...known, ...(isWhole ? [] : rest.filter(isOther).map(({ text }) => text))]);
  },
  note: ({ take, places }: Source) => take(places.note),
  status: ({ take }: ListSource) => take('status'),
  delivery: ({ order, take, say }: ListSource) => {
    take('delivery.status');
    return deliveryText(order, say);
  },
};

function sourceOf(
  order: Order,
  {
    places,
    now,
    say = sayInEnglish,
    isWhole,
  }: Pick<Source, 'places' | 'isWhole'> & { now: number | undefined; say?: Say },
): Source {
  const items = orderLines(order);
  const { items: _, ...others } = order;
  const { rest, take } = takeFields(items.length > 0 ? others : order);
  return { order, items, rest, take, places, isWhole, say, look: { width: minWholeWidth, now } };
}

function takeFields(record: JsonObject): Pick<Source, 'take' | 'rest'> {
  const rest = flattenFields(record);
  const take = (path: string) => {
    const index = rest.findIndex((field) => field.path === path && field.text !== '');
    return index < 0 ? undefined : rest.splice(index, 1)[0]?.text;
  };
  return { rest, take };
}

function joined(texts: readonly (string | undefined)[], separator = ', '): string {
  return texts.filter((text) => text !== undefined && text !== '').join(separator);
}

const maxItems = 4;

/** `2 × TEA-001, Black tea`, with all other fields when `isWhole`: `unitPrice: 5000`. */
function itemTexts({ items, places, say, isWhole }: Source): string[] {
  const texts = items.slice(0, isWhole ? items.length : maxItems).map((item) => {
    if (!isJsonObject(item)) return jsonText(item);
    const { rest, take } = takeFields(item);
    const takeField = (field: UnnamedField) => take(places[field].replace(/^items\[\]\./, ''));
    const quantity = takeField('quantity');
    const names = [take('sku'), takeField('item')];
    const others = isWhole ? rest.map(({ path, text }) => `${path}: ${text}`) : [];
    return joined([quantity && `${quantity} ×`, joined([...names, ...others])], ' ');
  });
  const more = items.length - texts.length;
  return more > 0 ? [...texts, say(t`and ${more} more`)] : texts;
}

/** When `isWhole`, a mode and an amount that contradict each other are shown as they are. */
function amountToCollect({ order, take, say, isWhole }: Source): string | undefined {
  const mode = textField(order, 'collectionMode');
  const amount = member(order, 'collectionAmount');
  const isPrepaid = mode === 'NONE' && (!isWhole || amount === undefined);
  if (isWhole && !isPrepaid && (mode !== 'COLLECT' || typeof amount !== 'string')) return undefined;
  take('collectionMode');
  return isPrepaid ? say(t`nothing (prepaid)`) : formatAmount(take('collectionAmount') ?? '');
}

function deliveryText(order: Order, say: Say): string | undefined {
  const delivery = member(order, 'delivery');
  if (delivery === null) return say(t`none yet`);
  const [status, whole] = pickCells(order, ['delivery.status', 'delivery']);
  return typeof member(delivery, 'status') === 'string' ? status : whole;
}

/** More of them would not be on the screen. */
const maxCards = 3;
const maxLines = 200;
const maxStatuses = 8;

/** One order as `get` shows it; of several less of each, and their sums; of many a line each. `now` in epoch milliseconds. */
export function formatOrdersToCancel(
  orders: readonly Order[],
  look: Pick<OrderLook, 'now' | 'width' | 'say'>,
): string {
  const { say = sayInEnglish } = look;
  if (orders.length > maxCards) {
    const more = orders.length - maxLines;
    const inLine = { width: look.width ?? Number.POSITIVE_INFINITY, now: look.now ?? 0, say };
    const lines = orders.slice(0, maxLines).map((order) => orderLine(order, inLine));
    return [
      ...lines,
      ...(more > 0 ? [say(t`... and ${more} more`)] : []),
      '',
      formatSums(orders, say),
      '',
    ].join('\n');
  }
  const view = orders.length === 1 ? 'whole' : 'cancel';
  const cards = orders.map((order) => `${formatOrder(order, view, look)}\n`);
  return [...cards, ...(orders.length > 1 ? [`${formatSums(orders, say)}\n`] : [])].join('\n');
}

function formatSums(orders: readonly Order[], say: Say): string {
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
    { path: say(t`orders`), text: String(orders.length) },
    { path: say(labels.total), text: formatAmount(total.value() ?? '') },
    { path: say(labels['to collect']), text: formatAmount(toCollect.value() ?? '') },
    {
      path: say(t`by status`),
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

/** `ORD-2026-000123 is already cancelled (21 Nov 14:02: out of stock).` Time and reason only if the service returns them. */
export function formatAlreadyCancelled(order: Order, now: number): Text {
  const name = cleanCell(textField(order, 'orderNumber') ?? textField(order, 'id') ?? '');
  const moment = textField(order, 'cancelledAt');
  const when =
    moment === undefined ? undefined : formatMoment(cleanCell(moment), { width: minWholeWidth, now });
  const reason = textField(order, 'cancelReason');
  const facts = [when, reason && cleanCell(reason)].filter((fact) => fact !== undefined);
  if (facts.length === 0) return t`${name} is already cancelled. Nothing was sent.`;
  return t`${name} is already cancelled (${joinTexts(facts, ': ')}). Nothing was sent.`;
}

/** `ORD-2026-000123, 99112233, 25,000 ₮`, for a question. */
export function orderInShort(order: Order): string {
  const amount = jsonText(member(order, 'total') ?? member(order, 'collectionAmount') ?? '');
  const name = textField(order, 'orderNumber') ?? textField(order, 'id');
  const facts = [name, textField(member(order, 'customer'), 'phone'), amount && formatAmount(amount)];
  return joined(facts.map((fact) => shorten(cleanCell(fact ?? ''), maxFactLength)));
}

const maxFactLength = 60;

export interface ListLook extends TimeLook {
  say?: Say;
}

interface Column extends TableColumn {
  text(order: Order, look: ListLook & { say: Say }): string | undefined;
}

export function gapOf({ width }: Pick<TimeLook, 'width'>): number {
  return width < minWholeWidth ? 1 : 2;
}

export const ownId: TableColumn = { name: 'own id', keepsEnd: true };

function part(name: 'number' | 'own id' | 'created' | 'status' | 'delivery'): Pick<Column, 'name' | 'text'> {
  return {
    name,
    text: (order, look) =>
      parts[name]({ order, look, say: look.say, take: (path) => pickCells(order, [path])[0] || undefined }),
  };
}

const columns: readonly Column[] = [
  part('created'),
  { ...part('number'), isIdentifier: true },
  { ...part('own id'), ...ownId },
  { name: 'phone', text: phoneText },
  {
    name: 'to collect',
    isAmount: true,
    text: (order) =>
      textField(order, 'collectionMode') === 'NONE'
        ? ''
        : formatAmount(textField(order, 'collectionAmount') ?? '').replace(/ ₮$/, ''),
  },
  {
    name: 'deliver on',
    text: (order, look) => look.say(formatDay(textField(order, 'requestedDeliveryDate') ?? '', look)),
  },
  part('status'),
  part('delivery'),
];

const shortHeads: Record<string, Sentence> = { created: t`made` };
const heads: Record<string, Sentence> = { ...labels, phone: t`phone` };

/** Orders for a person at a terminal, with local times. */
export function orderList(
  orders: readonly Order[],
  { say = sayInEnglish, ...look }: ListLook,
): [columns: readonly TableColumn[], rows: string[][]] {
  const headOf = (name: string) =>
    (look.width < minWholeWidth ? shortHeads[name] : undefined) ?? heads[name] ?? name;
  const shown = columns.map((column) => ({ ...column, name: say(headOf(column.name)) }));
  return [shown, orders.map((order) => columns.map(({ text }) => text(order, { ...look, say }) ?? ''))];
}

/** `21 Nov  ORD-2026-000123  UB-1  99112233  collect 45,000 ₮  CONFIRMED`, for a list to choose from. */
export function orderLine(order: Order, { width, now, say = sayInEnglish }: ListLook): string {
  const look = { width: minWholeWidth - 1, now, say };
  const texts = columns.map(({ name, text }) => {
    if (['deliver on', 'delivery'].includes(name)) return undefined;
    const cell = cleanCell(text(order, look) ?? '');
    if (name !== 'to collect') return cell;
    if (textField(order, 'collectionMode') === 'NONE') return say(t`prepaid`);
    return cell === '' ? cell : say(t`collect ${cell} ₮`);
  });
  return shorten(joined(texts, '  '), width - markWidth);
}

/** The mark that a prompt puts before a choice, and one free column. */
const markWidth = 3;

/** In a narrow terminal a Mongolian number has no country code and no gap. */
function phoneText(order: Order, { width }: TimeLook): string {
  const phone = textField(member(order, 'customer'), 'phone') ?? '';
  return width < minWholeWidth
    ? phone.replace(/^(?:(?:00|\+)?\(?976\)?[ -]?)?(\d{4})[ -]?(\d{4})$/, '$1$2')
    : phone;
}
