import type { ApiClient } from '../../api/client.ts';
import { getOrder } from '../../api/operations/find.ts';
import type { OrderFinder } from '../../api/pages/order-finder.ts';
import { CliError } from '../../errors.ts';
import { isOpen } from '../../ledger/entry.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { OrderLog, OtherKey, SentOrder, StoredOrder } from '../../ledger/order-log.ts';
import type { Order } from '../../orders/order.ts';
import type { FieldPlaces } from '../../orders/unnamed-fields.ts';
import type { PlannedOrder } from '../orders/plan-order.ts';
import type { FirstCreate } from './first-create.ts';

export interface KnownOrder extends StoredOrder {
  /** - `own`: sent with this API key; - `same_merchant`: with another key of this merchant; - `unclear`: with some other key */
  sentWith: 'own' | 'same_merchant' | 'unclear';
  log: OrderLog;
}

interface KnownOrders {
  /** Error: `ledger_not_writable`. */
  find(externalOrderId: string): KnownOrder | undefined;
  /** What `find` finds of these IDs, with one query for each key. Error: `ledger_not_writable`. */
  findMany(externalOrderIds: readonly string[]): ReadonlyMap<string, KnownOrder>;
  /** For those of the IDs that were sent with this key in another spelling: that spelling. Error: `ledger_not_writable`. */
  findOtherSpellings(externalOrderIds: readonly string[]): ReadonlyMap<string, string>;
  isEmpty: boolean;
}

interface KeyLog {
  log: OrderLog;
  sentWith: KnownOrder['sentWith'];
}

export function ownOrders({ orders }: Ledger): KnownOrders {
  return createKnownOrders(orders, []);
}

/** A key whose newest order can be read is of this merchant (interface section 5.4). Errors: those that concern the whole run. */
export async function ordersOfAllKeys(ledger: Ledger, client: ApiClient): Promise<KnownOrders> {
  return createKnownOrders(ledger.orders, await logsOfOtherKeys(ledger, client, ledger.otherKeys()));
}

/** The orders of one API key whose outcome is not known; `seesAll`: the key that is used now certainly sees them. */
export interface OpenOrders {
  log: OrderLog;
  open: SentOrder[];
  seesAll: boolean;
}

/** Those of this key, and of other keys that may be of this merchant. Errors: those of `ordersOfAllKeys`. */
export async function findOpenOrders(ledger: Ledger, client: ApiClient): Promise<OpenOrders[]> {
  const withOpen = ledger.otherKeys().filter((key) => ledger.ordersOf(key).findOpen().length > 0);
  const others = await logsOfOtherKeys(ledger, client, withOpen);
  const own: KeyLog = { log: ledger.orders, sentWith: 'own' };
  return [own, ...others].map(({ log, sentWith }) => {
    return { log, open: log.findOpen(), seesAll: sentWith !== 'unclear' };
  });
}

async function logsOfOtherKeys(
  ledger: Ledger,
  client: ApiClient,
  keys: readonly OtherKey[],
): Promise<KeyLog[]> {
  const others: KeyLog[] = [];
  for (const key of keys) {
    const sentWith = key.newestOrderId === undefined ? 'unclear' : await findOwner(client, key.newestOrderId);
    if (sentWith !== 'other_merchant') others.push({ log: ledger.ordersOf(key), sentWith });
  }
  return others;
}

function createKnownOrders(own: OrderLog, others: readonly KeyLog[]): KnownOrders {
  const logs: KeyLog[] = [{ log: own, sentWith: 'own' }, ...others];
  return {
    isEmpty: logs.every(({ log }) => log.isEmpty()),
    find: (externalOrderId) => {
      let found: KnownOrder | undefined;
      for (const { log, sentWith } of logs) {
        const stored = log.findStored(externalOrderId);
        if (stored !== undefined) found = firstOf(found, { ...stored, sentWith, log });
        if (found?.sentWith === 'own') break;
      }
      return found;
    },
    findMany: (externalOrderIds) => {
      const found = new Map<string, KnownOrder>();
      for (const { log, sentWith } of logs) {
        for (const stored of log.findMany(externalOrderIds)) {
          const { externalOrderId: id } = stored.entry;
          found.set(id, firstOf(found.get(id), { ...stored, sentWith, log }));
        }
      }
      return found;
    },
    findOtherSpellings: (externalOrderIds) => own.findOtherSpellings(externalOrderIds),
  };
}

/** Of two entries about one order, the one to go by. */
function firstOf(one: KnownOrder | undefined, other: KnownOrder): KnownOrder {
  if (one === undefined) return other;
  return (rankOf(one) - rankOf(other) || other.recordedAt - one.recordedAt) > 0 ? other : one;
}

/** Lowest first: of this key, created with another key of this merchant, still open, created with some key, rejected. */
function rankOf({ entry, sentWith }: KnownOrder): number {
  if (sentWith === 'own') return -1;
  if (entry.state === 'created' && sentWith === 'same_merchant') return 0;
  if (isOpen(entry)) return 1;
  return entry.state === 'created' ? 2 : 3;
}

const inconclusiveErrors = new Set(['permission_missing', 'unreadable_answer', 'request_refused']);

async function findOwner(
  client: ApiClient,
  orderId: string,
): Promise<'same_merchant' | 'other_merchant' | 'unclear'> {
  try {
    await getOrder(client, orderId);
    return 'same_merchant';
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (error.code === 'order_not_found') return 'other_merchant';
    if (inconclusiveErrors.has(error.code)) return 'unclear';
    throw error;
  }
}

/** `row` is its first row, 0 without a file. */
export interface OrderInFile {
  externalOrderId: string;
  row: number;
}

export interface OrderToSend extends OrderInFile {
  order: Order;
}

export function toSend({ externalOrderId, order, rows }: PlannedOrder): OrderToSend {
  return { externalOrderId, order, row: rows[0]?.row ?? 0 };
}

export interface SendContext extends RecallContext {
  client: ApiClient;
  finder: OrderFinder;
  /** Absent where only one order is sent. */
  firstCreate?: FirstCreate;
  run: string;
  places: FieldPlaces;
  /** An `Idempotency-Key` given by the user, sent instead of the one made from the order. */
  key?: string;
}

export interface RecallContext {
  ledger: Ledger;
  /** Absent where nothing is sent. */
  run?: string;
  known: KnownOrders;
  recreatesCancelled: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}
