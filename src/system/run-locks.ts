import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type Libsql from 'libsql';

/**
 * Locks that show which runs are alive, each on a SQLite file of its own. The operating system frees the lock of a
 * process that died; a process ID would not do, since it is used again.
 */
export interface RunLocks {
  /** Errors: those of the file system and of SQLite. */
  take(run: string): void;
  /** Whether a live process holds the lock; the file of a dead one is removed. */
  isHeld(run: string): boolean;
  /** Removes the files of dead processes. No lock may be taken at the same time. */
  sweep(): void;
  /** Frees the locks that this object took. */
  release(): void;
}

/** `directory` is created with the first lock. */
export async function createRunLocks(directory: string): Promise<RunLocks> {
  const { default: SqliteDatabase } = await import('libsql');
  const taken = new Map<string, Libsql.Database>();
  const fileOf = (run: string) => join(directory, `${run}.db`);
  const remove = (database: Libsql.Database, file: string) => {
    // Windows does not remove an open file.
    database.close();
    for (const suffix of ['', '-journal']) rmSync(file + suffix, { force: true });
  };
  const isHeld = (run: string) => {
    const file = fileOf(run);
    if (taken.has(run)) return true;
    if (!existsSync(file)) return false;
    const database = new SqliteDatabase(file);
    try {
      database.exec('PRAGMA busy_timeout = 0');
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      if (/\b(?:busy|locked)\b/i.test((error as Error).message)) return true;
      throw error;
    }
    remove(database, file);
    return false;
  };
  return {
    isHeld,
    sweep: () => {
      if (!existsSync(directory)) return;
      for (const name of readdirSync(directory)) if (name.endsWith('.db')) isHeld(name.slice(0, -3));
    },
    take: (run) => {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const file = fileOf(run);
      closeSync(openSync(file, 'wx', 0o600));
      const database = new SqliteDatabase(file);
      database.exec('BEGIN EXCLUSIVE');
      taken.set(run, database);
    },
    release: () => {
      for (const [run, database] of taken) remove(database, fileOf(run));
      taken.clear();
    },
  };
}
