import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type Libsql from 'libsql';

export type Database = Libsql.Database;

const busyMilliseconds = 10_000;
const retryMilliseconds = 20;

/**
 * Opens a SQLite file (or `:memory:`) for several processes at once: WAL, waiting for a busy lock.
 * The file is readable by its owner alone, whatever the umask; SQLite gives its companions the same mode.
 */
export async function openDatabase(path: string): Promise<Database> {
  const { default: SqliteDatabase } = await import('libsql');
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new SqliteDatabase(path);
  database.exec(`PRAGMA busy_timeout = ${busyMilliseconds}`);
  await useWriteAheadLog(database);
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
  return database;
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
