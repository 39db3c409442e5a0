import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashBody } from '../../src/ledger/ledger.ts';
import { openRunHistory } from '../../src/ledger/run-history.ts';
import { toLedgerError } from '../../src/ledger/schema.ts';
import { openDatabase } from '../../src/system/sqlite.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { createLocks, ledgerEntry, startLedger } from '../support/ledger.ts';

const newFile = () => join(temporaryDirectory(), 'ledger.db');

async function change(path: string, sql: string): Promise<void> {
  const database = await openDatabase(path);
  database.exec(sql);
  database.close();
}

/** As an unreleased version wrote it, with other tables and no application ID. */
const oldLedger = `
  CREATE TABLE secret (value TEXT NOT NULL);
  CREATE TABLE runs (id TEXT PRIMARY KEY, file TEXT NOT NULL, started_at INTEGER NOT NULL);
  CREATE TABLE orders (client TEXT NOT NULL, external_order_id TEXT NOT NULL, state TEXT NOT NULL);
  INSERT INTO orders VALUES ('client', 'A-1', 'created');`;

describe('a new ledger', () => {
  it('has an application ID and a version', async () => {
    const { database } = await startLedger();
    const { application_id, user_version } = database
      .prepare('SELECT application_id, user_version FROM pragma_application_id, pragma_user_version')
      .get() as Record<string, number>;
    expect([application_id?.toString(16), user_version]).toEqual(['4d4f4c47', 1]);
  });

  it('is created once when opened several times at once', async () => {
    const path = newFile();
    const ledgers = await Promise.all([1, 2, 3].map(() => startLedger({ path })));
    ledgers[0]?.orders.record(ledgerEntry());
    expect(ledgers.map(({ client }) => client)).toEqual(Array(3).fill(ledgers[0]?.client));
    expect(ledgers.map(({ orders }) => orders.find('A-1')?.state)).toEqual(Array(3).fill('intent'));
  });

  it('is created in an empty file, such as a kill or a full disk leaves', async () => {
    const path = newFile();
    writeFileSync(path, '');
    const ledger = await startLedger({ path });
    ledger.orders.record(ledgerEntry());
    ledger.close();
    expect((await startLedger({ path })).orders.find('A-1')).toEqual(ledgerEntry());
  });
});

describe('a full disk', () => {
  it.each(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT'])('is named for %s', (code) => {
    const error = toLedgerError(Object.assign(new Error('disk I/O error'), { code }));
    expect([error.code, error.exitCode, error.message]).toEqual([
      'ledger_not_writable',
      7,
      'The ledger of past imports cannot be written: the disk is full.',
    ]);
  });
});

describe('a file that is not a ledger of this version', () => {
  const ours = (path: string) => startLedger({ path }).then((ledger) => ledger.close());
  const others: [string, (path: string) => Promise<void>][] = [
    ['a ledger of version 2', (path) => ours(path).then(() => change(path, 'PRAGMA user_version = 2'))],
    ['a ledger of version 0', (path) => ours(path).then(() => change(path, 'PRAGMA user_version = 0'))],
    [
      'a database of another program',
      (path) => ours(path).then(() => change(path, 'PRAGMA application_id = 7')),
    ],
    ['an empty database of another program', (path) => change(path, 'PRAGMA application_id = 7')],
    ['tables without an application ID', (path) => change(path, 'CREATE TABLE notes (text)')],
    ['an old ledger of version 1', (path) => change(path, `${oldLedger} PRAGMA user_version = 1`)],
    ['an old ledger of version 2', (path) => change(path, `${oldLedger} PRAGMA user_version = 2`)],
    [
      'an old ledger that is not in WAL mode',
      (path) => change(path, `${oldLedger} PRAGMA user_version = 1; PRAGMA journal_mode = DELETE`),
    ],
  ];

  it.each(others)('is reported and left as it is: %s', async (_, write) => {
    const path = newFile();
    await write(path);
    const bytes = () =>
      [path, `${path}-wal`].map((file) =>
        existsSync(file) ? hashBody(readFileSync(file, 'latin1')) : hashBody(''),
      );
    const before = bytes();
    const error = {
      code: 'ledger_not_writable',
      exitCode: 7,
      message: `${path} is not a ledger that this version of merchant-orders can use. It was left as it is.`,
      details: {
        hint: 'If a newer version wrote it, update merchant-orders: npm install -g merchant-orders@latest. Otherwise move the file away: orders keep their keys, so none is created twice.',
      },
    };
    await expect(startLedger({ path })).rejects.toMatchObject(error);
    const history = openRunHistory({ open: (schema) => openDatabase(path, schema), locks: createLocks() });
    await expect(history).rejects.toMatchObject(error);
    expect(bytes()).toEqual(before);
  });
});
