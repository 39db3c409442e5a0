import { createHmac } from 'node:crypto';
import type { UnnamedField } from '../orders/unnamed-fields.ts';
import type { RunLocks } from '../system/run-locks.ts';
import type { Database, Schema } from '../system/sqlite.ts';
import {
  type Cancellations,
  createCancellations,
  createOrderLog,
  findOtherKeys,
  type OrderLog,
  type OtherKey,
} from './order-log.ts';
import { createReserve, createRunLog, type ReserveSpace, type RunLog } from './run-log.ts';
import { guard, ledgerSchema, toLedgerError } from './schema.ts';

/**
 * Where the service of a client takes a field that the interface does not name. `set`: by a person, and trusted; `shown`:
 * a value came back; `chosen`: by a person, and no value has come back yet; `not_shown`: a value did not come back.
 */
export interface LedgerFieldPath {
  field: UnnamedField;
  path: string;
  known: 'set' | 'shown' | 'chosen' | 'not_shown';
}

/** Error of every method: `ledger_not_writable`. */
interface FieldPathLog {
  all(): LedgerFieldPath[];
  record(fieldPaths: readonly LedgerFieldPath[]): void;
  forget(fields: readonly UnnamedField[]): void;
}

/** What was sent to one service with one API key: ids and hashes only. Error of every method: `ledger_not_writable`. */
export interface Ledger {
  client: string;
  service: string;
  orders: OrderLog;
  cancellations: Cancellations;
  runs: RunLog;
  fieldPaths: FieldPathLog;
  /** Group commit: resolves once committed; each work is atomic. */
  transaction<Result>(work: () => Result): Promise<Result>;
  /** Inside a transaction: its writes reach the disk before it resolves, even if power fails. */
  sync(): void;
  otherKeys(): OtherKey[];
  ordersOf(key: OtherKey): OrderLog;
  close(): void;
}

/** A service and an API key; the ledger stores a hash of both, never the key. */
export interface LedgerClient {
  service: string;
  apiKey: string;
}

interface LedgerParts {
  open(schema: Schema): Promise<Database>;
  locks: RunLocks;
  reserve: ReserveSpace;
  now(): number;
}

/** The ledger closes the database. Error: `ledger_not_writable`. */
export async function openLedger(
  { open, locks, reserve, now }: LedgerParts,
  { service, apiKey }: LedgerClient,
): Promise<Ledger> {
  const database = await open(ledgerSchema).catch((error) => {
    throw toLedgerError(error);
  });
  return guard(() => {
    const { value: secret } = database.prepare('SELECT value FROM secret').get() as { value: string };
    const client = createHmac('sha256', secret).update(`${service}\n${apiKey}`).digest('hex');
    const known = database.prepare('SELECT 1 FROM clients WHERE client = ?').get(client);
    if (known === undefined)
      database.prepare('INSERT OR IGNORE INTO clients VALUES (?, ?)').run(client, service);
    const space = createReserve(reserve);
    const transaction = <Result>(work: () => Result) =>
      database
        .groupTransaction(work)
        .catch((error) => {
          if (!space.free(error)) throw error;
          return database.groupTransaction(work);
        })
        .catch((error) => {
          throw toLedgerError(error);
        });
    const runs = createRunLog({ database, locks, client, service, space, transaction, now });
    const orders = createOrderLog(database, client, now);
    return {
      client,
      service,
      orders: {
        ...orders,
        record: (entry) => {
          // The reserved space is for outcomes of orders that were sent.
          if (entry.state === 'intent') space.checkUnused();
          orders.record(entry);
        },
      },
      cancellations: createCancellations(database, client, now),
      runs,
      fieldPaths: createFieldPathLog(database, client),
      transaction,
      sync: () => {
        // A dummy write detects a ledger that cannot be written.
        guard(() => database.exec('UPDATE secret SET value = value'));
        database.syncGroup();
      },
      otherKeys: () => findOtherKeys(database, client, service),
      ordersOf: (key) => createOrderLog(database, key.client, now),
      close: () => {
        runs.close();
        space.release();
        database.close();
        locks.release();
      },
    };
  });
}

function createFieldPathLog(database: Database, client: string): FieldPathLog {
  const select = database.prepare('SELECT field, path, known FROM field_places WHERE client = ?');
  const replace = database.prepare('INSERT OR REPLACE INTO field_places VALUES (?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM field_places WHERE client = ? AND field = ?');
  return {
    all: () =>
      guard(() =>
        (select.all(client) as LedgerFieldPath[]).map(({ field, path, known }) => ({ field, path, known })),
      ),
    record: (fieldPaths) =>
      guard(() => {
        for (const { field, path, known } of fieldPaths) replace.run(client, field, path, known);
      }),
    forget: (fields) =>
      guard(() => {
        for (const field of fields) remove.run(client, field);
      }),
  };
}
