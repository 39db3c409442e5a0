import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/system/sqlite.ts';
import type { Sequences, Steps } from './sequence.ts';
import type { Shop } from './shop.ts';

const ledgerOf = (shop: Shop) => join(shop.configDirectory(), 'ledger.db');

async function withLedger(shop: Shop, act: (database: Database) => void): Promise<void> {
  const database = await openDatabase(ledgerOf(shop));
  act(database);
  database.close();
}

/** Every write fails, as on a full disk. */
const fillDisk = (shop: Shop) =>
  withLedger(shop, (database) => {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    for (const { name } of tables as { name: string }[]) {
      for (const statement of ['INSERT', 'UPDATE']) {
        database.exec(`CREATE TRIGGER "full ${statement} ${name}" BEFORE ${statement} ON "${name}"
          BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
      }
    }
  });

const freeDisk = (shop: Shop) =>
  withLedger(shop, (database) => {
    const triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all();
    for (const { name } of triggers as { name: string }[]) database.exec(`DROP TRIGGER "${name}"`);
  });

/** Changes the bytes of the file after a checkpoint. */
async function damage(shop: Shop, change: (bytes: Buffer) => Buffer): Promise<void> {
  await withLedger(shop, (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  const path = ledgerOf(shop);
  for (const companion of ['-wal', '-shm']) rmSync(`${path}${companion}`, { force: true });
  writeFileSync(path, change(readFileSync(path)));
}

const overwrite = (shop: Shop) => damage(shop, () => Buffer.from('this is not a ledger'.repeat(100)));

/** SQLite reads a file with this format version, but does not write it. */
const makeReadOnly = (shop: Shop) =>
  damage(shop, (bytes) => {
    bytes[18] = 3;
    return bytes;
  });

/** Creates an order, changes the ledger, then imports a second order. */
const afterCreation =
  (change: (shop: Shop) => unknown): Steps =>
  async (shop) => {
    await shop.expectImport('A created', 0);
    shop.file.add('B');
    await change(shop);
    return shop.import();
  };

export const damagedLedgers: Sequences = {
  damaged: afterCreation(overwrite),
  'damaged, moved away': afterCreation(async (shop) => {
    await overwrite(shop);
    await shop.expectImport('none', 7);
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
  'full before the first order': afterCreation(fillDisk),
  'full with an order in flight': async (shop) => {
    shop.file.add('B');
    const run = await shop.startImport('hold');
    await fillDisk(shop);
    return run.end();
  },
  'full with an order in flight, room again': async (shop) => {
    shop.file.add('B');
    const run = await shop.startImport('hold');
    await fillDisk(shop);
    await run.end();
    await freeDisk(shop);
    return shop.import();
  },
  'full with an order in flight, room again, edited': async (shop) => {
    const run = await shop.startImport('hold');
    await fillDisk(shop);
    await run.end();
    await freeDisk(shop);
    shop.file.edit('A', { total: '2000' });
    return shop.import();
  },
};
