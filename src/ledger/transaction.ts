import type { Database } from '../system/sqlite.ts';

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
