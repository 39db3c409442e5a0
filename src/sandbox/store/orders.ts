import { toOrderNumber } from '../../orders/order-reference.ts';
import type { Database } from '../../system/sqlite.ts';

export interface NewOrder {
  id: string;
  merchantId: number;
  clientId: number;
  customerId: number;
  orderNumber: string;
  externalOrderId: string | undefined;
  status: string;
  /** Normalised, for the list filter. */
  customerPhone: string | undefined;
  /** JSON, as it was sent. */
  body: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

export interface StoredOrder extends Omit<NewOrder, 'externalOrderId' | 'customerPhone'> {
  externalOrderId: string | null;
  cancelReason: string | null;
  cancelledAt: number | null;
  deliveryId: string | null;
  deliveryStatus: string | null;
  deliveredAt: number | null;
}

export const selectOrder = `
  SELECT orders.id, merchant_id AS merchantId, client_id AS clientId, customer_id AS customerId,
    order_number AS orderNumber, external_order_id AS externalOrderId, orders.status, body,
    created_at AS createdAt, cancel_reason AS cancelReason, cancelled_at AS cancelledAt,
    deliveries.id AS deliveryId, deliveries.status AS deliveryStatus, delivered_at AS deliveredAt
  FROM orders LEFT JOIN deliveries ON deliveries.order_id = orders.id
`;

export function createOrders(database: Database) {
  const insert = database.prepare(`
    INSERT INTO orders (id, merchant_id, client_id, customer_id, order_number, external_order_id, status,
      customer_phone, body, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const select = database.prepare(`${selectOrder} WHERE orders.merchant_id = ? AND orders.id = ?`);
  const selectExternalId = database.prepare(
    'SELECT id FROM orders WHERE client_id = ? AND external_order_id = ? AND owns_external_id = 1',
  );
  const takeNumber = database.prepare(`
    INSERT INTO order_numbers (year, last) VALUES (?, 1)
    ON CONFLICT (year) DO UPDATE SET last = last + 1 RETURNING last
  `);
  const cancel = database.prepare(
    'UPDATE orders SET status = ?, cancel_reason = ?, cancelled_at = ? WHERE id = ?',
  );
  const selectReference = database.prepare(`
    ${selectOrder} WHERE orders.id = ? OR order_number = ?
      OR (client_id IN (SELECT id FROM clients) AND external_order_id = ?) LIMIT 2
  `);
  const move = database.prepare(
    'UPDATE orders SET status = ?, cancel_reason = NULL, cancelled_at = NULL WHERE id = ?',
  );
  const selectDue = database.prepare(
    'SELECT id FROM orders WHERE merchant_id = ? AND status = ? AND created_at <= ?',
  );
  const reclaimExternalId = database.prepare('UPDATE OR IGNORE orders SET owns_external_id = 1 WHERE id = ?');
  const freeExternalId = database.prepare('UPDATE orders SET owns_external_id = 0 WHERE id = ?');
  const count = database.prepare('SELECT COUNT(*) AS number FROM orders');
  return {
    nextNumber: (year: number): number => (takeNumber.get(year) as { last: number }).last,
    add(order: NewOrder): void {
      insert.run(
        order.id,
        order.merchantId,
        order.clientId,
        order.customerId,
        order.orderNumber,
        order.externalOrderId ?? null,
        order.status,
        order.customerPhone ?? null,
        order.body,
        order.createdAt,
      );
    },
    find: (merchantId: number, id: string): StoredOrder | undefined =>
      select.get(merchantId, id) as StoredOrder | undefined,
    /** The first two orders, of any merchant, with this id, order number or external order ID. */
    withReference: (reference: string): StoredOrder[] =>
      selectReference.all(reference.toLowerCase(), toOrderNumber(reference), reference) as StoredOrder[],
    withExternalId: (clientId: number, externalOrderId: string): string | undefined =>
      (selectExternalId.get(clientId, externalOrderId) as { id: string } | undefined)?.id,
    /** Returns whether the order exists. */
    cancel: (id: string, status: string, reason: string, at: number): boolean =>
      cancel.run(status, reason, at, id).changes > 0,
    /** To any state but the cancelled one. Returns whether the order exists. */
    move: (id: string, status: string): boolean => move.run(status, id).changes > 0,
    /** Created at `time` (epoch milliseconds) or before. */
    createdUntil: (merchantId: number, status: string, time: number): string[] =>
      (selectDue.all(merchantId, status, time) as { id: string }[]).map(({ id }) => id),
    /** Unless another order has it now. */
    reclaimExternalId(id: string): void {
      reclaimExternalId.run(id);
    },
    /** Another order may then use it; this one still shows it. */
    freeExternalId(id: string): void {
      freeExternalId.run(id);
    },
    count: (): number => (count.get() as { number: number }).number,
  };
}

type Commits = { externalOrderId: string | null; commits: number };

export function createCommits(database: Database) {
  const select = database.prepare(`
    SELECT external_order_id AS externalOrderId, COUNT(*) AS commits
    FROM orders GROUP BY client_id, external_order_id ORDER BY MIN(sequence)
  `);
  return (): Commits[] => select.all() as Commits[];
}

export function createDeliveries(database: Database) {
  const insert = database.prepare(
    'INSERT INTO deliveries (order_id, id, status, delivered_at) VALUES (?, ?, ?, ?)',
  );
  const update = database.prepare('UPDATE deliveries SET status = ?, delivered_at = ? WHERE order_id = ?');
  const remove = database.prepare('DELETE FROM deliveries WHERE order_id = ?');
  return {
    /** `deliveredAt`: epoch milliseconds, null when it is not delivered. */
    add(orderId: string, id: string, status: string, deliveredAt: number | null): void {
      insert.run(orderId, id, status, deliveredAt);
    },
    /** Returns whether there is a delivery. */
    move: (orderId: string, status: string, deliveredAt: number | null): boolean =>
      update.run(status, deliveredAt, orderId).changes > 0,
    remove(orderId: string): void {
      remove.run(orderId);
    },
  };
}
