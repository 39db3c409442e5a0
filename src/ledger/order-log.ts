import { hash } from 'node:crypto';
import { type Order, writeOrderBody } from '../orders/order.ts';
import { foldExternalId } from '../orders/order-reference.ts';
import type { Database, SqlValues } from '../system/sqlite.ts';
import type { Copies } from './copies.ts';
import type { Run } from './run-log.ts';
import { checkTime, foldedIdOf, guard } from './schema.ts';

export type OrderLog = ReturnType<typeof createOrderLog>;

export interface StoredEntry {
  entry: LedgerEntry;
  recordedAt: number;
  /** With any key: order IDs of the service are unique across keys. */
  isCancelled: boolean;
  wasRejected: boolean;
}

export interface SentOrder {
  externalOrderId: string;
  run: string;
  operation: Run['kind'];
  file: string;
  /** Last sent or looked up, in milliseconds since the epoch. */
  recordedAt: number;
}

const selectSent = `
  SELECT external_order_id AS externalOrderId, coalesce(nullif(run, ''), last_run) AS run,
    coalesce(kind, 'import') AS operation, coalesce(file, '') AS file, updated_at AS recordedAt
  FROM orders AS o LEFT JOIN runs ON runs.id = coalesce(nullif(run, ''), last_run)`;
const selectOpen = `${selectSent}
  WHERE o.client = ? AND o.state IN ('intent', 'unknown') ORDER BY updated_at DESC, external_order_id`;
const selectWithCopies = `${selectSent}
  WHERE o.client = ? AND o.copies IS NOT NULL AND o.state = 'created' ORDER BY updated_at, external_order_id`;
const selectOne = `${selectSent} WHERE o.client = ? AND external_order_id = ?`;
const selectOfRun = `${selectSent}
  WHERE o.client = :client AND (run = :run OR last_run = :run
    OR external_order_id IN (SELECT external_order_id FROM run_orders WHERE run = :run))`;

/** Two queries, so that each uses its index; `CROSS JOIN` keeps SQLite from going through all orders for each ID. */
const selectSpellings = `
  WITH wanted AS (SELECT value ->> 0 AS id, value ->> 1 AS folded FROM json_each(:ids))
  SELECT id, external_order_id AS known FROM wanted
    CROSS JOIN orders AS o ON o.client = :client AND o.external_order_id = folded WHERE id <> folded
  UNION ALL
  SELECT id, external_order_id FROM wanted
    CROSS JOIN orders AS o ON o.client = :client AND o.folded_id = folded
    WHERE o.folded_id IS NOT NULL AND external_order_id <> id`;

const selectStored = (ids: string) => `
  SELECT external_order_id AS externalOrderId, body_hash AS bodyHash, idempotency_key AS idempotencyKey, generation,
    state, order_id AS orderId, order_number AS orderNumber, code, run, last_run AS lastRun, unknown_at AS unknownAt,
    disputed_at AS first409At, copies, updated_at AS recordedAt,
    EXISTS (SELECT 1 FROM cancellations AS c WHERE c.order_id = o.order_id AND is_done) AS isCancelled,
    EXISTS (SELECT 1 FROM rejections AS r
      WHERE r.client = o.client AND r.external_order_id = o.external_order_id) AS wasRejected
  FROM orders AS o WHERE client = ? AND external_order_id IN (${ids})`;

/** The orders that one API client sent, by external order ID. Error of every method: `ledger_not_writable`. */
export function createOrderLog(database: Database, client: string, now: () => number) {
  const selectOrder = database.prepare(selectStored('?'));
  const selectMany = database.prepare(selectStored('SELECT value FROM json_each(?)'));
  const selectOthers = database.prepare(selectSpellings);
  const selectNewest = database.prepare(`
    SELECT max(order_number) AS newest FROM orders
    WHERE client = ? AND order_number GLOB 'ORD-[0-9][0-9][0-9][0-9]-[0-9]*'`);
  const replace = database.prepare(`
    INSERT OR REPLACE INTO orders (client, external_order_id, folded_id, body_hash, idempotency_key, generation, state,
      order_id, order_number, code, run, last_run, unknown_at, disputed_at, copies, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const updateCopies = database.prepare(`
    UPDATE orders SET copies = ?, order_id = ?, order_number = ?
    WHERE client = ? AND external_order_id = ? AND state = 'created'`);
  const remove = database.prepare('DELETE FROM orders WHERE client = ? AND external_order_id = ?');
  const insertRejection = database.prepare('INSERT OR REPLACE INTO rejections VALUES (?, ?, ?, ?)');
  const selectRejection = database.prepare(
    'SELECT generation FROM rejections WHERE client = ? AND external_order_id = ? AND body_hash = ?',
  );
  const selectAny = database.prepare('SELECT 1 FROM orders WHERE client = ? LIMIT 1');
  const findStored = (externalOrderId: string) =>
    guard(() => {
      const row = selectOrder.get(client, externalOrderId) as StoredRow | undefined;
      return row === undefined ? undefined : toStored(row);
    });
  const sent = (select: string, ...values: SqlValues) =>
    guard(() => {
      const orders = database.prepare(select).all(...values) as SentOrder[];
      for (const { recordedAt } of orders) checkTime(recordedAt);
      return orders;
    });
  const record = (entry: LedgerEntry) => {
    const { externalOrderId, bodyHash, generation, state } = entry;
    replace.run(
      client,
      externalOrderId,
      foldedIdOf(externalOrderId),
      bodyHash,
      entry.idempotencyKey,
      generation,
      state,
      entry.orderId,
      entry.orderNumber,
      entry.code,
      entry.run,
      entry.lastRun,
      entry.unknownAt,
      entry.first409At,
      entry.copies && JSON.stringify(entry.copies),
      now(),
    );
    if (state === 'rejected') insertRejection.run(client, externalOrderId, bodyHash, generation);
  };
  return {
    find: (externalOrderId: string) => findStored(externalOrderId)?.entry,
    findStored,
    /** One query takes an eighth of the time of many. */
    findMany: (externalOrderIds: readonly string[]) =>
      guard(() => (selectMany.all(client, JSON.stringify(externalOrderIds)) as StoredRow[]).map(toStored)),
    /** For each ID that the ledger has in other spellings: those, such as `1013` for `#1013`. */
    findOtherSpellings: (externalOrderIds: readonly string[]) =>
      guard(() => {
        const ids = JSON.stringify(externalOrderIds.map((id) => [id, foldExternalId(id)]));
        const rows = selectOthers.all({ client, ids }) as { id: string; known: string }[];
        const spellings = new Map<string, string[]>();
        for (const { id, known } of rows) spellings.set(id, [...(spellings.get(id) ?? []), known]);
        return spellings;
      }),
    /** The greatest order number of the service. */
    newestNumber: () =>
      guard(() => {
        const { newest } = selectNewest.get(client) as { newest: string | null };
        return newest ?? undefined;
      }),
    findOpen: () => sent(selectOpen, client),
    /** Created, and a lookup has to show how many there are. */
    findWithCopies: () => sent(selectWithCopies, client),
    /** The order with this ID, or all orders of the run with this ID. */
    findNamed: (reference: string) => {
      const named = sent(selectOne, client, reference);
      return named.length > 0 ? named : sent(selectOfRun, { client, run: reference });
    },
    /** The generation in which this content was rejected; the entry may have other content by now. */
    rejectedGeneration: (externalOrderId: string, bodyHash: string) =>
      guard(() => {
        const row = selectRejection.get(client, externalOrderId, bodyHash);
        return (row as Pick<LedgerEntry, 'generation'> | undefined)?.generation;
      }),
    record: (entry: LedgerEntry) => guard(() => record(entry)),
    /** What a lookup showed of an order that was created, and which of its copies the entry names. */
    recordCopies: (
      externalOrderId: string,
      copies: Copies | null,
      { orderId, orderNumber }: Omit<EntryIds, 'idempotencyKey'>,
    ) =>
      void guard(() =>
        updateCopies.run(copies && JSON.stringify(copies), orderId, orderNumber, client, externalOrderId),
      ),
    /** Nothing was processed: restores the entry from before the intent. */
    withdraw: (externalOrderId: string, before: LedgerEntry | undefined) =>
      void guard(() => (before === undefined ? remove.run(client, externalOrderId) : record(before))),
    isEmpty: () => guard(() => selectAny.get(client) === undefined),
  };
}

/** libsql adds `_metadata`. */
type StoredRow = Omit<LedgerEntry, 'copies'> &
  Record<'recordedAt' | 'isCancelled' | 'wasRejected' | '_metadata', number> & { copies: string | null };

function toStored({ recordedAt, isCancelled, wasRejected, _metadata, ...row }: StoredRow): StoredEntry {
  const entry = { ...row, copies: row.copies && JSON.parse(row.copies) };
  for (const time of [recordedAt, entry.unknownAt, entry.first409At]) if (time !== null) checkTime(time);
  return { entry, recordedAt, isCancelled: isCancelled === 1, wasRejected: wasRejected === 1 };
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
export function createCancellations(database: Database, client: string, now: () => number) {
  const insert = database.prepare(`
    INSERT INTO cancellations (client, order_id, external_order_id, cancelled_at, is_done) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET is_done = 1 WHERE excluded.is_done`);
  const select = database.prepare('SELECT 1 FROM cancellations WHERE order_id = ? AND is_done');
  const update = database.prepare(
    'UPDATE cancellations SET is_replaced = 1 WHERE client = ? AND external_order_id = ? AND is_done',
  );
  const selectReplaced = database.prepare(
    'SELECT order_id FROM cancellations WHERE client = ? AND external_order_id = ? AND is_replaced',
  );
  return {
    /** After our cancellation succeeded, or its status is cancelled; not `isDone`: it was accepted, and changed nothing. */
    add: (
      { orderId, externalOrderId }: { orderId: string; externalOrderId: string | undefined },
      isDone = true,
    ) => void guard(() => insert.run(client, orderId, externalOrderId ?? null, now(), isDone ? 1 : 0)),
    /** Cancelled with any key: order IDs of the service are unique across keys. */
    has: (orderId: string) => guard(() => select.get(orderId) !== undefined),
    markReplaced: (externalOrderId: string) => void guard(() => update.run(client, externalOrderId)),
    replacedIds: (externalOrderId: string) =>
      guard((): ReadonlySet<string> => {
        // Most orders have none: `get` is faster than `all`.
        if (selectReplaced.get(client, externalOrderId) === undefined) return new Set();
        const rows = selectReplaced.all(client, externalOrderId) as { order_id: string }[];
        return new Set(rows.map((row) => row.order_id));
      }),
  };
}

/**
 * An `intent` is an order being sent, by a live run or by one that died; after `unknown`, it may or may not exist.
 * `not_found`: it was sent, and a complete lookup proved later that it does not exist.
 */
type OrderState = 'intent' | 'created' | 'rejected' | 'unknown' | 'not_found';

export interface EntryIds {
  orderId: string | null;
  orderNumber: string | null;
  idempotencyKey: string | null;
}

/** Times are milliseconds since the epoch. */
export interface LedgerEntry extends EntryIds {
  externalOrderId: string;
  bodyHash: string;
  idempotencyKey: string;
  /** Part of the idempotency key: 0 at first, higher after a rejection and for an order that is recreated. */
  generation: number;
  state: OrderState;
  /** The service's code for a rejection, or `notCompared`. */
  code: string | null;
  /** The run of the first attempt, or of the create after a lookup found nothing; empty if the order existed before. */
  run: string;
  lastRun: string;
  /** The last attempt that the service may have processed. */
  unknownAt: number | null;
  /** When the service first reported a duplicate that a lookup did not find. */
  first409At: number | null;
  /** Not null while a lookup has to show how many there are: a request without a response may have created another one. */
  copies: Copies | null;
}

/** An open order that was found by its external order ID; its content was not compared. */
export const notCompared = 'not_compared';

export function statedIds({ orderId, orderNumber, idempotencyKey }: EntryIds) {
  return {
    ...(orderId === null ? {} : { orderId }),
    ...(orderNumber === null ? {} : { orderNumber }),
    ...(idempotencyKey ? { idempotencyKey } : {}),
  };
}

export function isOpen({ state }: Pick<LedgerEntry, 'state'>): boolean {
  return state === 'intent' || state === 'unknown';
}

export function hashBody(body: string): string {
  return hash('sha256', body).slice(0, 32);
}

export function hashOrder(order: Order): string {
  return hashBody(writeOrderBody(order));
}
