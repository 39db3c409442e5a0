import { toOrderNumber } from '../../orders/order-reference.ts';
import type { Database } from '../../system/sqlite.ts';
import { createStatements } from './statements.ts';

interface NewOrder {
  id: string;
  merchantId: number;
  clientId: number;
  customerId: number;
  orderNumber: string;
  externalOrderId: string | null;
  status: string;
  /** Normalised, for the list filter. */
  customerPhone: string | undefined;
  /** JSON, as it was sent. */
  body: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

export interface StoredOrder extends Omit<NewOrder, 'customerPhone'> {
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
  const { change, one, all, count, value, list, insertRows } = createStatements(database);
  const withReference = all<[id: string, orderNumber: string, externalOrderId: string], StoredOrder>(`
    ${selectOrder} WHERE orders.id = ? OR order_number = ?
      OR (client_id IN (SELECT id FROM clients) AND external_order_id = ?) LIMIT 2
  `);
  return {
    nextNumber: value<[year: number], number>(`
      INSERT INTO order_numbers (year, last) VALUES (?, 1)
      ON CONFLICT (year) DO UPDATE SET last = last + 1 RETURNING last
    `) as (year: number) => number,
    takeNumber: change<[year: number, sequence: number]>(`
      INSERT INTO order_numbers (year, last) VALUES (?, ?)
      ON CONFLICT (year) DO UPDATE SET last = max(last, excluded.last)
    `),
    add: insertRows('INSERT', 'orders', [
      ...(['id', 'merchantId', 'clientId', 'customerId', 'orderNumber', 'externalOrderId'] as const),
      ...(['status', 'customerPhone', 'body', 'createdAt'] as const),
    ]),
    find: one<[merchantId: number, id: string], StoredOrder>(
      `${selectOrder} WHERE orders.merchant_id = ? AND orders.id = ?`,
    ),
    /** The first two orders, of any merchant, with this id, order number or external order ID. */
    withReference: (reference: string): StoredOrder[] =>
      withReference(reference.toLowerCase(), toOrderNumber(reference), reference),
    withExternalId: value<[clientId: number, externalOrderId: string], string>(
      'SELECT id FROM orders WHERE client_id = ? AND external_order_id = ? AND owns_external_id = 1',
    ),
    cancel: change<[status: string, reason: string, at: number, id: string]>(
      'UPDATE orders SET status = ?, cancel_reason = ?, cancelled_at = ? WHERE id = ?',
    ),
    /** To any state but the cancelled one. */
    move: change<[status: string, id: string]>(
      'UPDATE orders SET status = ?, cancel_reason = NULL, cancelled_at = NULL WHERE id = ?',
    ),
    /** Created at `time` (epoch milliseconds) or before. */
    createdUntil: list<[merchantId: number, status: string, time: number], string>(
      'SELECT id FROM orders WHERE merchant_id = ? AND status = ? AND created_at <= ?',
    ),
    /** Unless another order has it now. */
    reclaimExternalId: change<[id: string]>('UPDATE OR IGNORE orders SET owns_external_id = 1 WHERE id = ?'),
    /** Another order may then use it; this one still shows it. */
    freeExternalId: change<[id: string]>('UPDATE orders SET owns_external_id = 0 WHERE id = ?'),
    count: count('SELECT COUNT(*) FROM orders'),
    /** How often each external order ID of each client was committed by a request; a seed is none. */
    commits: all<[], { externalOrderId: string | null; commits: number }>(`
      SELECT external_order_id AS externalOrderId, COUNT(*) AS commits
      FROM orders WHERE id IN (SELECT order_id FROM requests)
      GROUP BY client_id, external_order_id ORDER BY MIN(sequence)
    `),
  };
}

/** `deliveredAt`: epoch milliseconds, null when it is not delivered. */
export function createDeliveries(database: Database) {
  const { change } = createStatements(database);
  return {
    add: change<[orderId: string, id: string, status: string, deliveredAt: number | null]>(
      'INSERT INTO deliveries (order_id, id, status, delivered_at) VALUES (?, ?, ?, ?)',
    ),
    move: change<[status: string, deliveredAt: number | null, orderId: string]>(
      'UPDATE deliveries SET status = ?, delivered_at = ? WHERE order_id = ?',
    ),
  };
}
