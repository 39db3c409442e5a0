import type { Database } from '../../../src/system/sqlite.ts';
import type { Given } from './case-shape.ts';
import type { Service } from './start-service.ts';

type State = NonNullable<NonNullable<Given['orders']>[number]['state']>;

/** States in which no behaviour can cancel an order. The document names none. */
const statuses: Record<State, string> = { terminal: 'DELIVERED', 'not cancellable': 'AT_THE_DOOR' };

export function countAll({ database }: Service) {
  return {
    newOrders: count(database, 'orders'),
    newCustomers: count(database, 'customers'),
    newProducts: count(database, 'products'),
  };
}

export function customerOf({ database }: Service, orderId: string): number {
  const row = database.prepare('SELECT customer_id AS id FROM orders WHERE id = ?').get(orderId);
  return (row as { id: number }).id;
}

export function hasDelivery({ database }: Service, orderId: string): boolean {
  return database.prepare('SELECT 1 FROM deliveries WHERE order_id = ?').get(orderId) !== undefined;
}

export function moveOrder({ database }: Service, orderId: string, state: State): void {
  database.prepare('UPDATE orders SET status = ? WHERE id = ?').run(statuses[state], orderId);
}

function count(database: Database, table: string): number {
  return (database.prepare(`SELECT COUNT(*) AS number FROM ${table}`).get() as { number: number }).number;
}
