import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import type Libsql from 'libsql';
import { advice, shellCommand, type Text } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { reasonOf } from './file-errors.ts';
import { checkBeforeWriting } from './private-files.ts';
import { block, nextTurn } from './waits.ts';

export interface Database {
  prepare(sql: string): Libsql.Statement<unknown[]>;
  exec(sql: string): void;
  /** Other writers, also of other processes, wait until it ends. */
  transaction<Result>(work: () => Result): Result;
  /**
   * One transaction per turn of the event loop; each work is all or nothing, and resolves after the commit. When one
   * fails, all run again, so `work` must have no effects but its writes.
   */
  groupTransaction<Result>(work: () => Result): Promise<Result>;
  /** Inside a group transaction: it resolves only when the commit is on the disk, not just with the operating system. */
  syncGroup(): void;
  close(): void;
}

export interface Schema {
  applicationId: number;
  version: number;
  create(database: Database): void;
  /** By version: from that one to the next. A file of a version without one is a mismatch. */
  upgrades?: Readonly<Record<number, (database: Database) => void>>;
  /** `version` is given for a file of ours that a newer release wrote. */
  mismatch(path: string, version?: number): Error;
}

/** Error: `sqlite_not_loaded`. */
export async function loadSqlite(): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Node.js adds the require stack below the first line.
    const [reason] = message.split('\n');
    const hint =
      code === 'ERR_DLOPEN_FAILED' ? cureOfLoading() : cureOfMissing(process.platform, process.arch);
    const sentence = `SQLite, which keeps the ledger and the sandbox, cannot be loaded: ${reason}.`;
    throw new CliError('sqlite_not_loaded', sentence, { hint, outcome: 'not_sent', cause: error });
  }
}

const reinstall = advice`install this program again: ${shellCommand('npm install -g --include=optional merchant-orders')}`;

function cureOfLoading(): Text {
  const needed: Partial<Record<NodeJS.Platform, string>> = {
    win32: 'Install the Microsoft Visual C++ Redistributable: https://aka.ms/vs/17/release/vc_redist.x64.exe',
    linux:
      'Install the library that is named there (Debian, Ubuntu: apt-get install libc6 libgcc-s1; Alpine: apk add libgcc)',
  };
  const cure = needed[process.platform];
  return cure === undefined
    ? advice`Please ${reinstall}`
    : advice`${cure}. If that does not help, ${reinstall}`;
}

const supported = ['darwin arm64', 'darwin x64', 'linux arm', 'linux arm64', 'linux x64', 'win32 x64'];

function cureOfMissing(platform: string, arch: string): Text {
  const system = `${platform} ${arch}`;
  if (supported.includes(system))
    return advice`It was left out, or installed for another system. Please ${reinstall}`;
  const isOnArm = system === 'win32 arm64';
  return isOnArm
    ? 'There is none for Node.js for Windows on ARM: install Node.js for x64, which runs there too, then install this program again.'
    : `There is none for Node.js on ${system}. Use one on: ${supported.join(', ')}.`;
}

const busyMilliseconds = 10_000;
const retryMilliseconds = 20;

/**
 * Opens a file of mode 0600, or `:memory:`, which several processes may have open. With a schema, an empty file gets its
 * tables; a file with other content is not written to, and the error is `mismatch`.
 */
export async function openDatabase(path: string, schema?: Schema): Promise<Database> {
  const SqliteDatabase = await loadSqlite();
  if (path !== ':memory:') {
    const isOther = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
    if (isOther) throw new Error('it is not a regular file');
    closeSync(openSync(path, 'a', 0o600));
  }
  const connection = new SqliteDatabase(path);
  const database = createDatabase(connection);
  try {
    connection.exec(`PRAGMA busy_timeout = ${busyMilliseconds}`);
    // Before the switch to WAL, which writes to the file.
    if (schema !== undefined) versionOf(database, schema, path);
    useWriteAheadLog(connection);
    connection.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    if (schema !== undefined) prepareTables(database, schema, path);
    return database;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Error: `configuration_not_writable`, also for a link, and for a file that others can write. */
export async function openPrivateDatabase(path: string, schema: Schema): Promise<Database> {
  for (const file of databaseFiles(path)) checkBeforeWriting(file);
  for (const needed of [dirname(path), path]) checkAccess(needed, path);
  return openDatabase(path, schema);
}

function checkAccess(needed: string, path: string): void {
  try {
    accessSync(needed, constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    const reason = reasonOf(error, 'it does not exist');
    throw new CliError('configuration_not_writable', `${path} cannot be written: ${reason}.`, {
      hint: 'Set MERCHANT_ORDERS_CONFIG_DIR to a directory that you can write to.',
      outcome: 'not_sent',
      cause: error,
    });
  }
}

export function databaseFiles(path: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix);
}

function createDatabase(connection: Libsql.Database): Database {
  const exec = (sql: string) => void connection.exec(sql);
  const transaction = <Result>(work: () => Result) => inTransaction(connection, work);
  return {
    prepare: (sql) => connection.prepare(sql),
    exec,
    transaction,
    ...createGroupCommit(connection),
    close: () => void connection.close(),
  };
}

function inTransaction<Result>(connection: Libsql.Database, work: () => Result): Result {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    // On a full disk SQLite has already rolled back, and the error of a second ROLLBACK would hide the first one.
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

interface PendingWork {
  work(): unknown;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

function createGroupCommit(connection: Libsql.Database): Pick<Database, 'groupTransaction' | 'syncGroup'> {
  let pending: PendingWork[] = [];
  let isSynced: boolean;
  const flush = () => {
    const group = pending;
    pending = [];
    isSynced = false;
    try {
      const settlements = runGroup(connection, group);
      if (isSynced) syncToDisk(connection);
      for (const settle of settlements) settle();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  return {
    groupTransaction: <Result>(work: () => Result) =>
      new Promise<Result>((resolve, reject) => {
        if (pending.length === 0) void nextTurn().then(flush);
        pending.push({ work, resolve: resolve as PendingWork['resolve'], reject });
      }),
    syncGroup: () => {
      isSynced = true;
    },
  };
}

class WorkFailed extends Error {}

/** Savepoints cost more than most works do, so they are only set after a work of the group has failed. */
function runGroup(connection: Libsql.Database, group: readonly PendingWork[]): (() => void)[] {
  try {
    return inTransaction(connection, () => group.map(runAtOnce));
  } catch (error) {
    if (!(error instanceof WorkFailed)) throw error;
    return inTransaction(connection, () => group.map((each) => runInSavepoint(connection, each)));
  }
}

function runAtOnce({ work, resolve }: PendingWork): () => void {
  try {
    const value = work();
    return () => resolve(value);
  } catch {
    throw new WorkFailed();
  }
}

function runInSavepoint(connection: Libsql.Database, { work, resolve, reject }: PendingWork): () => void {
  connection.exec('SAVEPOINT work');
  try {
    const value = work();
    connection.exec('RELEASE work');
    return () => resolve(value);
  } catch (error) {
    // On a full disk SQLite may have rolled back the whole group.
    if (!connection.inTransaction) throw error;
    connection.exec('ROLLBACK TO work; RELEASE work');
    return () => reject(error);
  }
}

/** In WAL mode the next synced commit writes earlier ones to the disk too; this one changes nothing. */
function syncToDisk(connection: Libsql.Database): void {
  const { user_version: version } = connection.prepare('PRAGMA user_version').get() as {
    user_version: number;
  };
  connection.exec('PRAGMA synchronous = FULL');
  try {
    connection.exec(`PRAGMA user_version = ${version}`);
  } finally {
    connection.exec('PRAGMA synchronous = NORMAL');
  }
}

function prepareTables(database: Database, schema: Schema, path: string): void {
  const { applicationId, version, create, upgrades = {} } = schema;
  if (versionOf(database, schema, path) === version) return;
  database.transaction(() => {
    const found = versionOf(database, schema, path);
    if (found === version) return;
    if (found === 0) create(database);
    else for (let from = found; from < version; from += 1) upgrades[from]?.(database);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
  });
}

/** 0 for an empty file. */
function versionOf(
  database: Database,
  { applicationId, version, upgrades = {}, mismatch }: Schema,
  path: string,
): number {
  const {
    application_id: foundId,
    user_version: foundVersion,
    tables,
  } = database
    .prepare(`SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) AS tables
      FROM pragma_application_id, pragma_user_version`)
    .get() as { application_id: number; user_version: number; tables: number };
  const isKnown = foundVersion === version || upgrades[foundVersion] !== undefined;
  if (foundId === applicationId && isKnown) return foundVersion;
  if (foundId === 0 && foundVersion === 0 && tables === 0) return 0;
  throw mismatch(path, foundId === applicationId && foundVersion > version ? foundVersion : undefined);
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('SQLITE_BUSY');
}

/** Here SQLite ignores `busy_timeout` when several processes open a new file at once. */
function useWriteAheadLog(connection: Libsql.Database): void {
  for (let waited = 0; ; waited += retryMilliseconds) {
    try {
      connection.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || waited >= busyMilliseconds) throw error;
      block(retryMilliseconds);
    }
  }
}
