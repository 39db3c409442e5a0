import { toHundredths } from '../../orders/decimal.ts';
import { toOrderNumber } from '../../orders/order-reference.ts';
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

/** What the lists say of an order. */
export interface OrderCash {
  result: CashResult;
  entries: readonly CashEntry[];
  /** In hundredths; undefined when no list names the order. */
  collected: bigint | undefined;
  due: bigint | undefined;
  /** Names of known orders that may be meant, for one that is unknown. */
  perhaps: readonly string[];
}

type States = ReadonlyMap<FileOrder, OrderState>;

/** The entries whose order is none of these; by reference. */
export function entriesElsewhere(entries: readonly CashEntry[], states: States): CashEntry[] {
  const find = createFinder(states);
  return entries.filter(({ reference }) => reference !== '' && find(reference) === undefined);
}

/** Of each order, also of those that no list names. Entries without an order are `unknown`. */
export function compareCash(
  entries: readonly CashEntry[],
  states: States,
): { cash: Map<FileOrder, OrderCash>; unknown: CashEntry[] } {
  const find = createFinder(states);
  const named = new Map<FileOrder, CashEntry[]>();
  const unknown: CashEntry[] = [];
  for (const entry of entries) {
    const order = find(entry.reference);
    if (order === undefined) unknown.push(entry);
    else if (!named.get(order)?.push(entry)) named.set(order, [entry]);
  }
  const cash = new Map<FileOrder, OrderCash>();
  for (const [order, state] of states) cash.set(order, compare(state, named.get(order) ?? []));
  return { cash, unknown };
}

/** By what the file calls it, else by its number, UUID or external order ID. The same order may be named in several ways. */
function createFinder(states: States): (reference: string) => FileOrder | undefined {
  const byName = new Map<string, FileOrder>();
  const byId = new Map<string, FileOrder>();
  for (const [order, { id }] of states) {
    const first = id === undefined ? undefined : byId.get(id);
    if (id !== undefined && first === undefined) byId.set(id, order);
    if (order.reference !== '' && !byName.has(order.reference)) byName.set(order.reference, first ?? order);
  }
  for (const [order, { id, orderNumber, externalOrderId }] of states) {
    for (const name of [orderNumber, id ?? '', externalOrderId])
      if (name !== '' && !byName.has(name)) byName.set(name, order);
  }
  return (reference) =>
    reference === ''
      ? undefined
      : (byName.get(reference) ??
        byName.get(toOrderNumber(reference)) ??
        byName.get(reference.toLowerCase()));
}

function compare(state: OrderState, entries: readonly CashEntry[]): OrderCash {
  const due = dueOf(state);
  const { perhaps } = state;
  if (entries.length === 0) return { result: 'not_in_lists', entries, collected: undefined, due, perhaps };
  const collected = entries.reduce((sum, { amount }) => sum + amount, 0n);
  return { result: resultOf(state, entries.length, collected, due), entries, collected, due, perhaps };
}

function resultOf({ id }: OrderState, count: number, collected: bigint, due: bigint | undefined): CashResult {
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
