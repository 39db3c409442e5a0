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

/** Error of every method: `ledger_not_writable`. */
export interface RunLog {
  /** While its process lives, other runs do not touch its intents. */
  begin(run: NewRun): Promise<void>;
  /** When nothing else will be sent. */
  releaseSpace(): void;
  end(run: string, exitCode: number): void;
  /** Belongs in a transaction with the order's entry. */
  recordOrder(run: string, order: RunOrder): void;
  isAlive(run: string): boolean;
  startedAt(run: string): number | undefined;
  /** The latest time at which a run that died may have sent something; now when that is not known. */
  lastHeartbeat(run: string): number;
  close(): void;
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

export function createRunLog(parts: RunLogParts): RunLog {
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
    // The lock is taken inside the transaction, so every run in the ledger has its lock.
    begin: ({ id, kind, file, results, orders }) => {
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
    releaseSpace: space.release,
    end: (run, exitCode) => {
      const write = () => void guard(() => finish.run(now(), exitCode, run));
      try {
        write();
      } catch (error) {
        if (!space.free(error)) throw error;
        write();
      }
    },
    recordOrder: (run, { row, externalOrderId, outcome, attempts, ...order }) => {
      const { code = null, bodyHash = null, createdByRun = run } = order;
      const begunBy = createdByRun === run ? null : createdByRun;
      guard(() => insertOrder.run(run, row, externalOrderId, outcome, code, attempts, bodyHash, begunBy));
    },
    isAlive: (run) => {
      if (dead.has(run)) return false;
      const isHeld = guard(() => locks.isHeld(run));
      if (!isHeld) dead.add(run);
      return isHeld;
    },
    startedAt: (run) => guard(() => (selectStart.get(run) as { started_at: number } | undefined)?.started_at),
    lastHeartbeat: (run) =>
      guard(() => {
        const row = selectHeartbeat.get(run) as { heartbeat_at: number } | undefined;
        return row === undefined ? now() : Math.min(now(), row.heartbeat_at + 2 * heartbeatMilliseconds);
      }),
    close: () => clearInterval(heartbeat),
  };
}

/** Allocates disk space; the returned function frees it. */
export type ReserveSpace = (bytes: number) => () => void;

/** Disk space reserved for the outcomes of orders in flight, so that a full disk does not lose them. */
interface Reserve {
  take(orders: number): void;
  /** Frees the space if the disk is full. Returns whether the same write may succeed now. */
  free(error: unknown): boolean;
  /** Throws if the space was needed: nothing else may be sent. */
  checkUnused(): void;
  release(): void;
}

const bytesPerOrder = 16 * 1024;
const maxOrdersInFlight = 128;
const bytesForRun = 64 * 1024;

export function createReserve(reserve: ReserveSpace): Reserve {
  let release: (() => void) | undefined;
  let fullDisk: unknown;
  const releaseOnce = () => {
    const taken = release;
    release = undefined;
    taken?.();
  };
  return {
    take: (orders) => {
      try {
        release ??= reserve(Math.min(orders, maxOrdersInFlight) * bytesPerOrder + bytesForRun);
      } catch (error) {
        throw toLedgerError(error instanceof CliError ? error.cause : error);
      }
    },
    free: (error) => {
      const isFull = isDiskFull(error) || (error instanceof CliError && isDiskFull(error.cause));
      if (!isFull || (release === undefined && fullDisk === undefined)) return false;
      fullDisk ??= error;
      releaseOnce();
      return true;
    },
    checkUnused: () => {
      if (fullDisk !== undefined) throw toLedgerError(fullDisk);
    },
    release: releaseOnce,
  };
}
