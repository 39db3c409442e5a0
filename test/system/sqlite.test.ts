import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isDiskFull } from '../../src/errors.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { openDatabase, openPrivateDatabase } from '../../src/system/sqlite.ts';
import { nextTurn } from '../../src/system/waits.ts';
import { clearUmask, modeOf, newDirectory } from './private-mode.ts';

async function open(path: string) {
  const database = await openDatabase(path);
  onTestFinished(() => void database.close());
  return database;
}

describe('openPrivateDatabase', () => {
  it.each(['', '-wal', '-shm', '-journal'])('does not write through a link: ledger.db%s', async (suffix) => {
    const directory = newDirectory();
    const target = join(directory, 'target');
    writeFileSync(target, '');
    symlinkSync(target, join(directory, `ledger.db${suffix}`));
    await expect(openPrivateDatabase(join(directory, 'ledger.db'), ledgerSchema)).rejects.toMatchObject({
      code: 'configuration_not_writable',
      message: `${join(directory, `ledger.db${suffix}`)} is not used: it is a link to ${target}, and links are not written through.`,
    });
    expect(readFileSync(target, 'utf8')).toBe('');
  });

  it.each<[string, (path: string) => unknown, string]>([
    ['a FIFO', (path) => execFileSync('mkfifo', [path]), 'it is not a regular file'],
    [
      'a file that others can write',
      (path) => {
        writeFileSync(path, '');
        chmodSync(path, 0o666);
      },
      'other users can write to it',
    ],
  ])('does not open %s', async (_name, create, reason) => {
    const path = join(newDirectory(), 'ledger.db');
    create(path);
    await expect(openPrivateDatabase(path, ledgerSchema)).rejects.toMatchObject({
      message: `${path} is not used: ${reason}.`,
    });
  });
});

describe('openDatabase', () => {
  it('creates private files, whatever the umask', async () => {
    const directory = newDirectory();
    clearUmask();
    const database = await open(join(directory, 'ledger.db'));
    database.exec('CREATE TABLE a (b); INSERT INTO a VALUES (1)');
    const files = readdirSync(directory).sort();
    expect(files).toEqual(['ledger.db', 'ledger.db-shm', 'ledger.db-wal']);
    expect(files.map((file) => modeOf(join(directory, file)))).toEqual(['600', '600', '600']);
  });

  it.each<[string, (path: string) => unknown]>([
    ['a FIFO', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
  ])('does not open %s', async (_name, create) => {
    const path = join(newDirectory(), 'ledger.db');
    create(path);
    await expect(openDatabase(path)).rejects.toThrow('it is not a regular file');
  });

  it('uses WAL, a busy timeout and foreign keys', async () => {
    const database = await open(join(newDirectory(), 'ledger.db'));
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() as object)[0];
    expect(['journal_mode', 'busy_timeout', 'foreign_keys'].map(pragma)).toEqual(['wal', 10_000, 1]);
  });

  it('keeps the locks of a connection that is open already', async () => {
    const path = join(newDirectory(), 'orders.db');
    const database = await open(path);
    database.exec('CREATE TABLE orders (id)');
    (await openDatabase(path)).close();
    const script = `let Sqlite;
      try { Sqlite = require('libsql') } catch { Sqlite = require('node:sqlite').DatabaseSync }
      const other = new Sqlite(${JSON.stringify(path)});
      other.exec("INSERT INTO orders VALUES ('A-1')"); other.close()`;
    execFileSync(process.execPath, ['-e', script]);
    // The last connection of all processes deletes it.
    expect(existsSync(`${path}-wal`)).toBe(true);
    database.exec("INSERT INTO orders VALUES ('A-2')");
    expect((await open(path)).prepare('SELECT id FROM orders').all()).toEqual([{ id: 'A-1' }, { id: 'A-2' }]);
  });

  it('rejects a file that is not a database', async () => {
    const path = join(newDirectory(), 'ledger.db');
    writeFileSync(path, 'not a database, but worth keeping '.repeat(100));
    await expect(openDatabase(path)).rejects.toThrow(/not a database/);
  });
});

/** A database file with a table of names, which a second connection reads. */
async function openNames() {
  const path = join(newDirectory(), 'names.db');
  const database = await open(path);
  database.exec(`
    CREATE TABLE parents (name TEXT PRIMARY KEY);
    CREATE TABLE names (name TEXT PRIMARY KEY, parent TEXT REFERENCES parents DEFERRABLE INITIALLY DEFERRED)`);
  const observer = await open(path);
  const select = observer.prepare('SELECT name FROM names ORDER BY name');
  const insert = database.prepare('INSERT INTO names (name, parent) VALUES (?, ?)');
  return {
    path,
    database,
    add: (name: string, parent: string | null = null) => insert.run(name, parent).changes,
    stored: () => (select.all() as { name: string }[]).map(({ name }) => name.slice(0, 1)).join(''),
    /** The file cannot grow from here on, so the next long name fails as on a full disk. */
    fillDisk: () => {
      const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
      database.exec(`PRAGMA max_page_count = ${pages}`);
    },
  };
}

const long = 'z'.repeat(20_000);

describe('transaction', () => {
  it('is all or nothing, and returns or throws what its work does', async () => {
    const { database, add, stored } = await openNames();
    expect(database.transaction(() => add('a') + add('b'))).toBe(2);
    expect(() =>
      database.transaction(() => {
        add('c');
        throw new Error('no');
      }),
    ).toThrow(new Error('no'));
    expect(stored()).toBe('ab');
  });

  it('throws the first error on a full disk, where SQLite has rolled back already', async () => {
    const { database, add, stored, fillDisk } = await openNames();
    fillDisk();
    const write = () =>
      database.transaction(() => {
        add('a');
        add(long);
      });
    expect(write).toThrow('database or disk is full');
    expect(write).toThrow(expect.toSatisfy(isDiskFull));
    expect(stored()).toBe('');
    database.transaction(() => add('b'));
    expect(stored()).toBe('b');
  });
});

describe('groupTransaction', () => {
  it('runs each work all or nothing by itself', async () => {
    const { database, add, stored } = await openNames();
    const settled = await Promise.allSettled([
      database.groupTransaction(() => add('a')),
      database.groupTransaction(() => {
        add('x');
        throw new Error('rolled back');
      }),
      database.groupTransaction(() => add('a')),
      database.groupTransaction(() => add('b')),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(settled[1]).toMatchObject({ reason: new Error('rolled back') });
    expect(settled[2]).toMatchObject({ reason: { message: expect.stringContaining('UNIQUE') } });
    expect(stored()).toBe('ab');
  });

  it('commits the work of one turn together and in order, and resolves after the commit', async () => {
    const { database, add, stored } = await openNames();
    const steps: string[] = [];
    const all = ['a', 'b', 'c'].map(async (name) => {
      const result = await database.groupTransaction(() => {
        add(name);
        steps.push(`write ${name}, stored ${stored()}`);
        return name;
      });
      steps.push(`resolve ${result}, stored ${stored()}`);
    });
    expect(steps).toEqual([]);
    await Promise.all(all);
    expect(steps).toEqual([
      'write a, stored ',
      'write b, stored ',
      'write c, stored ',
      'resolve a, stored abc',
      'resolve b, stored abc',
      'resolve c, stored abc',
    ]);
  });

  it('rejects all work when the commit fails, and writes nothing', async () => {
    const { database, add, stored } = await openNames();
    const settled = await Promise.allSettled([
      database.groupTransaction(() => add('a')),
      database.groupTransaction(() => add('b', 'missing')),
      database.groupTransaction(() => add('c')),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(settled[0]).toMatchObject({ reason: { message: expect.stringContaining('FOREIGN KEY') } });
    expect(stored()).toBe('');
    await database.groupTransaction(() => add('d'));
    expect(stored()).toBe('d');
  });

  it('rejects all work with the first error when the disk is full', async () => {
    const { database, add, stored, fillDisk } = await openNames();
    fillDisk();
    const settled = await Promise.allSettled([
      database.groupTransaction(() => add('a')),
      database.groupTransaction(() => add(long)),
      database.groupTransaction(() => add('c')),
    ]);
    const full = { reason: { message: expect.stringContaining('database or disk is full') } };
    expect(settled).toMatchObject([full, full, full]);
    expect(stored()).toBe('');
    await database.groupTransaction(() => add('d'));
    expect(stored()).toBe('d');
  });

  it('keeps the work of the next turn apart', async () => {
    const { database, add, stored } = await openNames();
    const failed = database.groupTransaction(() => add('b', 'missing')).catch(() => 'failed');
    await nextTurn();
    await database.groupTransaction(() => add('a'));
    expect([await failed, stored()]).toEqual(['failed', 'a']);
  });
});

describe('syncGroup', () => {
  it('adds a synced write after the commit, only for its group', async () => {
    const { path, database, add } = await openNames();
    const written = async (work: () => void) => {
      const before = statSync(`${path}-wal`).size;
      await database.groupTransaction(work);
      return statSync(`${path}-wal`).size - before;
    };
    const plain = await written(() => add('a'));
    const synced = await written(() => {
      add('b');
      database.syncGroup();
    });
    expect([synced > plain, await written(() => add('c'))]).toEqual([true, plain]);
    expect(database.prepare('PRAGMA synchronous').all()).toMatchObject([{ synchronous: 1 }]);
  });

  it('rejects work that may not have reached the disk', async () => {
    const { database, add } = await openNames();
    const written = database.groupTransaction(() => {
      add('a');
      database.syncGroup();
      // The commit still succeeds, the synced write after it fails.
      database.exec('PRAGMA query_only = ON');
    });
    await expect(written).rejects.toThrow('readonly');
    database.exec('PRAGMA query_only = OFF');
    expect(database.prepare('PRAGMA synchronous').all()).toMatchObject([{ synchronous: 1 }]);
  });
});
