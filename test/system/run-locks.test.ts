import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRunLocks } from '../../src/system/run-locks.ts';
import { openDatabase } from '../../src/system/sqlite.ts';
import { asText } from '../support/advice.ts';
import { runScript } from '../support/program.ts';
import { newDirectory } from './private-mode.ts';

async function openLocks(directory: string, warnings: string[] = []) {
  const locks = await createRunLocks(directory, (sentence) => warnings.push(sentence));
  onTestFinished(() => locks.release());
  return locks;
}

/** Starts another process that takes locks in this folder. */
async function startHolder(directory: string) {
  const child = fork(runScript, ['test/system/hold-locks.ts', directory]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  const send = async (message: string) => {
    child.send(message);
    await once(child, 'message');
  };
  const die = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await once(child, 'exit');
  };
  return { take: send, release: () => send('release'), die };
}

describe('the lock of a run', () => {
  it('is held by the process that took it, until it releases it', async () => {
    const directory = join(newDirectory(), 'runs');
    const locks = await openLocks(directory);
    expect([existsSync(directory), locks.isHeld('run-1')]).toEqual([false, false]);
    locks.take('run-1');
    locks.take('run-2');
    expect(['run-1', 'run-2', 'run-3'].map(locks.isHeld)).toEqual([true, true, false]);
    locks.release();
    expect(['run-1', 'run-2'].map(locks.isHeld)).toEqual([false, false]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is swept only when its process has died', async () => {
    const directory = join(newDirectory(), 'runs');
    const [dead, living] = [await startHolder(directory), await startHolder(directory)];
    await dead.take('run-1');
    await living.take('run-2');
    await dead.die('SIGKILL');
    const locks = await openLocks(directory);
    locks.take('run-3');
    locks.removeUnused();
    const left = readdirSync(directory).filter((name) => name.endsWith('.db'));
    expect(left.sort()).toEqual(['run-2.db', 'run-3.db']);
  });

  it('cannot be taken twice', async () => {
    const locks = await openLocks(newDirectory());
    locks.take('run-1');
    expect(() => locks.take('run-1')).toThrow(/EEXIST/);
    expect(locks.isHeld('run-1')).toBe(true);
  });
});

function emptyFile(): string {
  const path = join(newDirectory(), 'empty');
  writeFileSync(path, '');
  return path;
}

describe('what is not a lock', () => {
  const junk: [name: string, make: (path: string) => unknown][] = [
    ['text', (path) => writeFileSync(path, 'worth keeping')],
    ['a folder', (path) => mkdirSync(path)],
    ['a link to nothing', (path) => symlinkSync('nowhere', path)],
    ['a link to an empty file', (path) => symlinkSync(emptyFile(), path)],
    [
      'a database',
      async (path) => {
        const database = await openDatabase(path);
        database.exec('CREATE TABLE kept (a)');
        database.close();
      },
    ],
  ];

  it.each(junk)(
    'names itself, is left as it is, and does not keep others from being swept: %s',
    async (_, make) => {
      const directory = newDirectory();
      const warnings: string[] = [];
      const locks = await openLocks(directory, warnings);
      const file = join(directory, 'b.db');
      await make(file);
      for (const name of ['a.db', 'c.db']) writeFileSync(join(directory, name), '');
      locks.removeUnused();
      locks.take('d');
      expect(readdirSync(directory).filter((name) => name.endsWith('.db'))).toEqual(['b.db', 'd.db']);
      expect(warnings).toEqual([`${file} is not the lock of an import. It was left as it is.`]);
      expect(() => locks.isHeld('b')).toThrow(
        expect.objectContaining({
          code: 'ledger_not_writable',
          message: `${file} is not the lock of an import.`,
          details: { hint: asText('Move it away and run the same command again.'), cure: 'Move it away.' },
        }),
      );
    },
  );

  it.each([
    ['a file', (path: string) => writeFileSync(path, 'kept')],
    ['a link to nothing', (path: string) => symlinkSync('nowhere', path)],
  ])('names itself in place of the folder: %s', async (_, make) => {
    const directory = join(newDirectory(), 'runs');
    make(directory);
    const locks = await openLocks(directory);
    expect(() => locks.removeUnused()).toThrow(
      expect.objectContaining({
        code: 'ledger_not_writable',
        message: `${directory} is not a folder, so it cannot hold the locks of imports.`,
      }),
    );
  });
});

describe('the lock of another process', () => {
  it('is held while that process is alive, for every checker', async () => {
    const directory = newDirectory();
    const [holder, locks] = [await startHolder(directory), await openLocks(directory)];
    await holder.take('run-1');
    expect([locks.isHeld('run-1'), (await openLocks(directory)).isHeld('run-1')]).toEqual([true, true]);
    expect(locks.isHeld('run-1')).toBe(true);
    await holder.release();
    expect([locks.isHeld('run-1'), readdirSync(directory)]).toEqual([false, []]);
  });

  it.each<NodeJS.Signals>(['SIGKILL', 'SIGTERM'])(
    'is free after %s, and its file is removed',
    async (signal) => {
      const directory = newDirectory();
      const [holder, other] = [await startHolder(directory), await startHolder(directory)];
      const locks = await openLocks(directory);
      await holder.take('run-1');
      await other.take('run-2');
      locks.take('run-3');
      await holder.die(signal);
      expect(readdirSync(directory)).toContain('run-1.db');
      expect(['run-1', 'run-2', 'run-3'].map(locks.isHeld)).toEqual([false, true, true]);
      expect(readdirSync(directory).filter((name) => name.startsWith('run-1'))).toEqual([]);
      expect(locks.isHeld('run-1')).toBe(false);
    },
  );
});
