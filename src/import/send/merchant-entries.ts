import type { ApiClient } from '../../api/client.ts';
import { getOrder } from '../../api/operations/find.ts';
import { CliError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import {
  isOpen,
  type OrderLog,
  type OtherKey,
  type SentOrder,
  type StoredEntry,
} from '../../ledger/order-log.ts';
import type { OrderWithCopies } from './copies.ts';

/** The API key of an order: this one, another one of this merchant, or one of an unknown merchant. */
export type EntryOwner = 'this_key' | 'same_merchant' | 'unknown_merchant';

interface OwnedLog {
  log: OrderLog;
  owner: EntryOwner;
}

export interface MerchantEntry extends StoredEntry, OwnedLog {}

/** The ledger entries of a merchant, by external order ID. Error of every method: `ledger_not_writable`. */
export interface MerchantEntries {
  find(externalOrderId: string): MerchantEntry | undefined;
  /** Like `find`, with one query for each key. */
  findMany(externalOrderIds: readonly string[]): ReadonlyMap<string, MerchantEntry>;
  /** For each ID that has entries in other spellings: those. */
  findOtherSpellings(externalOrderIds: readonly string[]): ReadonlyMap<string, readonly string[]>;
  isEmpty: boolean;
  /** Those that the current key certainly sees. */
  findWithCopies(): OrderWithCopies[];
}

export function entriesOfKey({ orders }: Ledger): MerchantEntries {
  return createEntries([{ log: orders, owner: 'this_key' }]);
}

/** A key is of this merchant when its newest order can be read (interface section 5.4). Errors: the run's. */
export async function entriesOfMerchant(ledger: Ledger, client: ApiClient): Promise<MerchantEntries> {
  return createEntries(await logsOfMerchant(ledger, client, ledger.otherKeys()));
}

/** Orders of one API key with an unknown outcome. `seesAll`: the current key certainly sees them. */
export interface OpenOrders {
  log: OrderLog;
  open: SentOrder[];
  seesAll: boolean;
}

/** Of this key, and of others that may be this merchant's. Errors: those of `entriesOfMerchant`. */
export async function findOpenOrders(ledger: Ledger, client: ApiClient): Promise<OpenOrders[]> {
  const withOpen = ledger.otherKeys().filter((key) => {
    const log = ledger.ordersOf(key);
    return log.findOpen().length > 0 || log.findWithCopies().length > 0;
  });
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

const inconclusiveErrors = new Set([
  'permission_missing',
  'request_blocked',
  'unreadable_answer',
  'request_refused',
]);

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

function withCopiesIn(logs: readonly OwnedLog[]): OrderWithCopies[] {
  return logs
    .filter(({ owner }) => owner !== 'unknown_merchant')
    .flatMap(({ log }) => log.findWithCopies().map(({ externalOrderId }) => ({ log, externalOrderId })));
}

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
    findWithCopies: () => withCopiesIn(logs),
    findOtherSpellings: (externalOrderIds) => {
      const found = new Map<string, string[]>();
      for (const { log } of logs) {
        for (const [id, others] of log.findOtherSpellings(externalOrderIds)) {
          found.set(id, [...(found.get(id) ?? []), ...others]);
        }
      }
      return found;
    },
  };
}

function firstOf(one: MerchantEntry | undefined, other: MerchantEntry): MerchantEntry {
  if (one === undefined) return other;
  return (rankOf(one) - rankOf(other) || other.recordedAt - one.recordedAt) > 0 ? other : one;
}

/** Lowest first: this key's, created with another key of this merchant, open, created with any key, rejected. */
function rankOf({ entry, owner }: MerchantEntry): number {
  if (owner === 'this_key') return -1;
  if (entry.state === 'created' && owner === 'same_merchant') return 0;
  if (isOpen(entry)) return 1;
  return entry.state === 'created' ? 2 : 3;
}
