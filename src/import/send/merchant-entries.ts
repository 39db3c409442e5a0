import type { ApiClient } from '../../api/client.ts';
import { getOrder } from '../../api/operations/find.ts';
import { CliError } from '../../errors.ts';
import { isOpen } from '../../ledger/entry.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { OrderLog, OtherKey, SentOrder, StoredEntry } from '../../ledger/order-log.ts';

/** Whose API key an order was sent with: this one, another one of this merchant, or one whose merchant is not known. */
export type EntryOwner = 'this_key' | 'same_merchant' | 'unknown_merchant';

interface OwnedLog {
  log: OrderLog;
  owner: EntryOwner;
}

export interface MerchantEntry extends StoredEntry, OwnedLog {}

/** The ledger entries of a merchant, by external order ID. Error of every method: `ledger_not_writable`. */
export interface MerchantEntries {
  find(externalOrderId: string): MerchantEntry | undefined;
  /** What `find` finds of these IDs, with one query for each key. */
  findMany(externalOrderIds: readonly string[]): ReadonlyMap<string, MerchantEntry>;
  /** For those of the IDs that were sent with this key in another spelling: that spelling. */
  findOtherSpellings(externalOrderIds: readonly string[]): ReadonlyMap<string, string>;
  isEmpty: boolean;
}

/** Those of this API key alone. */
export function entriesOfKey({ orders }: Ledger): MerchantEntries {
  return createEntries([{ log: orders, owner: 'this_key' }]);
}

/** A key whose newest order can be read is of this merchant (interface section 5.4). Errors: those that concern the whole run. */
export async function entriesOfMerchant(ledger: Ledger, client: ApiClient): Promise<MerchantEntries> {
  return createEntries(await logsOfMerchant(ledger, client, ledger.otherKeys()));
}

/** The orders of one API key whose outcome is not known; `seesAll`: the key that is used now certainly sees them. */
export interface OpenOrders {
  log: OrderLog;
  open: SentOrder[];
  seesAll: boolean;
}

/** Those of this key, and of other keys that may be of this merchant. Errors: those of `entriesOfMerchant`. */
export async function findOpenOrders(ledger: Ledger, client: ApiClient): Promise<OpenOrders[]> {
  const withOpen = ledger.otherKeys().filter((key) => ledger.ordersOf(key).findOpen().length > 0);
  const logs = await logsOfMerchant(ledger, client, withOpen);
  return logs.map(({ log, owner }) => ({ log, open: log.findOpen(), seesAll: owner !== 'unknown_merchant' }));
}

async function logsOfMerchant(
  ledger: Ledger,
  client: ApiClient,
  otherKeys: readonly OtherKey[],
): Promise<OwnedLog[]> {
  const logs: OwnedLog[] = [{ log: ledger.orders, owner: 'this_key' }];
  for (const key of otherKeys) {
    const owner =
      key.newestOrderId === undefined ? 'unknown_merchant' : await findOwner(client, key.newestOrderId);
    if (owner !== undefined) logs.push({ log: ledger.ordersOf(key), owner });
  }
  return logs;
}

const inconclusiveErrors = new Set(['permission_missing', 'unreadable_answer', 'request_refused']);

/** Undefined when the order is of another merchant. */
async function findOwner(client: ApiClient, orderId: string): Promise<EntryOwner | undefined> {
  try {
    await getOrder(client, orderId);
    return 'same_merchant';
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (error.code === 'order_not_found') return undefined;
    if (inconclusiveErrors.has(error.code)) return 'unknown_merchant';
    throw error;
  }
}

/** The log of this key comes first. */
function createEntries(logs: readonly OwnedLog[]): MerchantEntries {
  return {
    isEmpty: logs.every(({ log }) => log.isEmpty()),
    find: (externalOrderId) => {
      let found: MerchantEntry | undefined;
      for (const { log, owner } of logs) {
        const stored = log.findStored(externalOrderId);
        if (stored !== undefined) found = firstOf(found, { ...stored, owner, log });
        if (found?.owner === 'this_key') break;
      }
      return found;
    },
    findMany: (externalOrderIds) => {
      const found = new Map<string, MerchantEntry>();
      for (const { log, owner } of logs) {
        for (const stored of log.findMany(externalOrderIds)) {
          const { externalOrderId: id } = stored.entry;
          found.set(id, firstOf(found.get(id), { ...stored, owner, log }));
        }
      }
      return found;
    },
    findOtherSpellings: (externalOrderIds) => logs[0]?.log.findOtherSpellings(externalOrderIds) ?? new Map(),
  };
}

/** Of two entries about one order, the one to go by. */
function firstOf(one: MerchantEntry | undefined, other: MerchantEntry): MerchantEntry {
  if (one === undefined) return other;
  return (rankOf(one) - rankOf(other) || other.recordedAt - one.recordedAt) > 0 ? other : one;
}

/** Lowest first: of this key, created with another key of this merchant, still open, created with some key, rejected. */
function rankOf({ entry, owner }: MerchantEntry): number {
  if (owner === 'this_key') return -1;
  if (entry.state === 'created' && owner === 'same_merchant') return 0;
  if (isOpen(entry)) return 1;
  return entry.state === 'created' ? 2 : 3;
}
