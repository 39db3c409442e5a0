import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/system/sqlite.ts';
import type { Sequences, Steps } from './sequence.ts';
import type { Shop } from './shop.ts';

const ledgerOf = (shop: Shop) => join(shop.configured(), 'ledger.db');

async function withLedger(shop: Shop, act: (database: Database) => void): Promise<void> {
  const database = await openDatabase(ledgerOf(shop));
  act(database);
  database.close();
}

/** Like a full disk: SQLite reports an error for every write. */
const fill = (shop: Shop) =>
  withLedger(shop, (database) => {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    for (const { name } of tables as { name: string }[]) {
      for (const act of ['INSERT', 'UPDATE']) {
        database.exec(`CREATE TRIGGER "full ${act} ${name}" BEFORE ${act} ON "${name}"
          BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
      }
    }
  });

const makeRoom = (shop: Shop) =>
  withLedger(shop, (database) => {
    const triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all();
    for (const { name } of triggers as { name: string }[]) database.exec(`DROP TRIGGER "${name}"`);
  });

/** Replaces bytes of the file after everything was written to it. */
async function damage(shop: Shop, change: (bytes: Buffer) => Buffer): Promise<void> {
  await withLedger(shop, (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  const path = ledgerOf(shop);
  for (const companion of ['-wal', '-shm']) rmSync(`${path}${companion}`, { force: true });
  writeFileSync(path, change(readFileSync(path)));
}

const makeNonsense = (shop: Shop) => damage(shop, () => Buffer.from('this is no ledger'.repeat(100)));

/** SQLite reads a file with this format version, but does not write it. */
const makeReadOnly = (shop: Shop) =>
  damage(shop, (bytes) => {
    bytes[18] = 3;
    return bytes;
  });

/** An order is created, then this happens to the ledger, then another order is to be sent. */
const afterCreation =
  (befall: (shop: Shop) => unknown): Steps =>
  async (shop) => {
    await shop.ends('A created', 0);
    shop.file.add('B');
    await befall(shop);
    return shop.import();
  };

export const damagedLedgers: Sequences = {
  damaged: afterCreation(makeNonsense),
  'damaged, moved away': afterCreation(async (shop) => {
    await makeNonsense(shop);
    await shop.ends('none', 7);
    renameSync(ledgerOf(shop), `${ledgerOf(shop)}.damaged`);
  }),
  'cut off in the middle': afterCreation((shop) => damage(shop, (bytes) => bytes.subarray(0, 4096))),
  'of a newer version': afterCreation((shop) =>
    withLedger(shop, (database) => database.exec('PRAGMA user_version = 9999')),
  ),
  'read only': afterCreation(makeReadOnly),
  'a folder': async (shop) => {
    mkdirSync(ledgerOf(shop), { recursive: true });
    return shop.import();
  },
  'full before the first order': afterCreation(fill),
  'full with an order in flight': async (shop) => {
    shop.file.add('B');
    const run = await shop.begin('hold');
    await fill(shop);
    return run.end();
  },
  'full with an order in flight, room again': async (shop) => {
    shop.file.add('B');
    const run = await shop.begin('hold');
    await fill(shop);
    await run.end();
    await makeRoom(shop);
    return shop.import();
  },
  'full with an order in flight, room again, edited': async (shop) => {
    const run = await shop.begin('hold');
    await fill(shop);
    await run.end();
    await makeRoom(shop);
    shop.file.edit('A', { total: '2000' });
    return shop.import();
  },
};
