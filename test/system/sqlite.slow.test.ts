import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRunLocks } from '../../src/system/run-locks.ts';
import { openDatabase } from '../../src/system/sqlite.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { otherNode, withoutLibsql } from '../support/other-node.ts';
import { program, runScript } from '../support/program.ts';
import { newDirectory } from './private-mode.ts';

type Node = () => { execPath: string; execArgv: string[] };
const withLibsql: Node = () => ({ execPath: process.execPath, execArgv: process.execArgv });
const withNodeSqlite =
  (version: string): Node =>
  () => ({ execPath: otherNode(version), execArgv: withoutLibsql });

/** The first version that has all that is used, and the newest line. */
const versions = ['22.16.0', '26'];
const pairs: [string, Node, Node][] = [
  ['libsql', withLibsql, withLibsql],
  ...versions.map((version): [string, Node, Node] => [
    `libsql and Node.js ${version}`,
    withLibsql,
    withNodeSqlite(version),
  ]),
];

function start(node: Node, script: string, ...args: string[]) {
  const child = fork(runScript, [`test/system/${script}.ts`, ...args], node());
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe.each(pairs)('processes with %s', (_name, one, other) => {
  it('open a new file at once', async () => {
    const directory = newDirectory();
    const opened = [one, other, one, other, one, other].map((node) => start(node, 'open-files'));
    for (let file = 0; file < 60; file++) {
      const messages = Promise.all(opened.map((child) => once(child, 'message')));
      for (const child of opened) child.send(join(directory, `${file}.db`));
      expect((await messages).flat().filter((message) => typeof message === 'string')).toEqual(
        opened.map(() => 'opened'),
      );
    }
  });

  it('write to one file without undoing each other', async () => {
    const path = join(newDirectory(), 'counts.db');
    const database = await openDatabase(path);
    onTestFinished(() => database.close());
    database.exec('CREATE TABLE counts (number INTEGER); INSERT INTO counts VALUES (0)');
    const children = [one, other, one, other].map((node) => start(node, 'count-up', path, '2000'));
    await Promise.all(children.map((child) => once(child, 'message')));
    for (const child of children) child.send('begin');
    const ends = await Promise.all(children.map((child) => once(child, 'exit')));
    expect(ends.map(([code]) => code)).toEqual([0, 0, 0, 0]);
    expect(database.prepare('SELECT number FROM counts').get()).toMatchObject({ number: 8000 });
    expect(database.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
  });

  it('see which runs of each other are alive', async () => {
    const directory = newDirectory();
    const hold = async (node: Node, run: string) => {
      const child = start(node, 'hold-locks', directory);
      await once(child, 'message');
      child.send(run);
      await once(child, 'message');
      return child;
    };
    const [dead, alsoDead] = [await hold(one, 'dead-1'), await hold(other, 'dead-2')];
    const living = [await hold(one, 'alive-1'), await hold(other, 'alive-2')];
    const locks = await createRunLocks(directory, () => undefined);
    const runs = ['dead-1', 'dead-2', 'alive-1', 'alive-2'];
    expect(runs.map(locks.isHeld)).toEqual([true, true, true, true]);
    for (const child of [dead, alsoDead]) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const [, sweeper] = living;
    sweeper?.send('sweep');
    await once(sweeper ?? process, 'message');
    const left = readdirSync(directory).filter((name) => name.endsWith('.db'));
    expect(left.sort()).toEqual(['alive-1.db', 'alive-2.db']);
    expect(runs.map(locks.isHeld)).toEqual([false, false, true, true]);
  });
});

it.each(versions)('Node.js %s imports with its own SQLite, without a warning of it', (version) => {
  const env = { ...process.env, MERCHANT_ORDERS_CONFIG_DIR: temporaryDirectory() };
  const run = (...args: string[]) =>
    spawnSync(otherNode(version), [...withoutLibsql, program, ...args, '--sandbox', '--json'], {
      env,
      encoding: 'utf8',
    });
  const results = join(temporaryDirectory(), 'results.csv');
  const { status, stderr } = run('import', 'fixtures/orders.csv', '--yes', '--results', results);
  expect([status, stderr]).toEqual([0, `Results: ${results}\n`]);
  expect(JSON.parse(run('get', 'UB-10001').stdout)).toMatchObject({ externalOrderId: 'UB-10001' });
});
