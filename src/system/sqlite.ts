import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type Libsql from 'libsql';

export type Database = Libsql.Database;

/** What a database file must hold to be opened. */
export interface Schema {
  /** `PRAGMA application_id`: tells our files from those of other programs. */
  applicationId: number;
  /** `PRAGMA user_version` */
  version: number;
  /** Makes the tables in an empty database, inside a transaction. */
  create(database: Database): void;
  /** The error for a file with other content. */
  mismatch(path: string): Error;
}

const busyMilliseconds = 10_000;
const retryMilliseconds = 20;

/**
 * Opens a SQLite file (or `:memory:`) for several processes at once: WAL, waiting for a busy lock.
 * The file is readable by its owner alone, whatever the umask; SQLite gives its companions the same mode.
 * With a schema, an empty file gets its tables, and a file with other content is not written to: error `mismatch`.
 */
export async function openDatabase(path: string, schema?: Schema): Promise<Database> {
  const { default: SqliteDatabase } = await import('libsql');
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new SqliteDatabase(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyMilliseconds}`);
    // Before anything is written: to switch to WAL changes the file.
    if (schema !== undefined) isEmpty(database, schema, path);
    await useWriteAheadLog(database);
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    if (schema !== undefined) createTables(database, schema, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function createTables(database: Database, schema: Schema, path: string): void {
  if (!isEmpty(database, schema, path)) return;
  inTransaction(database, () => {
    // Another process may have made them by now.
    if (!isEmpty(database, schema, path)) return;
    schema.create(database);
    database.exec(`PRAGMA application_id = ${schema.applicationId}; PRAGMA user_version = ${schema.version}`);
  });
}

/** False for a database with this schema. Error: `mismatch` for any other. */
function isEmpty(database: Database, { applicationId, version, mismatch }: Schema, path: string): boolean {
  const {
    application_id: foundId,
    user_version: foundVersion,
    tables,
  } = database
    .prepare(`SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) AS tables
      FROM pragma_application_id, pragma_user_version`)
    .get() as { application_id: number; user_version: number; tables: number };
  if (foundId === applicationId && foundVersion === version) return false;
  if (foundId === 0 && foundVersion === 0 && tables === 0) return true;
  throw mismatch(path);
}

/** All that `work` writes, or nothing of it. Errors: those of `work` and of the database, as they are. */
export function inTransaction<Result>(database: Database, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // On a full disk SQLite has rolled back already, and a second ROLLBACK would hide the first error.
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Of several processes that open a new file at once, SQLite lets some fail here without waiting as it does elsewhere. */
async function useWriteAheadLog(database: Database): Promise<void> {
  for (let waited = 0; ; waited += retryMilliseconds) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = /\b(?:busy|locked)\b/i.test(error instanceof Error ? error.message : '');
      if (!isBusy || waited >= busyMilliseconds) throw error;
      await delay(retryMilliseconds);
    }
  }
}
