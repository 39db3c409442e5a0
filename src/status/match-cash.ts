import { toHundredths } from '../orders/decimal.ts';
import { member, parseWritten } from '../orders/json.ts';
import { textField } from '../orders/order.ts';
import { toOrderNumber } from '../orders/order-reference.ts';
import { possiblePhone } from '../orders/phone.ts';
import type { CashEntry } from './cash-list.ts';
import type { FileOrder } from './file-orders.ts';
import { amountToCollect, type OrderState } from './order-state.ts';

/**
 * `not_in_lists`: no list names the order, which may not have been delivered yet. `not_compared`: the service does not show
 * what is to be collected.
 */
export type CashResult =
  | 'equal'
  | 'differs'
  | 'twice'
  | 'not_to_collect'
  | 'unknown_order'
  | 'not_compared'
  | 'not_in_lists';

/** What the lists say of an order, or of one that is not known. */
export interface OrderCash {
  order: FileOrder | undefined;
  entries: readonly CashEntry[];
  result: CashResult;
  /** In hundredths; undefined when no list names the order. */
  collected: bigint | undefined;
  due: bigint | undefined;
}

type States = ReadonlyMap<FileOrder, OrderState>;

/** The entries that name another order than these. */
export function entriesElsewhere(entries: readonly CashEntry[], states: States): CashEntry[] {
  const find = createFinder(states);
  return entries.filter(({ reference }) => reference !== '' && find(reference) === undefined);
}

export interface MatchedCash {
  orders: Map<CashEntry, FileOrder>;
  /** Of a phone with several orders, of which amount and day do not say which is meant. */
  open: { entry: CashEntry; orders: FileOrder[] }[];
}

/** The order of each entry: by its name, else by its phone among the orders of the file. */
export function matchCash(entries: readonly CashEntry[], states: States, ofFile: States): MatchedCash {
  const find = createFinder(states);
  const matched: MatchedCash = { orders: new Map(), open: [] };
  for (const entry of entries) {
    const order = find(entry.reference);
    if (order !== undefined) matched.orders.set(entry, order);
  }
  const unnamed = entries.filter(({ reference, phone }) => reference === '' && phone !== '');
  const ordersOf = unnamed.length === 0 ? new Map() : groupBy(factsOf(ofFile), ({ phone }) => phone);
  for (const [phone, rows] of groupBy(unnamed, (entry) => possiblePhone(entry.phone)))
    matchPhone(rows, ordersOf.get(phone) ?? [], matched);
  return matched;
}

interface Facts {
  amount: bigint | undefined;
  day?: string | undefined;
}

interface OrderFacts extends Facts {
  order: FileOrder;
  phone: string | undefined;
}

/** Without orders that cannot be meant. The service may mask the phone. */
function factsOf(states: States): OrderFacts[] {
  return [...states].flatMap(([order, state]) => {
    if (state.isRepeat || (order.isLeftOut && state.id === undefined)) return [];
    const ofFile = () => textField(member(parseWritten(order.body), 'customer'), 'phone') ?? '';
    const phone = possiblePhone(state.phone) ?? possiblePhone(ofFile());
    return { order, phone, amount: dueOf(state), day: state.deliverOn };
  });
}

/** What tells the orders of a phone apart, surest first. With the same amount it does not matter which is which. */
const ties: readonly ((facts: Facts) => string | undefined)[] = [
  ({ amount, day }) => (day ? `${amount} ${day}` : undefined),
  ({ amount }) => amount?.toString(),
];

function matchPhone(
  rows: readonly CashEntry[],
  orders: readonly OrderFacts[],
  { orders: matched, open }: MatchedCash,
): void {
  const [first, ...others] = orders;
  if (first === undefined) return;
  if (others.length === 0) for (const entry of rows) matched.set(entry, first.order);
  let free = orders;
  for (const tie of ties) {
    const freeBy = groupBy(free, tie);
    const left = rows.filter((entry) => !matched.has(entry));
    for (const [key, same] of groupBy(left, tie)) {
      const theirs = freeBy.get(key) ?? [];
      if (theirs.length !== same.length) continue;
      for (const [place, entry] of same.entries()) matched.set(entry, theirs[place]?.order ?? first.order);
      free = free.filter((facts) => !theirs.includes(facts));
    }
  }
  const candidates = (free.length > 0 ? free : orders).map(({ order }) => order);
  for (const entry of rows) if (!matched.has(entry)) open.push({ entry, orders: candidates });
}

function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined && !groups.get(key)?.push(item)) groups.set(key, [item]);
  }
  return groups;
}

/** Of each order, but for those that no list names and of which nothing is missing; and of entries without an order. */
export function compareCash(
  entries: readonly CashEntry[],
  { states, ofFile }: { states: States; ofFile: States },
  orders: MatchedCash['orders'],
): OrderCash[] {
  const named = new Map<FileOrder, CashEntry[]>();
  for (const entry of entries) {
    const order = orders.get(entry);
    if (order !== undefined && !named.get(order)?.push(entry)) named.set(order, [entry]);
  }
  const compared = [...states].flatMap(([order, state]): OrderCash[] => {
    const own = named.get(order) ?? [];
    const due = dueOf(state);
    const collected = own.length === 0 ? undefined : own.reduce((sum, { amount }) => sum + amount, 0n);
    const isNothing = due === 0n || state.id === undefined || state.isRepeat || !ofFile.has(order);
    if (collected === undefined && isNothing) return [];
    return [{ order, entries: own, result: resultOf(state, own.length, collected, due), collected, due }];
  });
  const unknown = entries.flatMap((entry): OrderCash[] => {
    if (orders.has(entry)) return [];
    const { amount: collected } = entry;
    return [{ order: undefined, entries: [entry], result: 'unknown_order', collected, due: undefined }];
  });
  return [...compared, ...unknown];
}

/** By what the file calls it, else by its number, UUID or external order ID. The same order may be named in several ways. */
function createFinder(states: States): (reference: string) => FileOrder | undefined {
  const byName = new Map<string, FileOrder>();
  const byId = new Map<string, FileOrder>();
  const add = (name: string, order: FileOrder) => {
    if (name !== '' && !byName.has(name)) byName.set(name, order);
  };
  for (const [order, { id }] of states) {
    const first = (id === undefined ? undefined : byId.get(id)) ?? order;
    if (id !== undefined) byId.set(id, first);
    add(order.reference, first);
  }
  for (const [order, { id = '', orderNumber, externalOrderId }] of states)
    for (const name of [orderNumber, id, externalOrderId]) add(name, order);
  return (reference) =>
    byName.get(reference) ?? byName.get(toOrderNumber(reference)) ?? byName.get(reference.toLowerCase());
}

function resultOf(
  { id }: OrderState,
  count: number,
  collected: bigint | undefined,
  due: bigint | undefined,
): CashResult {
  if (count === 0) return 'not_in_lists';
  if (id === undefined) return 'unknown_order';
  if (count > 1) return 'twice';
  if (due === undefined) return 'not_compared';
  if (collected === due) return 'equal';
  return due === 0n ? 'not_to_collect' : 'differs';
}

/** Undefined when the service does not show it. From a cancelled order nothing is collected. */
function dueOf(state: OrderState): bigint | undefined {
  const amount = state.isCancelled ? '0' : amountToCollect(state);
  return amount === undefined ? undefined : toHundredths(amount);
}
