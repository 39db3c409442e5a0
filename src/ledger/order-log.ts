import type { Database } from '../system/sqlite.ts';
import type { LedgerEntry, OrderState } from './entry.ts';
import { checkTime, guard } from './schema.ts';

/** The orders that one API client sent, by external order ID. Error of every method: `ledger_not_writable`. */
export interface OrderLog {
  find(externalOrderId: string): LedgerEntry | undefined;
  /** Those of the IDs that it has an entry for: in one query, which takes an eighth of the time. */
  knownIds(externalOrderIds: readonly string[]): string[];
  /** The generation in which the service rejected this content; the entry may be about other content by now. */
  rejectedGeneration(externalOrderId: string, bodyHash: string): number | undefined;
  record(entry: LedgerEntry): void;
  /** Nothing was processed: restores the entry from before the intent. */
  withdraw(externalOrderId: string, before: LedgerEntry | undefined): void;
  recordedAt(externalOrderId: string): number | undefined;
  isEmpty(): boolean;
}

export function createOrderLog(database: Database, client: string, now: () => number): OrderLog {
  const selectOrder = database.prepare('SELECT * FROM orders WHERE client = ? AND external_order_id = ?');
  const replace = database.prepare(`
    INSERT OR REPLACE INTO orders (client, external_order_id, body_hash, idempotency_key, generation, state,
      order_id, order_number, code, run, last_run, unknown_at, disputed_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const remove = database.prepare('DELETE FROM orders WHERE client = ? AND external_order_id = ?');
  const insertRejection = database.prepare('INSERT OR REPLACE INTO rejections VALUES (?, ?, ?, ?)');
  const selectRejection = database.prepare(
    'SELECT generation FROM rejections WHERE client = ? AND external_order_id = ? AND body_hash = ?',
  );
  const selectAny = database.prepare('SELECT 1 FROM orders WHERE client = ? LIMIT 1');
  const selectIds = database.prepare(`
    SELECT external_order_id FROM orders
    WHERE client = ? AND external_order_id IN (SELECT value FROM json_each(?))`);
  const select = (externalOrderId: string) =>
    selectOrder.get([client, externalOrderId]) as OrderRow | undefined;
  const record = (entry: LedgerEntry) => {
    const { externalOrderId, bodyHash, idempotencyKey, generation, state } = entry;
    const { orderId, orderNumber, code, run, lastRun, unknownAt, disputedAt } = entry;
    // Of the ways to bind values, one array is the fastest.
    replace.run([
      client,
      externalOrderId,
      bodyHash,
      idempotencyKey,
      generation,
      state,
      orderId,
      orderNumber,
      code,
      run,
      lastRun,
      unknownAt,
      disputedAt,
      now(),
    ]);
    if (state === 'rejected') insertRejection.run(client, externalOrderId, bodyHash, generation);
  };
  return {
    find: (externalOrderId) =>
      guard(() => {
        const row = select(externalOrderId);
        return row === undefined ? undefined : toEntry(row);
      }),
    knownIds: (externalOrderIds) =>
      guard(() => {
        const rows = selectIds.all(client, JSON.stringify(externalOrderIds)) as OrderRow[];
        return rows.map((row) => row.external_order_id);
      }),
    rejectedGeneration: (externalOrderId, bodyHash) =>
      guard(() => {
        const row = selectRejection.get(client, externalOrderId, bodyHash) as
          | Pick<OrderRow, 'generation'>
          | undefined;
        return row?.generation;
      }),
    record: (entry) => guard(() => record(entry)),
    withdraw: (externalOrderId, before) =>
      void guard(() => (before === undefined ? remove.run(client, externalOrderId) : record(before))),
    recordedAt: (externalOrderId) =>
      guard(() => {
        const row = select(externalOrderId);
        return row === undefined ? undefined : checkTime(row.updated_at);
      }),
    isEmpty: () => guard(() => selectAny.get(client) === undefined),
  };
}

interface OrderRow {
  external_order_id: string;
  body_hash: string;
  idempotency_key: string;
  generation: number;
  state: OrderState;
  order_id: string | null;
  order_number: string | null;
  code: string | null;
  run: string;
  last_run: string;
  unknown_at: number | null;
  disputed_at: number | null;
  updated_at: number;
}

function toEntry(row: OrderRow): LedgerEntry {
  return {
    externalOrderId: row.external_order_id,
    bodyHash: row.body_hash,
    idempotencyKey: row.idempotency_key,
    generation: row.generation,
    state: row.state,
    orderId: row.order_id,
    orderNumber: row.order_number,
    code: row.code,
    run: row.run,
    lastRun: row.last_run,
    unknownAt: row.unknown_at === null ? null : checkTime(row.unknown_at),
    disputedAt: row.disputed_at === null ? null : checkTime(row.disputed_at),
  };
}

export interface OtherKey {
  client: string;
  newestOrderId: string | undefined;
}

export function findOtherKeys(database: Database, client: string, service: string): OtherKey[] {
  return guard(() => {
    const clients = database
      .prepare(`
        SELECT client FROM clients AS c WHERE client <> ? AND service = ?
          AND EXISTS (SELECT 1 FROM orders WHERE client = c.client)`)
      .all(client, service) as { client: string }[];
    const selectNewest = database.prepare(`
      SELECT order_id FROM orders WHERE client = ? AND state = 'created' AND order_id IS NOT NULL
      ORDER BY updated_at DESC LIMIT 1`);
    return clients.map((other) => {
      const newest = selectNewest.get(other.client) as { order_id: string } | undefined;
      return { client: other.client, newestOrderId: newest?.order_id };
    });
  });
}

/** The orders of one API client that are known to be cancelled. Error of every method: `ledger_not_writable`. */
export interface Cancellations {
  /** After a 2xx to our cancellation, or when the order's status is cancelled. */
  add(order: { orderId: string; externalOrderId: string | undefined }): void;
  /** Cancelled with any key: order IDs of the service are unique across keys. */
  has(orderId: string): boolean;
  markReplaced(externalOrderId: string): void;
  replacedIds(externalOrderId: string): string[];
}

export function createCancellations(database: Database, client: string, now: () => number): Cancellations {
  const insert = database.prepare(
    'INSERT OR IGNORE INTO cancellations (client, order_id, external_order_id, cancelled_at) VALUES (?, ?, ?, ?)',
  );
  const select = database.prepare('SELECT 1 FROM cancellations WHERE order_id = ?');
  const replace = database.prepare(
    'UPDATE cancellations SET is_replaced = 1 WHERE client = ? AND external_order_id = ?',
  );
  const selectReplaced = database.prepare(
    'SELECT order_id FROM cancellations WHERE client = ? AND external_order_id = ? AND is_replaced',
  );
  return {
    add: ({ orderId, externalOrderId }) =>
      void guard(() => insert.run(client, orderId, externalOrderId ?? null, now())),
    has: (orderId) => guard(() => select.get(orderId) !== undefined),
    markReplaced: (externalOrderId) => void guard(() => replace.run(client, externalOrderId)),
    replacedIds: (externalOrderId) =>
      guard(() => {
        if (selectReplaced.get([client, externalOrderId]) === undefined) return [];
        const rows = selectReplaced.all(client, externalOrderId) as { order_id: string }[];
        return rows.map((row) => row.order_id);
      }),
  };
}
