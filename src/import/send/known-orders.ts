import type { ApiClient } from '../../api/client.ts';
import { getOrder } from '../../api/operations/find.ts';
import { CliError } from '../../errors.ts';
import { isOpen, type LedgerEntry } from '../../ledger/entry.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { OrderLog } from '../../ledger/order-log.ts';
import type { Facts } from './decide.ts';

/** A ledger entry, and which API key it belongs to. */
export interface KnownOrder {
  entry: LedgerEntry;
  sentWith: Facts['sentWith'];
  log: OrderLog;
}

/** The orders that this machine has sent, with any API key of the merchant. */
export interface KnownOrders {
  /** Error: `ledger_not_writable`. */
  find(externalOrderId: string): KnownOrder | undefined;
  isEmpty: boolean;
}

interface OtherLog {
  log: OrderLog;
  sentWith: 'same_merchant' | 'unclear';
}

/** Only the orders sent with the current key. */
export function ownOrders({ orders }: Ledger): KnownOrders {
  return createKnownOrders(orders, []);
}

/**
 * Also the orders sent with other keys of this service. Reads are per merchant (interface section 5.4), so a key whose
 * newest order can be read belongs to this merchant. Errors: those of a read that concern the whole run.
 */
export async function ordersOfAllKeys(ledger: Ledger, client: ApiClient): Promise<KnownOrders> {
  const others: OtherLog[] = [];
  for (const key of ledger.otherKeys()) {
    const sentWith = key.newestOrderId === undefined ? 'unclear' : await findOwner(client, key.newestOrderId);
    if (sentWith !== 'other_merchant') others.push({ log: ledger.ordersOf(key), sentWith });
  }
  return createKnownOrders(ledger.orders, others);
}

function createKnownOrders(own: OrderLog, others: OtherLog[]): KnownOrders {
  return {
    isEmpty: others.length === 0 && own.isEmpty(),
    find: (externalOrderId) => {
      const entry = own.find(externalOrderId);
      if (entry !== undefined) return { entry, sentWith: 'own', log: own };
      const ofOthers = others.flatMap(({ log, sentWith }): KnownOrder[] => {
        const known = log.find(externalOrderId);
        return known === undefined ? [] : [{ entry: known, sentWith, log }];
      });
      if (ofOthers.length < 2) return ofOthers[0];
      const recordedAt = ({ log }: KnownOrder) => log.recordedAt(externalOrderId) ?? 0;
      return ofOthers.sort((a, b) => rankOf(a) - rankOf(b) || recordedAt(b) - recordedAt(a))[0];
    },
  };
}

/** Of several keys that sent an order: first the one that created it, then one that may have, last a rejection. */
function rankOf({ entry, sentWith }: KnownOrder): number {
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
