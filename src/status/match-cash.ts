import { member, parseWritten } from '../orders/json.ts';
import { textField } from '../orders/order.ts';
import { isUuid, toOrderNumber } from '../orders/order-reference.ts';
import { possiblePhone } from '../orders/phone.ts';
import type { CashEntry } from './cash-list.ts';
import type { FileOrder } from './file-orders.ts';
import type { States } from './find-states.ts';

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

/** What the lists say of an order, or of one that is not known. Amounts are in hundredths. */
export interface OrderCash {
  order: FileOrder | undefined;
  entries: readonly CashEntry[];
  result: CashResult;
  /** Undefined when no list names the order. */
  collected: bigint | undefined;
  due: bigint | undefined;
}

/** By what the file calls an order, else by its number, UUID or external order ID. */
export function createFinder(states: States): (reference: string) => FileOrder | undefined {
  const nameOf = (text: string) => (isUuid(text) ? text.toLowerCase() : toOrderNumber(text));
  const orders = new Map<string, FileOrder>();
  const add = (name: string, order: FileOrder) => {
    if (!orders.has(nameOf(name))) orders.set(nameOf(name), order);
  };
  for (const order of states.keys()) add(order.reference, order);
  for (const [order, { id = '', orderNumber, externalOrderId }] of states)
    for (const name of [orderNumber, id, externalOrderId]) add(name, order);
  return (reference) => (reference === '' ? undefined : orders.get(nameOf(reference)));
}

export interface MatchedCash {
  orders: Map<CashEntry, FileOrder>;
  /** Of a phone with several orders, of which amount and day do not say which is meant. */
  open: { entry: CashEntry; orders: FileOrder[] }[];
}

/** The order of each entry: by its name, else by its phone among the orders of the file. */
export function matchCash(entries: readonly CashEntry[], states: States): MatchedCash {
  const find = createFinder(states);
  const matched: MatchedCash = { orders: new Map(), open: [] };
  for (const entry of entries) {
    const order = find(entry.reference);
    if (order !== undefined) matched.orders.set(entry, order);
  }
  const unnamed = entries.filter(({ reference }) => reference === '');
  const ordersOf = unnamed.length === 0 ? new Map() : groupBy(factsOf(states), ({ phone }) => phone);
  for (const [phone, rows] of groupBy(unnamed, (entry) => possiblePhone(entry.phone)))
    matchPhone(rows, ordersOf.get(phone) ?? [], matched);
  return matched;
}

interface Facts {
  amount: bigint | undefined;
  day: string | undefined;
}

interface OrderFacts extends Facts {
  order: FileOrder;
  phone: string | undefined;
}

/** Of the orders that can be meant. The service may mask the phone. */
function factsOf(states: States): OrderFacts[] {
  return [...states].flatMap(([order, { id, phone, due: amount, requestedDeliveryDate: day }]) => {
    if (order.rows.length === 0 || (order.isLeftOut && id === undefined)) return [];
    const ofFile = () => textField(member(parseWritten(order.body), 'customer'), 'phone') ?? '';
    return { order, phone: possiblePhone(phone) ?? possiblePhone(ofFile()), amount, day };
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

/** Of each order, but for those that no list names and of which nothing is missing; and of entries without an order. */
export function compareCash(
  entries: readonly CashEntry[],
  states: States,
  orders: MatchedCash['orders'],
): OrderCash[] {
  const named = groupBy(entries, (entry) => orders.get(entry));
  const compared = [...states].flatMap(([order, { id, due }]): OrderCash[] => {
    const own = named.get(order);
    if (own === undefined) {
      const isNothing = due === 0n || order.rows.length === 0;
      return isNothing ? [] : [{ order, entries: [], result: 'not_in_lists', collected: undefined, due }];
    }
    const collected = own.reduce((sum, { amount }) => sum + amount, 0n);
    const result =
      id === undefined ? 'unknown_order' : own.length > 1 ? 'twice' : compareAmounts(collected, due);
    return [{ order, entries: own, result, collected, due }];
  });
  const unknown = entries
    .filter((entry) => !orders.has(entry))
    .map((entry): OrderCash => {
      const { amount: collected } = entry;
      return { order: undefined, entries: [entry], result: 'unknown_order', collected, due: undefined };
    });
  return [...compared, ...unknown];
}

function compareAmounts(collected: bigint, due: bigint | undefined): CashResult {
  if (due === undefined) return 'not_compared';
  if (collected === due) return 'equal';
  return due === 0n ? 'not_to_collect' : 'differs';
}

export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key | undefined,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined && !groups.get(key)?.push(item)) groups.set(key, [item]);
  }
  return groups;
}
