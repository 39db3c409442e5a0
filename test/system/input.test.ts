import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  decodeText,
  openPipe,
  readChunks,
  readTextFile,
  readTextStream,
  spoolStream,
} from '../../src/system/input.ts';
import { asText } from '../support/advice.ts';
import { newDirectory } from './private-mode.ts';

const never = new AbortController().signal;

describe('readTextFile', () => {
  it.each([
    ['plain', 'Өдөр\n', 'Өдөр\n'],
    ['with a BOM', '\uFEFFӨдөр', 'Өдөр'],
    ['empty', '', ''],
    ['in UTF-16 as PowerShell writes it', Buffer.from('\uFEFFӨдөр\r\n', 'utf16le'), 'Өдөр\r\n'],
    ['in UTF-16BE', Buffer.from('\uFEFFӨдөр', 'utf16le').swap16(), 'Өдөр'],
  ])('%s', async (_name, written, expected) => {
    const path = join(newDirectory(), 'a.csv');
    writeFileSync(path, written);
    expect(await readTextFile(path, never)).toBe(expected);
  });

  it.each([
    ['Windows-1251', Buffer.from([0xd3, 0xe4, 0xf0])],
    ['cut within a character', Buffer.from('Ө').subarray(0, 1)],
    ['a surrogate in UTF-8', Buffer.from([0xed, 0xa0, 0x80])],
  ])('rejects bytes that are not UTF-8: %s', async (_name, bytes) => {
    const path = join(newDirectory(), 'a.csv');
    writeFileSync(path, bytes);
    await expect(readTextFile(path, never)).rejects.toMatchObject({
      code: 'file_invalid',
      message: `${path} is not UTF-8 text.`,
    });
    expect(() => decodeText(bytes, 'The input')).toThrow('The input is not UTF-8 text.');
  });

  it('rejects UTF-16 that is cut within a character', () => {
    const bytes = Buffer.from('\uFEFFid', 'utf16le').subarray(0, -1);
    expect(() => decodeText(bytes, 'The input')).toThrow('The input is not UTF-16LE text.');
  });

  it.each([
    ['missing.csv', 'it does not exist'],
    ['.', 'it is a folder'],
    ['a.csv/b.csv', 'its folder is not a folder'],
  ])('%s: %s', async (name, reason) => {
    const directory = newDirectory();
    writeFileSync(join(directory, 'a.csv'), '');
    const path = `${directory}/${name}`;
    await expect(readTextFile(path, never)).rejects.toMatchObject({
      code: 'file_not_readable',
      message: `${path} cannot be read: ${reason}.`,
    });
  });
});

/** A named pipe; `write` sends what a shell command prints to it. */
function newPipe() {
  const path = join(newDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  const write = (command: string) => {
    const writer = spawn('/bin/sh', ['-c', `${command} > "$0"`, path], { stdio: 'ignore' });
    onTestFinished(() => void writer.kill('SIGKILL'));
  };
  return { path, write };
}

const isPosix = process.platform !== 'win32';

describe('the size of a text', () => {
  const tooLarge = { code: 'file_invalid', exitCode: 2, details: { outcome: 'not_sent' } };

  it('is at most 10 MiB in a file', async () => {
    const path = join(newDirectory(), 'order.json');
    writeFileSync(path, 'x'.repeat(10 * 1024 * 1024));
    expect((await readTextFile(path, never)).length).toBe(10 * 1024 * 1024);
    writeFileSync(path, 'x', { flag: 'a' });
    await expect(readTextFile(path, never)).rejects.toMatchObject({
      ...tooLarge,
      message: `${path} is larger than 10 MiB.`,
    });
  });

  it('is bounded in a stream that never ends', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(64 * 1024, 32);
      })(),
    );
    await expect(readTextStream(endless, 'Standard input')).rejects.toMatchObject({
      ...tooLarge,
      message: 'Standard input is larger than 10 MiB.',
    });
    expect(endless.destroyed).toBe(true);
  });
});

describe.runIf(isPosix)('what is not a file', () => {
  it.each([
    ['/dev/zero', 'it is a device or a socket'],
    ['/dev/null', 'it is a device or a socket'],
    ['/', 'it is a folder'],
  ])('is not read: %s', async (path, reason) => {
    const error = { code: 'file_not_readable', message: `${path} cannot be read: ${reason}.` };
    expect(await openPipe(path, never)).toBeUndefined();
    await expect(buffer(readChunks(path))).rejects.toMatchObject(error);
    await expect(readTextFile(path, never)).rejects.toMatchObject(error);
  });
});

describe.runIf(isPosix)('a pipe', () => {
  it('is read to its end, also when its writer comes later and pauses', async () => {
    const { path, write } = newPipe();
    const text = readTextFile(path, never);
    write('(printf a; sleep 0.1; printf b)');
    expect(await text).toBe('ab');
  });

  it('without a writer is left when the run is stopped', async () => {
    const { path } = newPipe();
    const stopping = new AbortController();
    const text = readTextFile(path, stopping.signal);
    setImmediate(() => stopping.abort());
    await expect(text).rejects.toMatchObject({ name: 'AbortError' });
    await expect(readTextFile(path, stopping.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('spoolStream', () => {
  it('keeps every byte, to be read more than once, in a file without a name', async () => {
    const folder = newDirectory();
    setTemporaryFolder(folder);
    const bytes = Buffer.concat([Buffer.from([0, 255, 13, 10]), Buffer.from('Өдөр'.repeat(100_000))]);
    const { open, remove } = await spoolStream(Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]), 'x');
    expect(readdirSync(folder)).toEqual([]);
    for (const copy of await Promise.all([buffer(open()), buffer(open())])) {
      expect(copy.equals(bytes)).toBe(true);
    }
    remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has a bound, after which nothing is left', async () => {
    const folder = newDirectory();
    setTemporaryFolder(folder);
    const chunks = Array.from({ length: 17 }, () => Buffer.alloc(64 * 1024));
    await expect(spoolStream(Readable.from(chunks), 'Standard input', 1024 * 1024)).rejects.toMatchObject({
      code: 'file_invalid',
      message: 'Standard input is larger than 1 MiB.',
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['of the system', Object.assign(new Error(), { code: 'EIO' }), { code: 'file_not_readable' }],
    ['of an end', new DOMException('', 'AbortError'), { name: 'AbortError' }],
  ])('passes on an error %s', async (_, error, expected) => {
    const failing = (async function* () {
      yield Buffer.from('a');
      throw error;
    })();
    await expect(spoolStream(failing, 'Standard input')).rejects.toMatchObject(expected);
  });

  it('names a folder that does not exist', async () => {
    const folder = join(newDirectory(), 'none');
    setTemporaryFolder(folder);
    await expect(spoolStream(Readable.from(['a']), 'Standard input')).rejects.toMatchObject({
      code: 'file_not_writable',
      message: `No temporary file can be written to ${folder}: it does not exist.`,
      details: { hint: asText(/TMPDIR=\/path\/to\/folder/), outcome: 'not_sent' },
    });
  });
});

function setTemporaryFolder(folder: string) {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
}
