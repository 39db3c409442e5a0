import { hash } from 'node:crypto';
import { joinTexts, type Text, t } from '../../advice/advice.ts';
import { cleanCell, shorten } from '../../clean-text.ts';
import { cleanCell as readCell } from '../../csv/read-csv.ts';
import { protectCell } from '../../csv/write-csv.ts';

/** The rows of one order, without the column that its copy has in front. */
export interface SheetOrder {
  /** Of its first row. */
  row: number;
  rows: readonly (readonly string[])[];
}

/** As an order of the copy. */
export interface NumberedOrder extends SheetOrder {
  id: string;
}

/** Columns that say which order it is, by their indexes; empty where the mapping does not say. */
export interface TellingColumns {
  phone: readonly number[];
  goods: readonly number[];
}

export interface MatchedOrders {
  edited: { now: SheetOrder; before: NumberedOrder }[];
  /** Orders that cannot be told apart. */
  unclear: { now: SheetOrder[]; before: NumberedOrder[] }[];
  /** Those that no order of the copy is like. */
  added: SheetOrder[];
  /** Those of the copy that no order of the sheet is like. */
  gone: NumberedOrder[];
}

/** The cells as they are read again once they are written; a spreadsheet drops blank ones at the end. */
export function textOf(rows: SheetOrder['rows']): string {
  return JSON.stringify(
    rows.map((cells) => {
      const read = cells.map((cell) => readCell(protectCell(cell)));
      return read.slice(0, 1 + read.findLastIndex((cell) => cell !== ''));
    }),
  );
}

/**
 * Finds the orders that are the same but for an edit: all cells but one are equal, all rows but one, or the phone and
 * the goods. The same phone goes first. Neither list has an order of the other.
 */
export function matchEdited(
  now: readonly SheetOrder[],
  before: readonly NumberedOrder[],
  columns: TellingColumns,
): MatchedOrders {
  const [samePhone, otherPhone] = [keysWithPhone, keysWithoutPhone].map(
    (keysOf) => (order: SheetOrder) => keysOf(order, columns),
  ) as [KeysOf, KeysOf];
  const first = matchBy(samePhone, now, before);
  const second = matchBy(otherPhone, first.added, first.gone);
  return {
    ...second,
    edited: [...first.edited, ...second.edited].sort((left, right) => left.now.row - right.now.row),
    unclear: [...first.unclear, ...second.unclear],
  };
}

type KeysOf = (order: SheetOrder) => string[];

/** Orders with equal cells are alike, and it does not matter which of them is which. */
interface Alike<Order> {
  orders: Order[];
  others: Set<Alike<SheetOrder>>;
}

/** More of them say nothing more. */
const maxOthers = 3;

function matchBy(
  keysOf: KeysOf,
  now: readonly SheetOrder[],
  before: readonly NumberedOrder[],
): MatchedOrders {
  const [groupsNow, groupsBefore] = [groupAlike(now), groupAlike(before)];
  const byKey = new Map<string, Alike<NumberedOrder>[]>();
  for (const group of groupsBefore) {
    for (const key of keysOf(group.orders[0] as NumberedOrder)) {
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [group]);
      else if (known.length < maxOthers) known.push(group);
    }
  }
  for (const group of groupsNow) {
    for (const other of keysOf(group.orders[0] as SheetOrder).flatMap((key) => byKey.get(key) ?? [])) {
      group.others.add(other);
      if (other.others.size < maxOthers) other.others.add(group);
    }
  }
  const found: MatchedOrders = { edited: [], unclear: [], added: [], gone: [] };
  const taken = new Set<Alike<SheetOrder>>();
  for (const group of groupsNow) {
    const [other, ...more] = [...group.others] as Alike<NumberedOrder>[];
    if (other === undefined) found.added.push(...group.orders);
    else if (more.length === 0 && other.others.size === 1) {
      const count = Math.min(group.orders.length, other.orders.length);
      for (const [index, order] of group.orders.slice(0, count).entries())
        found.edited.push({ now: order, before: other.orders[index] as NumberedOrder });
      found.added.push(...group.orders.slice(count));
      found.gone.push(...other.orders.slice(count));
      taken.add(other);
    } else {
      const all = [other, ...more];
      found.unclear.push({ now: group.orders, before: all.flatMap(({ orders }) => orders) });
      for (const each of all) taken.add(each);
    }
  }
  found.gone.push(...groupsBefore.filter((group) => !taken.has(group)).flatMap(({ orders }) => orders));
  found.added.sort((left, right) => left.row - right.row);
  return found;
}

function groupAlike<Order extends SheetOrder>(orders: readonly Order[]): Alike<Order>[] {
  const groups = new Map<string, Alike<Order>>();
  for (const order of orders) {
    const text = textOf(order.rows);
    const known = groups.get(text);
    if (known === undefined) groups.set(text, { orders: [order], others: new Set() });
    else known.orders.push(order);
  }
  return [...groups.values()];
}

function keyOf(kind: string, rows: SheetOrder['rows']): string[] {
  const isBlank = rows.every((cells) => cells.every((cell) => cell === ''));
  return isBlank ? [] : [`${kind} ${hash('sha256', textOf(rows), 'base64')}`];
}

/** Two orders that share one have the same phone. */
function keysWithPhone({ rows }: SheetOrder, { phone, goods }: TellingColumns): string[] {
  const pick = (indexes: readonly number[]) =>
    rows.map((cells) => indexes.map((index) => cells[index] ?? ''));
  const hasBoth = [phone, goods].every((indexes) =>
    pick(indexes)
      .flat()
      .some((cell) => cell !== ''),
  );
  const withoutRow = rows.length < 2 ? [] : rows.slice(1).map((_, index) => rows.toSpliced(index + 1, 1));
  return [
    ...(hasBoth ? keyOf('goods', pick([...phone, ...goods])) : []),
    ...keysWithoutCell(rows, (index) => !phone.includes(index)),
    ...[rows, ...withoutRow].flatMap((others) => keyOf('rows', others)),
  ];
}

function keysWithoutPhone({ rows }: SheetOrder, { phone }: TellingColumns): string[] {
  return keysWithoutCell(rows, (index) => phone.includes(index));
}

function keysWithoutCell(rows: SheetOrder['rows'], isChosen: (index: number) => boolean): string[] {
  const width = Math.max(...rows.map((cells) => cells.length));
  const indexes = Array.from({ length: width }, (_, index) => index).filter(isChosen);
  return rows.flatMap((cells, row) =>
    indexes.flatMap((index) =>
      keyOf(`${row} ${index}`, rows.with(row, [...cells.slice(0, index), '', ...cells.slice(index + 1)])),
    ),
  );
}

/** The cells that differ, in the order of the sheet; undefined where rows were added or removed. */
function changedCells(
  now: SheetOrder,
  before: SheetOrder,
): { column: number; from: string; to: string }[] | undefined {
  if (now.rows.length !== before.rows.length) return undefined;
  return now.rows.flatMap((cells, row) => {
    const others = before.rows[row] ?? [];
    return Array.from({ length: Math.max(cells.length, others.length) }, (_, column) => column).flatMap(
      (column) => {
        const [from, to] = [others, cells].map((all) => readCell(protectCell(all[column] ?? '')));
        return from === undefined || to === undefined || from === to ? [] : [{ column, from, to }];
      },
    );
  });
}

const maxShown = 40;

/** `Хэд 2 → 3, Дүн 55000 → 80000` */
export function describeChanges(
  { now, before }: { now: SheetOrder; before: SheetOrder },
  header: readonly string[],
): Text {
  const cells = changedCells(now, before);
  if (cells === undefined) return t`${before.rows.length} → ${now.rows.length} rows`;
  const show = (text: string): Text => (text === '' ? t`(blank)` : shorten(cleanCell(text), maxShown));
  const texts = cells.map(
    ({ column, from, to }) =>
      t`${shorten(cleanCell(header[column] ?? ''), maxShown)} ${show(from)} → ${show(to)}`,
  );
  return joinTexts(texts, ', ');
}
