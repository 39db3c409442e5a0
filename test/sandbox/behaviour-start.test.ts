import { chmodSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../support/cli.ts';
import { openSandboxDatabase } from './database.ts';
import { startAndStop } from './start.ts';

function writeFile(name: string, text: string): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, text);
  return path;
}

describe('sandbox start --behaviour', () => {
  it('uses a named behaviour and shows its name', async () => {
    const { facts, exitCode } = await startAndStop('--behaviour', 'stripe-like');
    expect([facts.service, facts.behaviour, exitCode]).toEqual(['SANDBOX', 'stripe-like', 0]);
  });

  it('reads a file', async () => {
    const { facts } = await startAndStop(
      '--behaviour',
      writeFile('mine.json', '\uFEFF{"keys":{"kept":"nothing"}}'),
    );
    expect(facts.behaviour).toBe('mine');
  });

  it('uses the default behaviour when none is given', async () => {
    expect((await startAndStop()).facts.behaviour).toBe('default');
  });

  it.each([
    ['no-such', 'There is no behaviour called no-such.'],
    ['./no-such.json', 'no-such.json cannot be read: it does not exist.'],
  ])('does not start with %s', async (given, sentence) => {
    const { facts, stderr } = await startAndStop('--behaviour', given);
    expect(facts).toBeUndefined();
    expect(stderr).toContain(sentence);
  });

  it('does not start with an invalid file', async () => {
    const path = writeFile('mine.json', '{"keys":{"keep":"all"}}');
    const { facts, stderr } = await startAndStop('--behaviour', path);
    expect(facts).toBeUndefined();
    expect(stderr).toContain('keys: Unrecognized key: \\"keep\\"');
  });
});

describe('sandbox reset', () => {
  it('makes a private directory for its database', async () => {
    const configDirectory = join(temporaryDirectory(), 'new');
    expect((await runCli(['sandbox', 'reset'], { configDirectory })).exitCode).toBe(0);
    expect(statSync(configDirectory).mode & 0o777).toBe(0o700);
  });
});

describe('a database with a name', () => {
  it('may be shared with others, and be a link', async () => {
    const folder = temporaryDirectory();
    const [path, link] = [join(folder, 'shared.db'), join(folder, 'link.db')];
    (await openSandboxDatabase(path)).close();
    chmodSync(path, 0o664);
    symlinkSync(path, link);
    for (const name of [path, link]) {
      expect(await runCli(['sandbox', 'info', '--db', name])).toMatchObject({ exitCode: 0 });
      expect(await runCli(['sandbox', 'reset', '--db', name])).toMatchObject({ exitCode: 0 });
      expect(await startAndStop('--db', name)).toMatchObject({ exitCode: 0 });
    }
    expect(statSync(path).mode & 0o777).toBe(0o664);
  });
});

describe('sandbox info', () => {
  it('shows the behaviour of the embedded sandbox', async () => {
    const { stdout, stderr } = await runCli(['sandbox', 'info', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ behaviour: 'default' });
    expect(stderr).toBe('It is not being served. To serve it, run: merchant-orders sandbox start\n');
  });

  it.each(['info', 'reset'])('%s of a database that does not exist creates none', async (command) => {
    const folder = temporaryDirectory();
    const path = join(folder, 'new.db');
    const { stdout, stderr, exitCode } = await runCli(['sandbox', command, '--db', path]);
    expect({ stdout, stderr, exitCode, files: readdirSync(folder) }).toEqual({
      stdout: '',
      stderr:
        `error: There is no sandbox database ${path}.\n` +
        'Check the name, or create it with: merchant-orders sandbox start --db FILE\n',
      exitCode: 2,
      files: [],
    });
  });
});
