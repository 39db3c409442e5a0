import type { Database } from '../system/sqlite.ts';
import { guard } from './guard.ts';

/** The orders of one API client that are known to be cancelled. Error of every method: `ledger_not_writable`. */
export interface Cancellations {
  /** After a 2xx to our cancellation, or when the order's status said so. */
  add(order: { orderId: string; externalOrderId: string | undefined }): void;
  /** Whichever key it was cancelled with: the service gives every order an id of its own. */
  has(orderId: string): boolean;
  /** From now on an order with this own id is another one than those that are cancelled. */
  replace(externalOrderId: string): void;
  /** The ids of those orders. */
  replaced(externalOrderId: string): string[];
}

export function createCancellations(database: Database, client: string, now: () => number): Cancellations {
  const insert = database.prepare(
    'INSERT OR IGNORE INTO cancellations (client, order_id, external_order_id, cancelled_at) VALUES (?, ?, ?, ?)',
  );
  const select = database.prepare('SELECT 1 FROM cancellations WHERE order_id = ?');
  const replace = database.prepare(
    'UPDATE cancellations SET is_replaced = 1 WHERE client = ? AND external_order_id = ?',
  );
  const replaced = database.prepare(
    'SELECT order_id FROM cancellations WHERE client = ? AND external_order_id = ? AND is_replaced',
  );
  return {
    add: ({ orderId, externalOrderId }) =>
      void guard(() => insert.run(client, orderId, externalOrderId ?? null, now())),
    has: (orderId) => guard(() => select.get(orderId) !== undefined),
    replace: (externalOrderId) => void guard(() => replace.run(client, externalOrderId)),
    replaced: (externalOrderId) =>
      guard(() => replaced.all(client, externalOrderId).map((row) => (row as { order_id: string }).order_id)),
  };
}
