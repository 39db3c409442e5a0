import type { Database } from '../system/sqlite.ts';
import { guard } from './guard.ts';

/** Another API key that was used for this service from this machine. */
export interface OtherKey {
  client: string;
  /** The `id` of the order that was created with it last; undefined when none was. */
  newestOrderId: string | undefined;
}

/** The other keys of a service that orders were sent with. Error: `ledger_not_writable`. */
export function findOtherKeys(database: Database, client: string, service: string): OtherKey[] {
  return guard(() => {
    const clients = database
      .prepare('SELECT client FROM clients WHERE client <> ? AND (service = ? OR service IS NULL)')
      .all(client, service) as { client: string }[];
    const hasOrders = database.prepare('SELECT 1 FROM orders WHERE client = ? LIMIT 1');
    const newest = database.prepare(`
      SELECT order_id FROM orders WHERE client = ? AND state = 'created' AND order_id IS NOT NULL
      ORDER BY updated_at DESC LIMIT 1`);
    return clients
      .filter((other) => hasOrders.get(other.client) !== undefined)
      .map((other) => ({
        client: other.client,
        newestOrderId: (newest.get(other.client) as { order_id: string } | undefined)?.order_id,
      }));
  });
}
