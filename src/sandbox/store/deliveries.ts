import type { Database } from '../../system/sqlite.ts';

export function createDeliveries(database: Database) {
  const insert = database.prepare('INSERT INTO deliveries (order_id, id, status) VALUES (?, ?, ?)');
  const update = database.prepare('UPDATE deliveries SET status = ? WHERE order_id = ?');
  const remove = database.prepare('DELETE FROM deliveries WHERE order_id = ?');
  return {
    add(orderId: string, id: string, status: string): void {
      insert.run(orderId, id, status);
    },
    move(orderId: string, status: string): void {
      update.run(status, orderId);
    },
    remove(orderId: string): void {
      remove.run(orderId);
    },
  };
}
