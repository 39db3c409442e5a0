import { CliError, isDiskFull } from '../errors.ts';
import type { RunLocks } from '../system/run-locks.ts';
import type { Database } from '../system/sqlite.ts';
import type { Copies } from './copies.ts';
import { guard, toLedgerError } from './schema.ts';

/** Times are milliseconds since the epoch. `endedAt` is undefined while a run goes on, and when it died. */
export interface Run {
  id: string;
  kind: 'import' | 'create';
  file: string;
  results: string;
  service: string;
  startedAt: number;
  endedAt: number | undefined;
  exitCode: number | undefined;
  orders: number;
}

type NewRun = Pick<Run, 'id' | 'kind' | 'file' | 'results' | 'orders'>;

interface RunOrder {
  row: number;
  externalOrderId: string;
  outcome: string;
  code?: string | undefined;
  attempts: number;
  /** Of the content in the file of the run, when the outcome is unknown: the order may be created with other content. */
  bodyHash?: string | undefined;
  /** The run that began it. */
  createdByRun?: string;
}

export interface RunResult extends RunOrder {
  orderId?: string;
  orderNumber?: string;
  idempotencyKey?: string;
  copies?: Copies | null;
}

const heartbeatMilliseconds = 30_000;

interface RunLogParts {
  database: Database;
  locks: RunLocks;
  client: string;
  service: string;
  space: Reserve;
  transaction<Result>(work: () => Result): Promise<Result>;
  now(): number;
}

/** Error of every method: `ledger_not_writable`. */
export function createRunLog(parts: RunLogParts) {
  const { database, locks, client, service, space, transaction, now } = parts;
  const insert = database.prepare(`
    INSERT INTO runs (id, kind, file, results, client, service, orders, started_at, heartbeat_at)
    VALUES (:id, :kind, :file, :results, :client, :service, :orders, :now, :now)`);
  const updateHeartbeat = database.prepare('UPDATE runs SET heartbeat_at = ? WHERE id = ?');
  const selectHeartbeat = database.prepare('SELECT heartbeat_at FROM runs WHERE id = ?');
  const selectStart = database.prepare('SELECT started_at FROM runs WHERE id = ?');
  const finish = database.prepare('UPDATE runs SET ended_at = ?, exit_code = ? WHERE id = ?');
  const insertOrder = database.prepare('INSERT OR REPLACE INTO run_orders VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const dead = new Set<string>();
  let heartbeat: NodeJS.Timeout | undefined;
  const beat = (run: string) => {
    try {
      updateHeartbeat.run(now(), run);
    } catch {
      // The next write of an order reports it.
    }
  };
  return {
    /** While its process lives, other runs do not touch its intents. */
    begin: ({ id, kind, file, results, orders }: NewRun): Promise<void> => {
      // The lock is taken inside the transaction, so every run in the ledger has its lock.
      let hasLock = false;
      return transaction(() => {
        // The transaction may be run twice.
        space.take(orders);
        if (!hasLock) {
          locks.removeUnused();
          locks.take(id);
          hasLock = true;
        }
        insert.run({ id, kind, file, results, client, service, orders, now: now() });
        clearInterval(heartbeat);
        heartbeat = setInterval(() => beat(id), heartbeatMilliseconds).unref();
      });
    },
    /** When nothing else will be sent. */
    releaseSpace: space.release,
    end: (run: string, exitCode: number) => {
      const write = () => void guard(() => finish.run(now(), exitCode, run));
      try {
        write();
      } catch (error) {
        if (!space.free(error)) throw error;
        write();
      }
    },
    /** Belongs in a transaction with the order's entry. */
    recordOrder: (run: string, { row, externalOrderId, outcome, attempts, ...order }: RunOrder) => {
      const { code = null, bodyHash = null, createdByRun = run } = order;
      const begunBy = createdByRun === run ? null : createdByRun;
      guard(() => insertOrder.run(run, row, externalOrderId, outcome, code, attempts, bodyHash, begunBy));
    },
    isAlive: (run: string) => {
      if (dead.has(run)) return false;
      const isHeld = guard(() => locks.isHeld(run));
      if (!isHeld) dead.add(run);
      return isHeld;
    },
    startedAt: (run: string) =>
      guard(() => (selectStart.get(run) as { started_at: number } | undefined)?.started_at),
    /** The latest time at which a run that died may have sent something; now when that is not known. */
    lastHeartbeat: (run: string) =>
      guard(() => {
        const row = selectHeartbeat.get(run) as { heartbeat_at: number } | undefined;
        return row === undefined ? now() : Math.min(now(), row.heartbeat_at + 2 * heartbeatMilliseconds);
      }),
    close: () => clearInterval(heartbeat),
  };
}

type Reserve = ReturnType<typeof createReserve>;

const bytesPerOrder = 16 * 1024;
const maxOrdersInFlight = 128;
const bytesForRun = 64 * 1024;

/**
 * Disk space reserved for the outcomes of orders in flight, so that a full disk does not lose them. `reserve` allocates
 * it; the returned function frees it.
 */
export function createReserve(reserve: (bytes: number) => () => void) {
  let release: (() => void) | undefined;
  let fullDisk: unknown;
  const releaseOnce = () => {
    const taken = release;
    release = undefined;
    taken?.();
  };
  return {
    take: (orders: number) => {
      try {
        release ??= reserve(Math.min(orders, maxOrdersInFlight) * bytesPerOrder + bytesForRun);
      } catch (error) {
        throw toLedgerError(error instanceof CliError ? error.cause : error);
      }
    },
    /** Frees the space if the disk is full. Returns whether the same write may succeed now. */
    free: (error: unknown) => {
      const isFull = isDiskFull(error) || (error instanceof CliError && isDiskFull(error.cause));
      if (!isFull || (release === undefined && fullDisk === undefined)) return false;
      fullDisk ??= error;
      releaseOnce();
      return true;
    },
    /** Throws if the space was needed: nothing else may be sent. */
    checkUnused: () => {
      if (fullDisk !== undefined) throw toLedgerError(fullDisk);
    },
    release: releaseOnce,
  };
}
