import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import type Libsql from 'libsql';
import { advice, shellCommand } from '../advice/advice.ts';
import { CliError, sqliteCodeOf } from '../errors.ts';
import { reasonOf } from './file-errors.ts';
import { checkBeforeWriting } from './private-files.ts';
import { countFreeDescriptors } from './temporary-file.ts';
import { block, nextTurn } from './waits.ts';

type SqlValue = string | number | null;
/** In the order of the SQL, or by name. */
export type SqlValues = SqlValue[] | [Readonly<Record<string, SqlValue>>];

interface Statement {
  run(...values: SqlValues): { changes: number; lastInsertRowid: number | bigint };
  get(...values: SqlValues): unknown;
  all(...values: SqlValues): unknown[];
  iterate(...values: SqlValues): IterableIterator<unknown>;
}

/** What libsql and `node:sqlite` have in common. */
export interface Connection {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  readonly inTransaction: boolean;
  close(): void;
}

export interface Database {
  prepare(sql: string): Statement;
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
  /** `version` is given for a file of ours that another release wrote. */
  mismatch(path: string, version?: number): Error;
}

/** libsql ends the process when it cannot open files. */
const neededDescriptors = 8;

/**
 * libsql, or the SQLite of Node.js where libsql is not installed or does not load. Errors: `sqlite_not_loaded`; EMFILE of the
 * system.
 */
export async function loadSqlite(): Promise<(path: string) => Connection> {
  if (countFreeDescriptors(neededDescriptors) < neededDescriptors)
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  try {
    const { default: Libsql } = await import('libsql');
    return (path) => openLibsql(new Libsql(path));
  } catch (error) {
    const open = loadNodeSqlite();
    if (open !== undefined) return open;
    // Node.js adds the require stack below the first line, and Windows ends it with a full stop.
    const [reason] = (error as Error).message.split(/\.?\r?\n/);
    const sentence = `SQLite, which keeps the ledger and the sandbox, cannot be loaded: ${reason}.`;
    throw new CliError('sqlite_not_loaded', sentence, { hint, cause: error });
  }
}

function openLibsql(database: Libsql.Database): Connection {
  return {
    prepare: (sql) => prepareLibsql(database.prepare(sql)),
    exec: (sql) => void database.exec(sql),
    get inTransaction() {
      return database.inTransaction;
    },
    close: () => void database.close(),
  };
}

/** libsql binds one array faster than the same values as arguments. */
function prepareLibsql(statement: Libsql.Statement<unknown[]>): Statement {
  const bound = (values: SqlValues) =>
    typeof values[0] === 'object' && values[0] !== null ? values[0] : values;
  return {
    run: (...values) => statement.run(bound(values)),
    get: (...values) => statement.get(bound(values)),
    all: (...values) => statement.all(bound(values)),
    iterate: (...values) => statement.iterate(bound(values)),
  };
}

/** The types of Node.js 20 do not have it. */
interface NodeSqlite {
  DatabaseSync: new (
    path: string,
  ) => Pick<Connection, 'prepare' | 'exec' | 'close'> & { isOpen: boolean; isTransaction: boolean };
}

function loadNodeSqlite(): ((path: string) => Connection) | undefined {
  const { emitWarning } = process;
  // Releases of Node.js in which it is experimental would print so.
  process.emitWarning = () => {};
  try {
    const sqlite = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
    // `isTransaction` is as old as `location`, from Node.js 22.16.
    if (sqlite === undefined || !('location' in sqlite.DatabaseSync.prototype)) return undefined;
    return (path) => openNodeSqlite(new sqlite.DatabaseSync(path));
  } finally {
    process.emitWarning = emitWarning;
  }
}

function openNodeSqlite(database: InstanceType<NodeSqlite['DatabaseSync']>): Connection {
  return {
    prepare: (sql) => database.prepare(sql),
    exec: (sql) => database.exec(sql),
    get inTransaction() {
      return database.isTransaction;
    },
    // That of libsql may be closed twice.
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

const hint = advice`Please use Node.js 24 or later, which has SQLite built in, or install this program again: ${shellCommand('npm install -g --include=optional merchant-orders')}`;

const busyMilliseconds = 10_000;
const retryMilliseconds = 20;

/**
 * Opens a file of mode 0600, or `:memory:`, which several processes may have open. With a schema, an empty file gets its
 * tables; a file with other content is not written to, and the error is `mismatch`.
 */
export async function openDatabase(path: string, schema?: Schema): Promise<Database> {
  const connect = await loadSqlite();
  if (path !== ':memory:') {
    const isOther = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
    if (isOther) throw new Error('it is not a regular file');
    createPrivateFile(path);
  }
  const connection = connect(path);
  const database = createDatabase(connection);
  try {
    connection.exec(`PRAGMA busy_timeout = ${busyMilliseconds}`);
    // Before the switch to WAL, which writes to the file.
    if (schema !== undefined) versionOf(database, schema, path);
    useWriteAheadLog(connection);
    connection.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY');
    if (schema !== undefined) prepareTables(database, schema, path);
    return database;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Never opens a file that exists: to close it would drop the locks that SQLite holds on it for another connection of
 * this process (https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
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
      cause: error,
    });
  }
}

export function databaseFiles(path: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix);
}

function createDatabase(connection: Connection): Database {
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

function inTransaction<Result>(connection: Connection, work: () => Result): Result {
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

function createGroupCommit(connection: Connection): Pick<Database, 'groupTransaction' | 'syncGroup'> {
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
function runGroup(connection: Connection, group: readonly PendingWork[]): (() => void)[] {
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

function runInSavepoint(connection: Connection, { work, resolve, reject }: PendingWork): () => void {
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
function syncToDisk(connection: Connection): void {
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
  const { applicationId, version, create } = schema;
  if (versionOf(database, schema, path) === version) return;
  database.transaction(() => {
    if (versionOf(database, schema, path) === version) return;
    create(database);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
  });
}

/** 0 for an empty file. */
function versionOf(database: Database, { applicationId, version, mismatch }: Schema, path: string): number {
  const {
    application_id: foundId,
    user_version: foundVersion,
    tables,
  } = database
    .prepare(`SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) AS tables
      FROM pragma_application_id, pragma_user_version`)
    .get() as { application_id: number; user_version: number; tables: number };
  if (foundId === applicationId && foundVersion === version) return version;
  if (foundId === 0 && foundVersion === 0 && tables === 0) return 0;
  throw mismatch(path, foundId === applicationId && foundVersion > 0 ? foundVersion : undefined);
}

export function isBusy(error: unknown): boolean {
  // The lowest byte of a result code is the primary one: SQLITE_BUSY.
  return ((sqliteCodeOf(error) ?? 0) & 0xff) === 5;
}

/** Here SQLite ignores `busy_timeout` when several processes open a new file at once. */
function useWriteAheadLog(connection: Connection): void {
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
