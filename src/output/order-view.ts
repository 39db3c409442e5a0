import { commandFor, type Say, type Sentence, sayInEnglish, type Text, t } from '../advice/advice.ts';
import { cleanCell, shorten } from '../clean-text.ts';
import { isCalendarDate } from '../orders/calendar-date.ts';
import { formatAmount } from '../orders/decimal.ts';
import { isJsonObject, type Json, jsonText, member } from '../orders/json.ts';
import { type Order, orderLines, textField } from '../orders/order.ts';
import { isUuid } from '../orders/order-reference.ts';
import { defaultPaths, type FieldPaths, type UnnamedField } from '../orders/unnamed-fields.ts';
import { cutTo, padTo, widthOf } from '../text-width.ts';
import { type Field, joined, pickCells, takeFields } from './fields.ts';
import { createStyle, type Style } from './print.ts';
import { describeDay, formatLocalTime, formatMoment, minWholeWidth } from './times.ts';
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

type View = keyof typeof partsOf;
type Part = Exclude<(typeof partsOf)[View][number], 'others'>;

export const labels = {
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
  phone: t`phone`,
} satisfies Record<Part | 'phone', Sentence>;

interface OrderLook {
  /** Without it, times are shown in full. */
  now?: number | undefined;
  fieldPaths?: FieldPaths;
  /** Of each text, so that the rest of the order stays on the screen. */
  maxLength?: number;
  /** Of the terminal, for which texts are wrapped. */
  width?: number | undefined;
  style?: Style;
  say?: Say;
}

export function formatOrder(
  order: Order,
  view: View,
  {
    now,
    fieldPaths = defaultPaths,
    maxLength = 400,
    width = Number.POSITIVE_INFINITY,
    style = createStyle(false),
    say = sayInEnglish,
  }: OrderLook = {},
): string {
  const source = sourceOf(order, { fieldPaths, now, say, isWhole: view === 'create' || view === 'whole' });
  const rows = partsOf[view].flatMap((part): CardRow[] => {
    if (part === 'others') return otherRows(source.rest, say);
    return textsOf(orderParts[part](source)).map((text, index) => ({
      path: index === 0 ? say(labels[part]) : '',
      text,
    }));
  });
  return formatCard(rows, { width, style, maxLength });
}

/** Those that are there. */
export function textsOf(given: string | string[] | undefined): string[] {
  return [given].flat().filter((text) => text !== undefined && text !== '') as string[];
}

/** Which command lists what is packed for the day of delivery, or what was created today. */
export function describePapers(context: Parameters<typeof commandFor>[0], date: string | undefined): Text {
  const day = date !== undefined && isCalendarDate(date) ? date : undefined;
  const orders = day === undefined ? ['--created-from', 'today', '--all'] : ['--deliver-on', day];
  const command = commandFor(context, ['list', ...orders, '--for', 'packing']);
  return day === undefined
    ? t`To list what to pack, run:\n  ${command}`
    : t`To list what to pack for ${describeDay(day)}, run:\n  ${command}`;
}

interface CardRow extends Field {
  isId?: boolean;
}

/** IDs of the service are for programs, so they come last. */
function otherRows(rest: readonly Field[], say: Say): CardRow[] {
  const others = rest.filter(({ path, text }) => path !== 'delivery' || text !== '');
  const rows = others.map(({ path, text }) => ({
    path: say(otherLabels[path] ?? path),
    text: formatLocalTime(text),
    isId: path === 'id' || isUuid(text),
  }));
  return [...rows.filter(({ isId }) => !isId), ...rows.filter(({ isId }) => isId)];
}

/** Other fields that the interface names; in English they have its names. */
const otherLabels: Readonly<Record<string, Sentence>> = {
  currency: t`currency`,
  cancelReason: t`cancelReason`,
  cancelledAt: t`cancelledAt`,
};

/** A longer name has its text right behind it, rather than moving all texts to the right. */
const maxAlignedName = 14;
const maxNameLength = 60;
const minTextWidth = 20;

export function formatCard(
  rows: readonly CardRow[],
  { width, style, maxLength }: Required<Pick<OrderLook, 'style' | 'maxLength'>> & { width: number },
): string {
  const names = rows.map(({ path }) => cutTo(cleanCell(path), Math.min(maxNameLength, width - minTextWidth)));
  const lengths = names.map(widthOf);
  const aligned = Math.max(0, ...lengths.filter((length) => length <= maxAlignedName));
  const indent = `\n${' '.repeat(aligned + gap)}`;
  return rows
    .map((row, index) => {
      const text = shorten(cleanCell(row.text), maxLength);
      const name = padTo(names[index] ?? '', aligned);
      const room = Math.max(minTextWidth, width - widthOf(name) - gap);
      // Letters take up to two columns; measuring takes long.
      const value = text.length * 2 <= room ? text : wrapText(text, room).join(indent);
      if (value === '') return style.bold(name.trimEnd());
      return row.isId ? style.dim(`${name}  ${value}`) : `${style.bold(name)}  ${value}`;
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
  { fieldPaths, width, say = sayInEnglish }: { fieldPaths: FieldPaths; width: number; say?: Say },
): string {
  const source = sourceOf(order, { fieldPaths, now: undefined, isWhole: false, say });
  const { items, take } = source;
  const clean = (text: string | undefined) => cleanCell(shorten(text ?? '', maxTextInWords));
  const id = clean(orderParts['own id'](source));
  const phone = clean(take('customer.phone') ?? take('customer.externalCustomerId'));
  const name = clean(take(fieldPaths.name));
  const lines = items.slice(0, 2).map((item) => clean(itemInWords(item, fieldPaths)));
  const payment = clean(paymentInWords(source));
  const date = clean(take('requestedDeliveryDate'));
  const note = clean(orderParts.note(source));
  const address = clean(orderParts.address(source) || otherAddress(source)) || say(t`no address`);
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
function itemInWords(item: Json, fieldPaths: FieldPaths): string {
  if (!isJsonObject(item)) return jsonText(item);
  const { take, rest, takeField } = takeFields(item, fieldPaths);
  const quantity = takeField('quantity');
  const what = takeField('item') ?? take('sku') ?? joined(rest.map(({ path, text }) => `${path}: ${text}`));
  return joined([quantity && `${quantity} ×`, what], ' ');
}

function paymentInWords({ order, take, say }: OrderSource): string {
  const mode = textField(order, 'collectionMode');
  const amount = formatAmount(take('collectionAmount') ?? '');
  const total = formatAmount(take('total') ?? '');
  const words =
    mode === 'NONE' ? t`prepaid` : mode === 'COLLECT' ? t`collect ${amount}` : t`payment not stated`;
  const isSame = mode === 'COLLECT' && total === amount;
  return joined([say(words), total === '' || isSame ? '' : say(t`total ${total}`)]);
}

/** An address under another name. */
export function otherAddress({ rest, fieldPaths }: OrderSource): string {
  const isOther = ({ path, text }: Field) =>
    /address/i.test(path) && path !== fieldPaths.note && !isUuid(text);
  return joined(rest.filter(isOther).map(({ text }) => text));
}

export interface OrderSource {
  order: Order;
  items: readonly Json[];
  /** Returns the text of a field and removes it from `rest`. */
  take(path: string): string | undefined;
  rest: Field[];
  fieldPaths: FieldPaths;
  now: number | undefined;
  /** No part may leave anything out. */
  isWhole: boolean;
  say: Say;
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

export const orderParts = {
  number: ({ take }: OrderSource) => take('orderNumber') ?? take('id'),
  'own id': ({ take }: OrderSource) => take('externalOrderId'),
  created: ({ take, say, now }: OrderSource) => {
    const moment = take('createdAt') ?? '';
    return now === undefined
      ? formatLocalTime(moment)
      : say(formatMoment(moment, { now, width: minWholeWidth }));
  },
  customer: ({ take, fieldPaths }: OrderSource) =>
    joined([take('customer.phone'), take('customer.externalCustomerId'), take(fieldPaths.name)]),
  items: itemTexts,
  total: ({ take }: OrderSource) => formatAmount(take('total') ?? ''),
  'to collect': amountToCollect,
  'deliver on': ({ take, say }: OrderSource) => {
    const date = take('requestedDeliveryDate');
    return date !== undefined && isCalendarDate(date) ? say(describeDay(date)) : date;
  },
  address: ({ take, fieldPaths, rest, isWhole }: OrderSource) => {
    const known = addressFields.map((field) => take(fieldPaths[field]));
    const isOther = ({ path }: Field) => path.startsWith('deliveryAddress.') && path !== fieldPaths.note;
    return joined([...known, ...(isWhole ? [] : rest.filter(isOther).map(({ text }) => text))]);
  },
  note: ({ take, fieldPaths }: OrderSource) => take(fieldPaths.note),
  status: ({ take }: OrderSource) => take('status'),
  delivery: ({ order, take, say }: OrderSource) => {
    take('delivery.status');
    return deliveryText(order, say);
  },
};

export function sourceOf(
  order: Order,
  { fieldPaths, now, say, isWhole }: Pick<OrderSource, 'fieldPaths' | 'now' | 'say' | 'isWhole'>,
): OrderSource {
  const items = orderLines(order);
  const { items: _, ...others } = order;
  const { rest, take } = takeFields(items.length > 0 ? others : order, fieldPaths);
  return { order, items, rest, take, fieldPaths, now, isWhole, say };
}

const maxItems = 4;

/** `2 × TEA-001, Black tea`, with all other fields when `isWhole`: `unitPrice: 5000`. */
function itemTexts({ items, fieldPaths, say, isWhole }: OrderSource): string[] {
  const texts = items.slice(0, isWhole ? items.length : maxItems).map((item) => {
    if (!isJsonObject(item)) return jsonText(item);
    const { rest, take, takeField } = takeFields(item, fieldPaths);
    const quantity = takeField('quantity');
    const names = [take('sku'), takeField('item')];
    const others = isWhole ? rest.map(({ path, text }) => `${path}: ${text}`) : [];
    return joined([quantity && `${quantity} ×`, joined([...names, ...others])], ' ');
  });
  const more = items.length - texts.length;
  return more > 0 ? [...texts, say(t`and ${more} more`)] : texts;
}

/** When `isWhole`, a mode and an amount that contradict each other are shown as they are. */
function amountToCollect({ order, take, say, isWhole }: OrderSource): string | undefined {
  const mode = textField(order, 'collectionMode');
  const amount = member(order, 'collectionAmount');
  const isPrepaid = mode === 'NONE' && (!isWhole || amount === undefined);
  if (isWhole && !isPrepaid && (mode !== 'COLLECT' || typeof amount !== 'string')) return undefined;
  take('collectionMode');
  return isPrepaid ? say(t`nothing (prepaid)`) : formatAmount(take('collectionAmount') ?? '');
}

export function deliveryText(order: Order, say: Say): string | undefined {
  const delivery = member(order, 'delivery');
  if (delivery === null) return say(t`none yet`);
  const [status, whole] = pickCells(order, ['delivery.status', 'delivery']);
  return typeof member(delivery, 'status') === 'string' ? status : whole;
}
