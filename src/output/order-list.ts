import { type Say, type Sentence, sayInEnglish, t } from '../advice/advice.ts';
import { cleanCell, shorten } from '../clean-text.ts';
import { formatAmount } from '../orders/decimal.ts';
import { jsonText, member } from '../orders/json.ts';
import { type Order, phoneOf, textField } from '../orders/order.ts';
import { joined, pickCells } from './fields.ts';
import { deliveryText, labels } from './order-view.ts';
import type { TableColumn } from './table.ts';
import { formatDay, formatMoment, minWholeWidth, type TimeLook } from './times.ts';

/** `ORD-2026-000123, 99112233, 25,000 ₮`, for a question. */
export function orderInShort(order: Order): string {
  const amount = jsonText(member(order, 'total') ?? member(order, 'collectionAmount') ?? '');
  const name = textField(order, 'orderNumber') ?? textField(order, 'id');
  const facts = [name, phoneOf(order), amount && formatAmount(amount)];
  return joined(facts.map((fact) => shorten(cleanCell(fact ?? ''), maxFactLength)));
}

const maxFactLength = 60;

interface ListLook extends TimeLook {
  say?: Say;
}

interface Column extends TableColumn {
  text(order: Order, look: ListLook & { say: Say }): string | undefined;
}

export function gapOf({ width }: Pick<TimeLook, 'width'>): number {
  return width < minWholeWidth ? 1 : 2;
}

export const ownId: TableColumn = { name: 'own id', keepsEnd: true };

function cellOf(order: Order, path: string): string | undefined {
  return pickCells(order, [path])[0] || undefined;
}

/** From left to right, each as wide as its widest text; `width.ts` says what is cut in a narrow terminal. */
const columns: readonly Column[] = [
  { name: 'created', text: (order, look) => look.say(formatMoment(cellOf(order, 'createdAt') ?? '', look)) },
  {
    name: 'number',
    isIdentifier: true,
    text: (order) => cellOf(order, 'orderNumber') ?? cellOf(order, 'id'),
  },
  { ...ownId, text: (order) => cellOf(order, 'externalOrderId') },
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
  { name: 'status', text: (order) => cellOf(order, 'status') },
  { name: 'delivery', text: (order, { say }) => deliveryText(order, say) },
];

/** As narrow as what stands below. */
const shortHeads: Record<string, Sentence> = {
  created: t`made`,
  'to collect': t`cash`,
  'deliver on': t`day`,
  delivery: t`courier`,
};
const heads: Record<string, Sentence> = labels;

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
    if (textField(order, 'collectionMode') === 'NONE') return say(t`already paid`);
    return cell === '' ? cell : say(t`collect ${cell} ₮`);
  });
  return shorten(joined(texts, '  '), width - markWidth);
}

/** `Б.Болд: 2 × TEA-001, 1 × COF-001`, which tells orders of one phone apart. */
export function whoAndWhat(order: Order): string {
  const texts = pickCells(order, ['customer.name', 'items']).map(cleanCell);
  return shorten(joined(texts, ': '), maxGoodsLength);
}

const maxGoodsLength = 150;

/** The mark that a prompt puts before a choice, the `…`, and one free column. */
const markWidth = 4;

/** In a narrow terminal a Mongolian number has no country code and no gap. */
function phoneText(order: Order, { width }: TimeLook): string {
  const phone = phoneOf(order) ?? '';
  return width < minWholeWidth
    ? phone.replace(/^(?:(?:00|\+)?\(?976\)?[ -]?)?(\d{4})[ -]?(\d{4})$/, '$1$2')
    : phone;
}
