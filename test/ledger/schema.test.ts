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
    expect([application_id?.toString(16), user_version]).toEqual(['4d4f4c47', 3]);
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

/** As an earlier version of the program wrote it. */
const write = (path: string, version: 1 | 2) =>
  change(path, readFileSync(new URL(`ledger-version-${version}.sql`, import.meta.url), 'utf8'));

describe('a ledger of version 1', () => {
  it('is upgraded with all that it holds, open attempts too', async () => {
    const path = newFile();
    await write(path, 1);
    const ledger = await startLedger({ path });
    const { orders, database } = ledger;
    expect(['A-1', '#1013', 'B-2', 'C-3'].map((id) => orders.find(id)?.state)).toEqual([
      ...['created', 'unknown', 'intent', 'rejected'],
    ]);
    expect(orders.find('#1013')).toEqual({
      externalOrderId: '#1013',
      bodyHash: 'body-2',
      idempotencyKey: 'key-2',
      generation: 1,
      state: 'unknown',
      orderId: null,
      orderNumber: null,
      code: null,
      run: 'run-1',
      lastRun: 'run-2',
      unknownAt: 2000,
      first409At: 1500,
    });
    expect(orders.rejectedGeneration('C-3', 'body-4')).toBe(0);
    expect([...orders.findOtherSpellings(['1013', 'a-1'])]).toEqual([
      ['a-1', ['A-1']],
      ['1013', ['#1013']],
    ]);
    expect(database.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: 3 });
    orders.record(ledgerEntry({ state: 'not_found' }));
    const unknown = { row: 2, externalOrderId: 'A-1', outcome: 'unknown', attempts: 1, bodyHash: 'body-1' };
    ledger.runs.recordOrder('run-3', unknown);
    ledger.close();
    const again = await startLedger({ path });
    expect(again.orders.find('A-1')?.state).toBe('not_found');
  });

  it('is upgraded once by several processes at once', async () => {
    const path = newFile();
    await write(path, 1);
    const all = await Promise.all([1, 2, 3].map(() => startLedger({ path })));
    expect(all.map(({ orders }) => orders.findOpen().length)).toEqual([2, 2, 2]);
  });
});

it('a ledger of version 2 finds IDs with a space where others have a hyphen, and keeps its open attempts', async () => {
  const path = newFile();
  await write(path, 2);
  const { database } = await startLedger({ path });
  const orders = database.prepare(
    'SELECT external_order_id AS id, folded_id AS folded, state FROM orders ORDER BY 1',
  );
  expect(orders.all()).toEqual([
    { id: '#1013', folded: '1013', state: 'created' },
    { id: 'UB 1', folded: 'UB-1', state: 'created' },
    { id: 'UB 2', folded: 'UB-2', state: 'intent' },
    { id: 'UB 3', folded: 'UB-3', state: 'intent' },
  ]);
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

  it('names its version when a newer program wrote it', () =>
    expectRefusal(
      (path) => ours(path).then(() => change(path, 'PRAGMA user_version = 4')),
      'is a ledger of version 4, and this program knows version 3',
      'Update merchant-orders: npm install -g merchant-orders@latest',
    ));
});
