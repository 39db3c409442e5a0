import { createHmac } from 'node:crypto';
import type { UnnamedField } from '../orders/unnamed-fields.ts';
import type { RunLocks } from '../system/run-locks.ts';
import type { Database, Schema } from '../system/sqlite.ts';
import {
  createCancellations,
  createOrderLog,
  findOtherKeys,
  type LedgerEntry,
  type OtherKey,
} from './order-log.ts';
import { createReserve, createRunLog } from './run-log.ts';
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

export type Ledger = Awaited<ReturnType<typeof openLedger>>;

/** A service and an API key; the ledger stores a hash of both, never the key. */
export interface LedgerClient {
  service: string;
  apiKey: string;
}

interface LedgerParts {
  open(schema: Schema): Promise<Database>;
  locks: RunLocks;
  reserve: Parameters<typeof createReserve>[0];
  now(): number;
}

/**
 * What was sent to one service with one API key: ids and hashes only. Closes the database. Error, also of every method:
 * `ledger_not_writable`.
 */
export async function openLedger(
  { open, locks, reserve, now }: LedgerParts,
  { service, apiKey }: LedgerClient,
) {
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
    /** Group commit: resolves once committed; each work is atomic. */
    const transaction = <Result>(work: () => Result): Promise<Result> =>
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
        record: (entry: LedgerEntry) => {
          // The reserved space is for outcomes of orders that were sent.
          if (entry.state === 'intent') space.checkUnused();
          orders.record(entry);
        },
      },
      cancellations: createCancellations(database, client, now),
      runs,
      fieldPaths: createFieldPathLog(database, client),
      transaction,
      /** Inside a transaction: its writes reach the disk before it resolves, even if power fails. */
      sync: () => {
        // A dummy write detects a ledger that cannot be written.
        guard(() => database.exec('UPDATE secret SET value = value'));
        database.syncGroup();
      },
      otherKeys: () => findOtherKeys(database, client, service),
      ordersOf: (key: OtherKey) => createOrderLog(database, key.client, now),
      close: () => {
        runs.close();
        space.release();
        database.close();
        locks.release();
      },
    };
  });
}

function createFieldPathLog(database: Database, client: string) {
  const select = database.prepare('SELECT field, path, known FROM field_places WHERE client = ?');
  const replace = database.prepare('INSERT OR REPLACE INTO field_places VALUES (?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM field_places WHERE client = ? AND field = ?');
  return {
    all: () =>
      guard(() =>
        (select.all(client) as LedgerFieldPath[]).map(({ field, path, known }) => ({ field, path, known })),
      ),
    record: (fieldPaths: readonly LedgerFieldPath[]) =>
      guard(() => {
        for (const { field, path, known } of fieldPaths) replace.run(client, field, path, known);
      }),
    forget: (fields: readonly UnnamedField[]) =>
      guard(() => {
        for (const field of fields) remove.run(client, field);
      }),
  };
}
