import type { ApiClient } from '../../api/client.ts';
import { getOrder } from '../../api/operations/find.ts';
import { CliError } from '../../errors.ts';
import { isOpen, type LedgerEntry } from '../../ledger/entry.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { OrderLog } from '../../ledger/order-log.ts';
import type { Facts } from './decide.ts';

/** An entry of the ledger, and whose it is. */
export interface KnownOrder {
  row: LedgerEntry;
  sentWith: Facts['sentWith'];
  log: OrderLog;
}

/** What this machine knows of orders, whichever key they were sent with. */
export interface KnownOrders {
  /** Error: `ledger_not_writable`. */
  find(externalOrderId: string): KnownOrder | undefined;
  /** Nothing was ever sent. */
  isEmpty: boolean;
}

interface OtherLog {
  log: OrderLog;
  sentWith: 'same_merchant' | 'unclear';
}

/** What this key sent, without a look at others. */
export function ownOrders({ orders }: Ledger): KnownOrders {
  return createKnownOrders(orders, []);
}

/**
 * Also what other keys of this service sent: reads are of the merchant (interface section 5.4), so one order of
 * theirs that can be read says that they are this merchant's. Errors: those of a read that are about the service.
 */
export async function ordersOfAllKeys(ledger: Ledger, client: ApiClient): Promise<KnownOrders> {
  const others: OtherLog[] = [];
  for (const key of ledger.otherKeys()) {
    const sentWith = key.newestOrderId === undefined ? 'unclear' : await askFor(client, key.newestOrderId);
    if (sentWith !== 'other_merchant') others.push({ log: ledger.ordersOf(key), sentWith });
  }
  return createKnownOrders(ledger.orders, others);
}

function createKnownOrders(own: OrderLog, others: OtherLog[]): KnownOrders {
  return {
    isEmpty: others.length === 0 && own.isEmpty(),
    find: (externalOrderId) => {
      const row = own.recall(externalOrderId);
      if (row !== undefined) return { row, sentWith: 'own', log: own };
      const theirs = others.flatMap(({ log, sentWith }): KnownOrder[] => {
        const known = log.recall(externalOrderId);
        return known === undefined ? [] : [{ row: known, sentWith, log }];
      });
      return theirs.sort((left, right) => rankOf(left) - rankOf(right))[0];
    },
  };
}

/** Of several keys that sent it, the one that created it counts before one that may have, and a refusal last. */
function rankOf({ row, sentWith }: KnownOrder): number {
  if (row.state === 'created' && sentWith === 'same_merchant') return 0;
  if (isOpen(row)) return 1;
  return row.state === 'created' ? 2 : 3;
}

const provesNothing = new Set(['permission_missing', 'unreadable_answer', 'request_refused']);

async function askFor(
  client: ApiClient,
  orderId: string,
): Promise<'same_merchant' | 'other_merchant' | 'unclear'> {
  try {
    await getOrder(client, orderId);
    return 'same_merchant';
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (error.code === 'order_not_found') return 'other_merchant';
    if (provesNothing.has(error.code)) return 'unclear';
    throw error;
  }
}
