import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/system/sqlite.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { ledgerClient, ledgerRow, startLedger } from '../support/ledger.ts';

/** As the first version wrote it. */
const firstVersion = `
  CREATE TABLE secret (value TEXT NOT NULL);
  INSERT INTO secret VALUES ('a secret');
  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    file TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    exit_code INTEGER
  );
  CREATE TABLE orders (
    client TEXT NOT NULL,
    external_order_id TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    generation INTEGER NOT NULL CHECK (generation >= 0),
    state TEXT NOT NULL CHECK (state IN ('intent', 'created', 'rejected', 'unknown')),
    order_id TEXT,
    order_number TEXT,
    code TEXT,
    run TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (client, external_order_id)
  ) WITHOUT ROWID;
  PRAGMA user_version = 1;
`;

const clientOf = ({ service, apiKey }: typeof ledgerClient) =>
  createHmac('sha256', 'a secret').update(`${service}\n${apiKey}`).digest('hex');
const other = { ...ledgerClient, apiKey: 'mk_2' };

/** A ledger of the first version with these orders and runs. */
async function writeFirst(): Promise<string> {
  const path = join(temporaryDirectory(), 'ledger.db');
  const database = await openDatabase(path);
  database.exec(firstVersion);
  const insert = database.prepare(
    `INSERT INTO orders VALUES (?, ?, 'hash of A', 'key-1', ?, ?, ?, ?, ?, 'run-1', 700)`,
  );
  const client = clientOf(ledgerClient);
  insert.run(client, 'A-1', 0, 'created', 'S-1', 'ORD-1', null);
  insert.run(client, 'A-2', 3, 'rejected', null, null, 'SKU');
  insert.run(client, 'A-3', 0, 'unknown', null, null, null);
  insert.run(client, 'A-4', 0, 'intent', null, null, null);
  insert.run(clientOf(other), 'A-5', 0, 'created', 'S-5', 'ORD-5', null);
  database.exec(
    "INSERT INTO runs VALUES ('run-1', 'orders.csv', 600, 800, 8), ('run-2', '-', 900, NULL, NULL)",
  );
  database.close();
  return path;
}

describe('a ledger of the first version', () => {
  it('keeps all that it knows; what was open was last tried when it was written', async () => {
    const { orders } = await startLedger({ path: await writeFirst() });
    const old = { holder: '', run: 'run-1' };
    expect(['A-1', 'A-2', 'A-3', 'A-4', 'A-5'].map(orders.recall)).toEqual([
      ledgerRow({ ...old, externalOrderId: 'A-1', state: 'created', orderId: 'S-1', orderNumber: 'ORD-1' }),
      ledgerRow({ ...old, externalOrderId: 'A-2', state: 'rejected', generation: 3, code: 'SKU' }),
      ledgerRow({ externalOrderId: 'A-3', state: 'unknown', unknownAt: 700 }),
      ledgerRow({ externalOrderId: 'A-4', unknownAt: 700 }),
      undefined,
    ]);
  });

  it('knows its other keys, of whichever service they are', async () => {
    const path = await writeFirst();
    const ledger = await startLedger({ path });
    const keys = ledger.otherKeys();
    expect(keys).toEqual([{ client: clientOf(other), newestOrderId: 'S-5' }]);
    expect(keys.map((key) => ledger.ordersOf(key).recall('A-5')?.orderId)).toEqual(['S-5']);
    ledger.close();
    (await startLedger({ path, ...other })).close();
    const elsewhere = await startLedger({ path, service: 'https://api.other' });
    expect(elsewhere.otherKeys()).toEqual([]);
  });

  it('keeps its runs, none of which lives', async () => {
    const ledger = await startLedger({ path: await writeFirst() });
    const runs = ledger.database.prepare(
      'SELECT id, kind, file, ended_at, exit_code, orders FROM runs ORDER BY id',
    );
    expect(runs.all()).toEqual([
      { id: 'run-1', kind: 'import', file: 'orders.csv', ended_at: 800, exit_code: 8, orders: null },
      { id: 'run-2', kind: 'import', file: '-', ended_at: null, exit_code: null, orders: null },
    ]);
    expect(['run-1', 'run-2'].map(ledger.runs.isAlive)).toEqual([false, false]);
  });

  it('has the same tables then as a new one, and is brought there once', async () => {
    const path = await writeFirst();
    (await startLedger({ path })).orders.record(ledgerRow({ externalOrderId: 'A-3', state: 'created' }));
    const [old, fresh] = [await startLedger({ path }), await startLedger()];
    const shapes = [old, fresh].map(({ database }) => [
      database.prepare('PRAGMA user_version').all(),
      ['orders', 'runs', 'run_orders', 'clients', 'rejections', 'cancelled', 'secret'].map((table) =>
        database.prepare(`PRAGMA table_info(${table})`).all(),
      ),
    ]);
    expect(shapes[0]).toEqual(shapes[1]);
    expect(old.orders.recall('A-3')).toMatchObject({ state: 'created', unknownAt: null });
  });

  it('is brought there by one of several processes', async () => {
    const path = await writeFirst();
    const ledgers = await Promise.all([1, 2, 3].map(() => startLedger({ path })));
    expect(ledgers.map(({ orders }) => orders.recall('A-3')?.unknownAt)).toEqual([700, 700, 700]);
  });

  it('is left as it is when it cannot be brought there', async () => {
    const path = await writeFirst();
    const database = await openDatabase(path);
    onTestFinished(() => void database.close());
    database.exec('CREATE TABLE cancelled (somebody TEXT)');
    await expect(startLedger({ path })).rejects.toMatchObject({ code: 'ledger_not_writable' });
    expect(database.prepare('PRAGMA user_version').all()).toEqual([{ user_version: 1 }]);
    expect(database.prepare('PRAGMA table_info(orders)').all().length).toBe(11);
  });
});
