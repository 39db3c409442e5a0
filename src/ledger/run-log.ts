import type { RunLocks } from '../system/run-locks.ts';
import type { Database } from '../system/sqlite.ts';
import { guard } from './guard.ts';

/** One past or present run of a command that sends orders. */
export interface Run {
  id: string;
  kind: 'import' | 'create';
  /** The file, as it was typed; empty when there was none. */
  file: string;
  /** Where its results are written; empty when nowhere. */
  results: string;
  service: string;
  /** Milliseconds since the epoch; the end is unknown of a run that died. */
  startedAt: number;
  endedAt: number | undefined;
  exitCode: number | undefined;
  /** Orders that were meant. */
  orders: number;
}

export interface NewRun {
  id: string;
  kind: Run['kind'];
  file: string;
  results: string;
  orders: number;
}

/** What a run found out about one order of its file. */
export interface RunOrder {
  /** The first row of the order. */
  row: number;
  externalOrderId: string;
  outcome: string;
  code?: string | undefined;
  attempts: number;
}

/** The same, with what the ledger knows of the order by now. */
export interface RunResult extends RunOrder {
  orderId?: string;
  orderNumber?: string;
  idempotencyKey?: string;
  createdByRun?: string;
}

/** Error of every method: `ledger_not_writable`. */
export interface RunLog {
  /** From here on its intents are left to it, for as long as its process lives. */
  begin(run: NewRun): Promise<void>;
  end(run: string, exitCode: number): void;
  /** Belongs into the transaction of what it is about. */
  note(run: string, order: RunOrder): void;
  isAlive(run: string): boolean;
  /** When a run that died may have sent something last, in milliseconds since the epoch; now when nobody knows. */
  lastSign(run: string): number;
  /** Ends the signs of life; the locks are free when their process is gone. */
  close(): void;
}

const signMilliseconds = 30_000;

export function createRunLog(
  database: Database,
  locks: RunLocks,
  { client, service }: { client: string; service: string },
  { transaction, now }: { transaction<Result>(work: () => Result): Promise<Result>; now: () => number },
): RunLog {
  const insert = database.prepare(`
    INSERT INTO runs (id, kind, file, results, client, service, orders, started_at, seen_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const sign = database.prepare('UPDATE runs SET seen_at = ? WHERE id = ?');
  const signed = database.prepare('SELECT seen_at FROM runs WHERE id = ?');
  let signs: NodeJS.Timeout | undefined;
  const finish = database.prepare('UPDATE runs SET ended_at = ?, exit_code = ? WHERE id = ?');
  const insertOrder = database.prepare('INSERT OR REPLACE INTO run_orders VALUES (?, ?, ?, ?, ?, ?)');
  // A process that died does not come back, and no two runs have one id.
  const dead = new Set<string>();
  const own = new Set<string>();
  const signLife = (run: string) => {
    try {
      sign.run(now(), run);
    } catch {
      // What it writes next tells that the ledger cannot be written.
    }
  };
  return {
    // The lock is taken while nobody else can write: who finds a run in the ledger finds its lock as well.
    begin: ({ id, kind, file, results, orders }) =>
      transaction(() => {
        locks.sweep();
        locks.take(id);
        own.add(id);
        insert.run(id, kind, file, results, client, service, orders, now(), now());
        signs = setInterval(() => signLife(id), signMilliseconds).unref();
      }),
    end: (run, exitCode) => void guard(() => finish.run(now(), exitCode, run)),
    note: (run, { row, externalOrderId, outcome, code, attempts }) =>
      void guard(() => insertOrder.run(run, row, externalOrderId, outcome, code ?? null, attempts)),
    lastSign: (run) =>
      guard(() => {
        const { seen_at: seenAt = now() } = (signed.get(run) ?? {}) as { seen_at?: number };
        return Math.min(now(), seenAt + 2 * signMilliseconds);
      }),
    close: () => clearInterval(signs),
    isAlive: (run) => {
      if (own.has(run)) return true;
      if (run === '' || dead.has(run)) return false;
      const isHeld = guard(() => locks.isHeld(run));
      if (!isHeld) dead.add(run);
      return isHeld;
    },
  };
}
