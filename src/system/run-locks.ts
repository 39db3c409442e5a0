import { closeSync, lstatSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { advice, again } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { makePrivateDirectory, needDirectory } from './private-files.ts';
import { type Connection, isBusy, loadSqlite } from './sqlite.ts';

export type RunLocks = Awaited<ReturnType<typeof createRunLocks>>;

const extension = '.db';

/**
 * One SQLite lock per run: the operating system frees those of a dead process. A process ID may be reused. The directory is
 * created with the first lock. Without a directory, `take` fails: `configuration_invalid`.
 */
export async function createRunLocks(directory: string | undefined, warn: (sentence: string) => void) {
  const connect = await loadSqlite();
  const taken = new Map<string, Connection>();
  const fileOf = (run: string) => join(needDirectory(directory), run + extension);
  const remove = (database: Connection, file: string) => {
    // Windows cannot remove an open file.
    database.close();
    for (const suffix of ['', '-journal']) {
      try {
        rmSync(file + suffix, { force: true });
      } catch {
        // A later run removes it as the lock of a dead run.
      }
    }
  };
  /** Whether a live process holds the lock; the file of a dead one is removed. Error: `ledger_not_writable`. */
  const isHeld = (run: string) => {
    const file = fileOf(run);
    if (taken.has(run)) return true;
    if (!isLock(file)) return false;
    let database: Connection | undefined;
    try {
      database = connect(file);
      database.exec('PRAGMA busy_timeout = 0');
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database?.close();
      if (isBusy(error)) return true;
      throw notUsable(`${file}, the lock of an import, cannot be used: ${(error as Error).message}.`);
    }
    remove(database, file);
    return false;
  };
  return {
    isHeld,
    /** Removes the files of dead processes. No lock may be taken at the same time. */
    removeUnused: () => {
      const runs = namesIn(directory).filter((name) => name.endsWith(extension));
      for (const run of runs.map((name) => name.slice(0, -extension.length))) {
        try {
          isHeld(run);
        } catch (error) {
          warn(`${(error as Error).message} It was left as it is.`);
        }
      }
    },
    take: (run: string) => {
      makePrivateDirectory(needDirectory(directory));
      const file = fileOf(run);
      closeSync(openSync(file, 'wx', 0o600));
      const database = connect(file);
      try {
        database.exec('BEGIN EXCLUSIVE');
      } catch (error) {
        remove(database, file);
        throw error;
      }
      taken.set(run, database);
    },
    release: () => {
      for (const [run, database] of taken) remove(database, fileOf(run));
      taken.clear();
    },
  };
}

/** A lock is always empty, so a file with content is not ours. Error: `ledger_not_writable`. */
function isLock(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.isFile() && found.size === 0) return true;
  throw notUsable(`${file} is not the lock of an import.`);
}

function namesIn(directory: string | undefined): string[] {
  if (directory === undefined) return [];
  const noEntry = { throwIfNoEntry: false } as const;
  const found = statSync(directory, noEntry) ?? lstatSync(directory, noEntry);
  if (found === undefined) return [];
  if (!found.isDirectory())
    throw notUsable(`${directory} is not a folder, so it cannot hold the locks of imports.`);
  return readdirSync(directory);
}

function notUsable(sentence: string): CliError {
  return new CliError('ledger_not_writable', sentence, {
    hint: advice`Move it away and run the same command again.${again()}`,
    cure: 'Move it away.',
  });
}
