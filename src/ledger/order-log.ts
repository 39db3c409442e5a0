import type { Database } from '../system/sqlite.ts';
import type { LedgerEntry, OrderState } from './entry.ts';
import { guard } from './guard.ts';

/** What one API client sent, by the orders' own ids. Error of every method: `ledger_not_writable`. */
export interface OrderLog {
  recall(externalOrderId: string): LedgerEntry | undefined;
  /** Of a refusal that was recorded of this order with this content; a later row may be about other content. */
  rejectedGeneration(externalOrderId: string, bodyHash: string): number | undefined;
  record(row: LedgerEntry): void;
  /** Nothing was processed: what stood before the intent stands again. */
  withdraw(externalOrderId: string, before: LedgerEntry | undefined): void;
  /** When its entry was written, in milliseconds since the epoch. */
  recordedAt(externalOrderId: string): number | undefined;
  isEmpty(): boolean;
}

export function createOrderLog(database: Database, client: string, now: () => number): OrderLog {
  const select = database.prepare('SELECT * FROM orders WHERE client = ? AND external_order_id = ?');
  const replace = database.prepare(`
    INSERT OR REPLACE INTO orders (client, external_order_id, body_hash, idempotency_key, generation, state,
      order_id, order_number, code, run, updated_at, holder, unknown_at, disputed_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const remove = database.prepare('DELETE FROM orders WHERE client = ? AND external_order_id = ?');
  const insertRejection = database.prepare('INSERT OR REPLACE INTO rejections VALUES (?, ?, ?, ?)');
  const rejected = database.prepare(
    'SELECT generation FROM rejections WHERE client = ? AND external_order_id = ? AND body_hash = ?',
  );
  const written = database.prepare(
    'SELECT updated_at FROM orders WHERE client = ? AND external_order_id = ?',
  );
  const any = database.prepare('SELECT 1 FROM orders WHERE client = ? LIMIT 1');
  const record = (row: LedgerEntry) => {
    const { externalOrderId, bodyHash, generation, state } = row;
    replace.run(
      ...[client, externalOrderId, bodyHash, row.idempotencyKey, generation, state],
      ...[row.orderId, row.orderNumber, row.code, row.run, now(), row.holder, row.unknownAt, row.disputedAt],
    );
    if (state === 'rejected') insertRejection.run(client, externalOrderId, bodyHash, generation);
  };
  return {
    recall: (externalOrderId) => guard(() => toRow(select.get(client, externalOrderId))),
    rejectedGeneration: (externalOrderId, bodyHash) =>
      guard(
        () =>
          (rejected.get(client, externalOrderId, bodyHash) as { generation: number } | undefined)?.generation,
      ),
    record: (row) => guard(() => record(row)),
    withdraw: (externalOrderId, before) =>
      void guard(() => (before === undefined ? remove.run(client, externalOrderId) : record(before))),
    recordedAt: (externalOrderId) =>
      guard(() => (written.get(client, externalOrderId) as { updated_at: number } | undefined)?.updated_at),
    isEmpty: () => guard(() => any.get(client) === undefined),
  };
}

function toRow(found: unknown): LedgerEntry | undefined {
  if (found === undefined || found === null) return undefined;
  const row = found as Record<string, string | null> & Record<'generation', number>;
  return {
    externalOrderId: row.external_order_id as string,
    bodyHash: row.body_hash as string,
    idempotencyKey: row.idempotency_key as string,
    generation: row.generation,
    state: row.state as OrderState,
    orderId: row.order_id ?? null,
    orderNumber: row.order_number ?? null,
    code: row.code ?? null,
    run: row.run as string,
    holder: row.holder as string,
    unknownAt: (row.unknown_at as unknown as number | null) ?? null,
    disputedAt: (row.disputed_at as unknown as number | null) ?? null,
  };
}

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
      .prepare('SELECT client FROM clients WHERE client <> ? AND service = ?')
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
