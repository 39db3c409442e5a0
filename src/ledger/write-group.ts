import type { Database } from '../system/sqlite.ts';
import { toLedgerError } from './guard.ts';

interface Waiting {
  work(): unknown;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

export interface WriteGroup {
  /**
   * Runs what comes in one turn of the event loop in one transaction, in the order in which it came. Nothing is
   * resolved before it is committed; when one part fails nothing is written, and all of them fail.
   */
  transaction<Result>(work: () => Result): Promise<Result>;
  /** What was written in this turn is on the disk before anything of it is resolved, whatever happens to the machine. */
  keep(): void;
}

export function createWriteGroup(database: Database): WriteGroup {
  let waiting: Waiting[] = [];
  let mustLast = false;
  // In WAL mode a commit reaches the disk with the next one that is synced.
  const sync = () => {
    database.exec('PRAGMA synchronous = FULL');
    database.exec('UPDATE secret SET value = value');
    database.exec('PRAGMA synchronous = NORMAL');
    mustLast = false;
  };
  const flush = () => {
    const group = waiting;
    waiting = [];
    try {
      const values = inTransaction(database, () => group.map(({ work }) => work()));
      if (mustLast) sync();
      for (const [index, { resolve }] of group.entries()) resolve(values[index]);
    } catch (error) {
      for (const { reject } of group) reject(toLedgerError(error));
    }
  };
  return {
    transaction: <Result>(work: () => Result) =>
      new Promise<Result>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ work, resolve: resolve as Waiting['resolve'], reject });
      }),
    keep: () => {
      mustLast = true;
    },
  };
}

/** All that `work` writes, or nothing of it. Errors: those of `work` and of the database, as they are. */
export function inTransaction<Result>(database: Database, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // On a full disk SQLite has ended it already; what went wrong is the first error.
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
