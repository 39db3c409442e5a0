import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/system/sqlite.ts';
import { runScript } from '../support/program.ts';
import { clearUmask, modeOf, newDirectory } from './private-mode.ts';

async function open(path: string) {
  const database = await openDatabase(path);
  onTestFinished(() => void database.close());
  return database;
}

describe('openDatabase', () => {
  it('makes every file of it private, whatever the umask', async () => {
    const directory = newDirectory();
    clearUmask();
    const database = await open(join(directory, 'ledger.db'));
    database.exec('CREATE TABLE a (b); INSERT INTO a VALUES (1)');
    const files = readdirSync(directory).sort();
    expect(files).toEqual(['ledger.db', 'ledger.db-shm', 'ledger.db-wal']);
    expect(files.map((file) => modeOf(join(directory, file)))).toEqual(['600', '600', '600']);
  });

  it('is written ahead, waits for others, and holds its references', async () => {
    const database = await open(join(newDirectory(), 'ledger.db'));
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() as object)[0];
    expect(['journal_mode', 'busy_timeout', 'foreign_keys'].map(pragma)).toEqual(['wal', 10_000, 1]);
  });

  it('keeps what is there, and two connections see it', async () => {
    const path = join(newDirectory(), 'ledger.db');
    const one = await open(path);
    one.exec('CREATE TABLE a (b); INSERT INTO a VALUES (7)');
    const other = await open(path);
    expect(other.prepare('SELECT b FROM a').get()).toMatchObject({ b: 7 });
  });

  it('opens a new file for many processes at once', async () => {
    const directory = newDirectory();
    const opened = Array.from({ length: 6 }, () => fork(runScript, ['test/system/open-files.ts']));
    onTestFinished(() => {
      for (const child of opened) child.kill();
    });
    for (let place = 0; place < 60; place++) {
      const answers = Promise.all(opened.map((child) => once(child, 'message')));
      for (const child of opened) child.send(join(directory, `${place}.db`));
      expect((await answers).flat().filter((answer) => typeof answer === 'string')).toEqual(
        opened.map(() => 'opened'),
      );
    }
  });

  it('leaves a file alone that is no database', async () => {
    const path = join(newDirectory(), 'ledger.db');
    writeFileSync(path, 'not a database, but somebody wants it '.repeat(100));
    await expect(openDatabase(path)).rejects.toThrow(/not a database/);
  });

  it('makes no file in memory', async () => {
    const database = await open(':memory:');
    database.exec('CREATE TABLE a (b)');
    expect(readdirSync('.')).not.toContain(':memory:');
  });
});
