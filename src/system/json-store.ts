import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, parse } from 'node:path';
import type { ZodType } from 'zod';
import { CliError } from '../errors.ts';
import { reasonOf } from './file-errors.ts';
import {
  checkBeforeWriting,
  makePrivateDirectory,
  needDirectory,
  type PrivateDirectory,
  readPrivateFile,
} from './private-files.ts';

export interface JsonStore<Value> {
  /** Error: `configuration_invalid` for a file that cannot be read, which is left as it is. */
  read(): Promise<Value>;
  /** Error: `configuration_not_writable`; what was stored before is then still there. */
  write(value: Value): Promise<void>;
  /** Reads, changes and writes while no other process does. Errors: those of reading and writing. */
  update(change: (value: Value) => Value): Promise<void>;
  /** For sentences; only its name where there is no directory for it. */
  readonly path: string;
}

export interface JsonStoreOptions<Value> {
  /** `config.json` */
  fileName: string;
  /** The value when there is no file. */
  empty: Value;
  loadShape(): Promise<ZodType>;
  /** `configuration file`, for sentences. */
  what: string;
  /** What to do with a file that cannot be read, and what is unchanged when it cannot be written. */
  cure: string;
  unchanged: string;
}

const maxLockMilliseconds = 10_000;

/** One JSON file, mode 0600 in a directory of mode 0700, whatever the umask; written by `conf` and read back. */
export function createJsonStore<Value extends object>(
  directory: PrivateDirectory,
  { fileName, empty, loadShape, what, cure, unchanged }: JsonStoreOptions<Value>,
): JsonStore<Value> {
  const path = join(directory.path ?? '', fileName);

  const invalid = (reason: string) =>
    new CliError('configuration_invalid', `The ${what} ${path} cannot be read: ${reason}.`, {
      hint: `It was left as it is. Fix it, or move it away and ${cure}`,
      outcome: 'not_sent',
    });

  const read = async (): Promise<Value> => {
    if (directory.path === undefined) return empty;
    directory.check();
    try {
      const text = readPrivateFile(path, directory.warn);
      if (text === undefined) return empty;
      const shape = await loadShape();
      const found = shape.safeParse(JSON.parse(text));
      if (found.success) return found.data as Value;
      const { problemOf } = await import('./configuration-shape.ts');
      throw invalid(problemOf(found.error));
    } catch (error) {
      if (error instanceof CliError) throw error;
      // The text of the error shows a part of the file.
      throw invalid(
        error instanceof SyntaxError ? 'it is not JSON' : reasonOf(error, 'its target does not exist'),
      );
    }
  };

  const write = async (value: Value): Promise<void> => {
    const folder = needDirectory(directory.path);
    makePrivateDirectory(folder);
    const backup = `${path}.previous`;
    let hasBackup = false;
    try {
      checkBeforeWriting(path);
      hasBackup = backUp(path, backup);
      (await openConf(folder, fileName)).store = { ...value } as Record<string, unknown>;
      chmodSync(path, 0o600);
      // conf reports success on a full disk and leaves a torn file, so the file is read back.
      const written = JSON.parse(readFileSync(path, 'utf8')) as unknown;
      if (JSON.stringify(written) !== JSON.stringify(value))
        throw new Error('the file was not written completely');
    } catch (error) {
      if (hasBackup) {
        renameSync(backup, path);
        // Renaming one hard link of a file to another leaves both.
        rmSync(backup, { force: true });
      }
      if (error instanceof CliError) throw error;
      throw notWritable(`The ${what} ${path} could not be written.`, unchanged, error);
    }
    rmSync(backup, { force: true });
    removeUnfinished(path);
  };

  const update = async (change: (value: Value) => Value): Promise<void> => {
    makePrivateDirectory(needDirectory(directory.path));
    const unlock = await lock(`${path}.lock`, unchanged);
    try {
      await write(change(await read()));
    } finally {
      unlock();
    }
  };

  return { path, read, write, update };
}

function notWritable(sentence: string, unchanged: string, cause: unknown): CliError {
  return new CliError('configuration_not_writable', sentence, {
    hint: `${unchanged} Check the free space and who owns the folder, then try again.`,
    cause,
  });
}

/** Waits for the lock, which the operating system frees when its process dies. Error: `configuration_not_writable`. */
async function lock(path: string, unchanged: string): Promise<() => void> {
  try {
    checkBeforeWriting(path);
    closeSync(openSync(path, 'a', 0o600));
    const { default: SqliteDatabase } = await import('libsql');
    const database = new SqliteDatabase(path);
    database.exec(`PRAGMA busy_timeout = ${maxLockMilliseconds}`);
    database.exec('BEGIN EXCLUSIVE');
    return () => database.close();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw notWritable(`The lock ${path} could not be taken.`, unchanged, error);
  }
}

/** Loaded only to write: conf adds exit hooks that raise a signal again, so one Ctrl-C would count as two. */
async function openConf(directory: string, fileName: string) {
  const { default: Conf } = await import('conf');
  return new Conf<Record<string, unknown>>({
    cwd: directory,
    configName: parse(fileName).name,
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  });
}

/** Returns whether there was a file to back up. A hard link needs no space on the disk, so restoring it cannot fail for that. */
function backUp(path: string, backup: string): boolean {
  rmSync(backup, { force: true });
  if (!existsSync(path)) return false;
  try {
    linkSync(path, backup);
  } catch {
    copyFileSync(path, backup);
  }
  return true;
}

const longestWriteMilliseconds = 60_000;

/** Removes what processes that were killed while they wrote left behind. */
function removeUnfinished(path: string): void {
  const directory = dirname(path);
  try {
    const startedBefore = statSync(path).mtimeMs - longestWriteMilliseconds;
    for (const name of readdirSync(directory)) {
      if (!name.startsWith(`${basename(path)}.tmp-`)) continue;
      const unfinished = join(directory, name);
      if (statSync(unfinished).mtimeMs < startedBefore) rmSync(unfinished);
    }
  } catch {
    // The file itself is written.
  }
}
