import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashBody } from '../../src/ledger/order-log.ts';
import { openRunHistory } from '../../src/ledger/run-history.ts';
import { toLedgerError } from '../../src/ledger/schema.ts';
import { openDatabase } from '../../src/system/sqlite.ts';
import { asText } from '../support/advice.ts';
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
    expect([application_id?.toString(16), user_version]).toEqual(['4d4f4c47', 4]);
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
  // SQLITE_FULL and SQLITE_IOERR_SHMSIZE, as each of the two drivers reports them.
  it.each([
    { rawCode: 13 },
    { errcode: 13 },
    { rawCode: 4874 },
    { errcode: 4874 },
    { code: 'ENOSPC' },
    { code: 'EDQUOT' },
  ])('is named for %o', (codes) => {
    const error = toLedgerError(Object.assign(new Error('disk I/O error'), codes));
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
    ['a ledger of version 0', (path) => ours(path).then(() => change(path, 'PRAGMA user_version = 0'))],
    [
      'a database of another program',
      (path) => ours(path).then(() => change(path, 'PRAGMA application_id = 7')),
    ],
    ['an empty database of another program', (path) => change(path, 'PRAGMA application_id = 7')],
    ['tables without an application ID', (path) => change(path, 'CREATE TABLE notes (text)')],
    ['a table of version 1', (path) => change(path, `${oldLedger} PRAGMA user_version = 1`)],
    ['a table of version 2', (path) => change(path, `${oldLedger} PRAGMA user_version = 2`)],
    ['a table of version 3', (path) => change(path, `${oldLedger} PRAGMA user_version = 3`)],
    [
      'a table that is not in WAL mode',
      (path) => change(path, `${oldLedger} PRAGMA user_version = 1; PRAGMA journal_mode = DELETE`),
    ],
  ];

  const expectRefusal = async (write: (path: string) => Promise<void>, sentence: string, hint: string) => {
    const path = newFile();
    await write(path);
    const bytes = () =>
      [path, `${path}-wal`].map((file) =>
        existsSync(file) ? hashBody(readFileSync(file, 'latin1')) : hashBody(''),
      );
    const before = bytes();
    const message = `${path} ${sentence}. It was left as it is.`;
    const error = { code: 'ledger_not_writable', exitCode: 7, message, details: { hint: asText(hint) } };
    await expect(startLedger({ path })).rejects.toMatchObject(error);
    const history = openRunHistory({ open: (schema) => openDatabase(path, schema), locks: createLocks() });
    await expect(history).rejects.toMatchObject(error);
    expect(bytes()).toEqual(before);
  };

  it.each(others)('is reported and left as it is: %s', (_, write) =>
    expectRefusal(
      write,
      'is not a ledger of merchant-orders',
      'Move the file away: orders keep their keys, so none is created twice.',
    ),
  );

  it.each([
    [5, 'Update merchant-orders: npm install -g merchant-orders@latest'],
    [
      3,
      'Run "settle" with the version of merchant-orders that wrote it, so that no order stays unknown. ' +
        'Move the file away: orders keep their keys, so none is created twice.',
    ],
  ])('names its version: %i', (version, hint) =>
    expectRefusal(
      (path) => ours(path).then(() => change(path, `PRAGMA user_version = ${version}`)),
      `is a ledger of version ${version}, and this program knows version 4`,
      hint,
    ),
  );
});
