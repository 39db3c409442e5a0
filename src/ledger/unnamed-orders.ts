import type { Database } from '../system/sqlite.ts';
import type { LedgerEntry } from './entry.ts';
import { guard } from './guard.ts';

/** An order that has no own id: it is known by its key alone. */
export interface UnnamedOrder
  extends Pick<
    LedgerEntry,
    'idempotencyKey' | 'bodyHash' | 'state' | 'orderId' | 'orderNumber' | 'code' | 'holder'
  > {
  /** When it was first sent, in milliseconds since the epoch. */
  begunAt: number;
}

/** What one API client sent without own ids. Error of every method: `ledger_not_writable`. */
export interface UnnamedOrders {
  recall(idempotencyKey: string): UnnamedOrder | undefined;
  /** Attempts with this body that nobody knows the end of, the latest first. */
  open(bodyHash: string): UnnamedOrder[];
  record(order: UnnamedOrder): void;
  withdraw(idempotencyKey: string, before: UnnamedOrder | undefined): void;
}

export function createUnnamedOrders(database: Database, client: string): UnnamedOrders {
  const select = database.prepare('SELECT * FROM unnamed_orders WHERE client = ? AND idempotency_key = ?');
  const selectOpen = database.prepare(`
    SELECT * FROM unnamed_orders WHERE client = ? AND body_hash = ? AND state IN ('intent', 'unknown')
    ORDER BY begun_at DESC`);
  const replace = database.prepare(
    'INSERT OR REPLACE INTO unnamed_orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM unnamed_orders WHERE client = ? AND idempotency_key = ?');
  const record = (order: UnnamedOrder) =>
    replace.run(
      ...[client, order.idempotencyKey, order.bodyHash, order.state, order.orderId, order.orderNumber],
      ...[order.code, order.holder, order.begunAt],
    );
  return {
    recall: (key) =>
      guard(() => {
        const found = select.get(client, key) as Found | undefined;
        return found === undefined ? undefined : toOrder(found);
      }),
    open: (bodyHash) => guard(() => (selectOpen.all(client, bodyHash) as Found[]).map(toOrder)),
    record: (order) => void guard(() => record(order)),
    withdraw: (key, before) =>
      void guard(() => (before === undefined ? remove.run(client, key) : record(before))),
  };
}

interface Found {
  idempotency_key: string;
  body_hash: string;
  state: UnnamedOrder['state'];
  order_id: string | null;
  order_number: string | null;
  code: string | null;
  holder: string;
  begun_at: number;
}

function toOrder(found: Found): UnnamedOrder {
  return {
    ...{ idempotencyKey: found.idempotency_key, bodyHash: found.body_hash, state: found.state },
    ...{ orderId: found.order_id, orderNumber: found.order_number, code: found.code },
    ...{ holder: found.holder, begunAt: found.begun_at },
  };
}
