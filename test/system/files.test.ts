import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { checkWritable, isSameFile, systemFiles, writeWholeFile } from '../../src/system/files.ts';
import { clearUmask, modeOf, newDirectory } from './private-mode.ts';

const replacing = {
  outputs: process,
  isOurs: (start: string) => start.startsWith('ours'),
  mark: 'kept',
};

/** Under the name of the file that it was. */
const keptOf = (path: string) => path.replace(/\.csv$/, '.before-kept.csv');

describe('a file that replaces another one', () => {
  const replace = (path: string, text: string[]) => writeWholeFile(path, text, replacing);

  it('keeps a previous file with other content as a backup', async () => {
    const path = join(newDirectory(), 'a.csv');
    const backup = keptOf(path);
    expect(await replace(path, ['old, ', 'Ө'])).toEqual({ isWritten: true });
    expect(await replace(path, ['old, Ө'])).toEqual({ isWritten: true });
    expect(readdirSync(dirname(path))).toEqual(['a.csv']);
    expect(await replace(path, ['old, ү'])).toEqual({ isWritten: true, backup });
    expect([readFileSync(path, 'utf8'), readFileSync(backup, 'utf8')]).toEqual(['old, ү', 'old, Ө']);
    expect(readdirSync(dirname(path)).sort()).toEqual(['a.before-kept.csv', 'a.csv']);
    await expect(replace(path, ['a backup is never replaced'])).rejects.toMatchObject({
      code: 'file_not_writable',
    });
    expect([readFileSync(path, 'utf8'), readFileSync(backup, 'utf8')]).toEqual(['old, ү', 'old, Ө']);
  });

  it('replaces a previous file that is ours, however long it is', async () => {
    const path = join(newDirectory(), 'a.csv');
    writeFileSync(path, `ours\n${'x'.repeat(100_000)}`);
    expect(await replace(path, ['new'])).toEqual({ isWritten: true });
    expect([readFileSync(path, 'utf8'), readdirSync(dirname(path))]).toEqual(['new', ['a.csv']]);
  });

  it('replaces what a link leads to, and keeps both', async () => {
    const path = join(newDirectory(), 'a.csv');
    const target = join(dirname(path), 'b.csv');
    symlinkSync('b.csv', path);
    for (const text of ['first', 'second']) await replace(path, [text]);
    expect([readFileSync(target, 'utf8'), readFileSync(keptOf(target), 'utf8')]).toEqual(['second', 'first']);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });

  it('keeps the previous file when the source fails, and throws its error', async () => {
    const path = join(newDirectory(), 'a.csv');
    await replace(path, ['old']);
    const pieces = async function* () {
      yield 'new';
      throw new CliError('file_changed', 'orders.csv changed while it was read.');
    };
    await expect(writeWholeFile(path, pieces(), replacing)).rejects.toMatchObject({ code: 'file_changed' });
    expect([readFileSync(path, 'utf8'), readdirSync(dirname(path))]).toEqual(['old', ['a.csv']]);
  });
});

describe('a file that was seen', () => {
  const replaceOnly = (path: string, text: string, seen: string) =>
    writeWholeFile(path, text, { outputs: process, seen });
  const stampOf = (path: string) => systemFiles.stampOf(path).then(({ stamp }) => stamp);
  const changed = (path: string) => ({
    code: 'file_changed',
    exitCode: 2,
    message: `${path} was written, changed or removed by another program after this one had looked at it. It is left as it is, and nothing was sent.`,
  });

  it('is replaced by one that was built on it', async () => {
    const path = join(newDirectory(), 'a.csv');
    await replaceOnly(path, 'one', '');
    await replaceOnly(path, 'two', await stampOf(path));
    expect([readFileSync(path, 'utf8'), readdirSync(dirname(path))]).toEqual(['two', ['a.csv']]);
  });

  it.each([
    ['appeared', '', (path: string) => writeFileSync(path, 'other')],
    ['was changed', 'old', (path: string) => writeFileSync(path, 'other')],
    [
      'was replaced by one of the same size and time',
      'older',
      (path: string) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(`${path}.new`, 'other');
        utimesSync(`${path}.new`, atime, mtime);
        renameSync(`${path}.new`, path);
      },
    ],
  ])('is left as it is when it %s meanwhile', async (_name, before, change) => {
    const path = join(newDirectory(), 'a.csv');
    if (before !== '') writeFileSync(path, before);
    const seen = await stampOf(path);
    change(path);
    await expect(replaceOnly(path, 'new', seen)).rejects.toMatchObject(changed(path));
    expect([readFileSync(path, 'utf8'), readdirSync(dirname(path))]).toEqual(['other', ['a.csv']]);
  });

  it('is not made again when it was removed meanwhile', async () => {
    const path = join(newDirectory(), 'a.csv');
    writeFileSync(path, 'old');
    const seen = await stampOf(path);
    rmSync(path);
    await expect(replaceOnly(path, 'new', seen)).rejects.toMatchObject(changed(path));
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it.each(['', 'old'])('is replaced by one of many that write at once: "%s"', async (before) => {
    const path = join(newDirectory(), 'a.csv');
    if (before !== '') writeFileSync(path, before);
    const seen = await stampOf(path);
    const texts = Array.from({ length: 20 }, (_, index) => `${index}`);
    const ended = await Promise.allSettled(texts.map((text) => replaceOnly(path, text, seen)));
    const written = texts.filter((_, index) => ended[index]?.status === 'fulfilled');
    expect(written).toEqual([readFileSync(path, 'utf8')]);
    for (const end of ended) if (end.status === 'rejected') expect(end.reason).toMatchObject(changed(path));
    expect(readdirSync(dirname(path))).toEqual(['a.csv']);
  });

  it('is kept when it is ours but was written since', async () => {
    const path = join(newDirectory(), 'a.csv');
    const seen = await checkWritable(path, replacing.isOurs);
    writeFileSync(path, 'ours, of another window');
    const backup = keptOf(path);
    expect(await writeWholeFile(path, 'ours, new', { ...replacing, seen })).toEqual({
      isWritten: true,
      backup,
    });
    expect([path, backup].map((each) => readFileSync(each, 'utf8'))).toEqual([
      'ours, new',
      'ours, of another window',
    ]);
  });

  it('loses no text of those that write at once and keep what they replace', async () => {
    const path = join(newDirectory(), 'a.csv');
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    const write = (text: string) => writeWholeFile(path, text, { outputs: process, isOurs: () => false });
    await Promise.all(texts.map(write));
    const all = readdirSync(dirname(path)).map((name) => readFileSync(join(dirname(path), name), 'utf8'));
    expect(all.sort()).toEqual(texts.sort());
  });

  it('can be replaced after a process was killed that was about to do so', async () => {
    const path = join(newDirectory(), 'a.csv');
    writeFileSync(path, 'old');
    const seen = await stampOf(path);
    const claim = join(dirname(path), `.merchant-orders-${hash('sha256', seen).slice(0, 36)}.tmp`);
    writeFileSync(claim, '');
    utimesSync(claim, 0, 0);
    await replaceOnly(path, 'new', seen);
    expect([readFileSync(path, 'utf8'), readdirSync(dirname(path))]).toEqual(['new', ['a.csv']]);
  });
});

describe('writeWholeFile', () => {
  const ours = { ...replacing, isOurs: () => true };

  it('makes the file readable only by its owner', async () => {
    const path = join(newDirectory(), 'results.csv');
    clearUmask();
    await writeWholeFile(path, 'a', ours);
    expect(modeOf(path)).toBe('600');
  });

  it('leaves the old file whole for a reader that has it open', async () => {
    const path = join(newDirectory(), 'results.csv');
    await writeWholeFile(path, 'old', ours);
    const name = `${path}.open`;
    execFileSync('ln', [path, name]);
    await writeWholeFile(path, 'new', ours);
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
    await expect(writeWholeFile(path, 'a', replacing)).rejects.toMatchObject({
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
      const replacing = { isOurs: () => true, outputs: process };
      await writeWholeFile(process.argv[1], 'x'.repeat(100_000), replacing).catch((error) => console.log(error.code));`;
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
    await checkWritable(path, replacing.isOurs);
    expect(readdirSync(directory)).toEqual([]);
    writeFileSync(path, 'old');
    await checkWritable(path, replacing.isOurs);
    expect(readdirSync(directory)).toEqual(['results.csv']);
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it.runIf(process.platform === 'linux')('finds a folder that takes no file from anybody', async () => {
    await expect(checkWritable('/proc/results.csv', replacing.isOurs)).rejects.toMatchObject({
      code: 'file_not_writable',
    });
  });

  it('removes what a killed run left there long ago, and nothing else', async () => {
    const directory = newDirectory();
    const names = ['a', 'b'].map((letter) => `.merchant-orders-${letter.repeat(36)}.tmp`);
    const [old = '', recent = ''] = names.map((name) => join(directory, name));
    for (const path of [old, recent, join(directory, '.merchant-orders-x.tmp')]) writeFileSync(path, '');
    const twoHoursAgo = Date.now() / 1000 - 7200;
    for (const name of readdirSync(directory)) {
      if (name !== names[1]) utimesSync(join(directory, name), twoHoursAgo, twoHoursAgo);
    }
    await checkWritable(join(directory, 'results.csv'), replacing.isOurs);
    expect(readdirSync(directory).sort()).toEqual([names[1], '.merchant-orders-x.tmp'].sort());
  });
});

describe('isSameFile', () => {
  const directory = () => {
    const path = newDirectory();
    mkdirSync(join(path, 'folder'));
    writeFileSync(join(path, 'orders.csv'), '');
    writeFileSync(join(path, 'other.csv'), '');
    linkSync(join(path, 'orders.csv'), join(path, 'hard.csv'));
    symlinkSync('orders.csv', join(path, 'soft.csv'));
    symlinkSync('.', join(path, 'here'));
    return path;
  };

  it.each([
    ['orders.csv', 'orders.csv'],
    ['orders.csv', 'folder/../orders.csv'],
    ['orders.csv', 'hard.csv'],
    ['soft.csv', 'orders.csv'],
    ['orders.csv', 'here/here/orders.csv'],
    ['new.csv', 'here/new.csv'],
    ['new.csv', 'NEW.csv'],
    ['новый.csv', 'Новый.csv'],
    ['none/new.csv', './none/new.csv'],
  ])('%s is %s', async (path, other) => {
    const parent = directory();
    expect(await isSameFile(`${parent}/${path}`, `${parent}/${other}`)).toBe(true);
    expect(await isSameFile(`${parent}/${other}`, `${parent}/${path}`)).toBe(true);
  });

  it.each([
    ['orders.csv', 'other.csv'],
    ['orders.csv', 'new.csv'],
    ['new.csv', 'folder/new.csv'],
    ['new.csv', 'new2.csv'],
  ])('%s is not %s', async (path, other) => {
    const parent = directory();
    expect(await isSameFile(`${parent}/${path}`, `${parent}/${other}`)).toBe(false);
    expect(await isSameFile(`${parent}/${other}`, `${parent}/${path}`)).toBe(false);
  });
});
