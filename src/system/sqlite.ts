import { closeSync, openSync } from 'node:fs';
import type Libsql from 'libsql';

export type Database = Libsql.Database;

const busyMilliseconds = 10_000;

/**
 * Opens a SQLite file (or `:memory:`) for several processes at once: WAL, waiting for a busy lock.
 * The file is readable by its owner alone, whatever the umask; SQLite gives its companions the same mode.
 */
export async function openDatabase(path: string): Promise<Database> {
  const { default: SqliteDatabase } = await import('libsql');
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new SqliteDatabase(path);
  database.exec(`PRAGMA busy_timeout = ${busyMilliseconds}`);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
  return database;
}
