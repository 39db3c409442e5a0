import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { CliError } from '../../src/errors.ts';
import {
  checkWritable,
  makePrivateDirectory,
  replaceWholeFile,
  writeWholeFile,
} from '../../src/system/files.ts';
import { clearUmask, modeOf, newDirectory } from './private-mode.ts';

describe('replaceWholeFile', () => {
  const replace = (path: string, text: string[], isWanted = true) =>
    replaceWholeFile(path, text, { isWanted: () => isWanted, backupPath: (path) => `${path}.kept` });

  it('keeps a previous file with other content as a backup', async () => {
    const path = join(newDirectory(), 'a.csv');
    expect(await replace(path, ['old, ', 'Ө'])).toEqual({ isWritten: true });
    expect(await replace(path, ['old, Ө'])).toEqual({ isWritten: true });
    expect(readdirSync(dirname(path))).toEqual(['a.csv']);
    expect(await replace(path, ['old, ү'])).toEqual({ isWritten: true, backup: `${path}.kept` });
    expect([readFileSync(path, 'utf8'), readFileSync(`${path}.kept`, 'utf8')]).toEqual(['old, ү', 'old, Ө']);
    expect(await replace(path, ['longer than before'])).toEqual({ isWritten: true, backup: `${path}.kept` });
  });

  it('writes nothing when the file is no longer wanted', async () => {
    const path = join(newDirectory(), 'a.csv');
    expect(await replace(path, ['x'], false)).toEqual({ isWritten: false });
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('keeps the previous file when the source fails, and throws its error', async () => {
    const path = join(newDirectory(), 'a.csv');
    await replace(path, ['old']);
    const pieces = async function* () {
      yield 'new';
      throw new CliError('file_changed', 'orders.csv changed while it was read.');
    };
    const replacing = { isWanted: () => true, backupPath: (path: string) => `${path}.kept` };
    await expect(replaceWholeFile(path, pieces(), replacing)).rejects.toMatchObject({ code: 'file_changed' });
    expect([readFileSync(path, 'utf8'), readdirSync(dirname(path))]).toEqual(['old', ['a.csv']]);
  });
});

describe('writeWholeFile', () => {
  it('writes and replaces a file, leaving no temporary file', async () => {
    const path = join(newDirectory(), 'results.csv');
    for (const text of ['Өдөр\r\n', 'x'.repeat(100_000), '']) {
      await writeWholeFile(path, text);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
    expect(readdirSync(dirname(path))).toEqual(['results.csv']);
  });

  it('makes the file readable only by its owner', async () => {
    const path = join(newDirectory(), 'results.csv');
    clearUmask();
    await writeWholeFile(path, 'a');
    expect(modeOf(path)).toBe('600');
  });

  it('leaves the old file whole for a reader that has it open', async () => {
    const path = join(newDirectory(), 'results.csv');
    await writeWholeFile(path, 'old');
    const name = `${path}.open`;
    execFileSync('ln', [path, name]);
    await writeWholeFile(path, 'new');
    expect([readFileSync(name, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['old', 'new']);
  });

  it.each([
    ['a folder in its place', 'folder', 'it is a folder'],
    ['no such folder', 'missing/a.csv', 'its folder does not exist'],
    ['a file in place of its folder', 'file/a.csv', 'its folder is not a folder'],
  ])('fails and changes nothing else: %s', async (_name, name, reason) => {
    const directory = newDirectory();
    mkdirSync(join(directory, 'folder'));
    writeFileSync(join(directory, 'folder/kept'), 'kept');
    writeFileSync(join(directory, 'file'), 'kept');
    const path = join(directory, name);
    await expect(writeWholeFile(path, 'a')).rejects.toMatchObject({
      code: 'file_not_writable',
      message: `${path} cannot be written: ${reason}.`,
    });
    expect(readdirSync(directory).sort()).toEqual(['file', 'folder']);
    expect(readFileSync(join(directory, 'folder/kept'), 'utf8')).toBe('kept');
    expect(readFileSync(join(directory, 'file'), 'utf8')).toBe('kept');
  });

  // A limit on the file size cuts a write short, as a full disk does, and applies to root too.
  it.skipIf(process.platform === 'win32')(
    'keeps the previous file when the disk fills up during the write',
    async () => {
      const directory = newDirectory();
      const path = join(directory, 'results.csv');
      writeFileSync(path, 'old');
      const files = fileURLToPath(new URL('../../src/system/files.ts', import.meta.url));
      const contents = `
      import { writeWholeFile } from ${JSON.stringify(files)};
      await writeWholeFile(process.argv[1], 'x'.repeat(100_000)).catch((error) => console.log(error.code));`;
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: dirname(files) },
        bundle: true,
        platform: 'node',
        format: 'esm',
        write: false,
      });
      const limited = 'ulimit -f 8; exec "$0" --input-type=module --eval "$1" "$2"';
      const args = ['-c', limited, process.execPath, outputFiles[0]?.text ?? '', path];
      expect(execFileSync('/bin/sh', args, { encoding: 'utf8' })).toBe('file_not_writable\n');
      expect(readFileSync(path, 'utf8')).toBe('old');
      expect(readdirSync(directory)).toEqual(['results.csv']);
    },
  );
});

describe('checkWritable', () => {
  it('leaves nothing behind', async () => {
    const directory = newDirectory();
    const path = join(directory, 'results.csv');
    await checkWritable(path);
    expect(readdirSync(directory)).toEqual([]);
    writeFileSync(path, 'old');
    await checkWritable(path);
    expect(readdirSync(directory)).toEqual(['results.csv']);
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it.each([
    ['folder', 'it is a folder'],
    ['missing/a.csv', 'its folder does not exist'],
    ['file/a.csv', 'its folder is not a folder'],
  ])('%s: %s', async (name, reason) => {
    const directory = newDirectory();
    mkdirSync(join(directory, 'folder'));
    writeFileSync(join(directory, 'file'), '');
    await expect(checkWritable(join(directory, name))).rejects.toMatchObject({
      code: 'file_not_writable',
      message: expect.stringContaining(reason),
    });
  });
});

describe('makePrivateDirectory', () => {
  it('creates the directory and its parents for the owner only', async () => {
    const directory = newDirectory();
    clearUmask();
    await makePrivateDirectory(join(directory, 'a/b'));
    expect([modeOf(join(directory, 'a')), modeOf(join(directory, 'a/b'))]).toEqual(['700', '700']);
  });

  it('leaves an existing directory as it is', async () => {
    const directory = newDirectory();
    mkdirSync(join(directory, 'a'), { mode: 0o750 });
    await makePrivateDirectory(join(directory, 'a'));
    expect(modeOf(join(directory, 'a'))).toBe('750');
  });

  it('fails where a file exists', async () => {
    const path = join(newDirectory(), 'a');
    writeFileSync(path, 'kept');
    await expect(makePrivateDirectory(path)).rejects.toMatchObject({ code: 'file_not_writable' });
    await expect(makePrivateDirectory(join(path, 'b'))).rejects.toMatchObject({ code: 'file_not_writable' });
    expect(readFileSync(path, 'utf8')).toBe('kept');
  });
});
