import { randomUUID } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../errors.ts';

/** Files as the rest of the program may use them. Errors: `file_not_readable`, `file_not_writable`, `file_invalid`. */
export interface Files {
  readText: typeof readTextFile;
  readStream: typeof readTextStream;
  checkWritable: typeof checkWritable;
  writeWhole: typeof writeWholeFile;
  makePrivateDirectory: typeof makePrivateDirectory;
  spool: typeof spoolToPrivateFile;
}

export const systemFiles: Files = {
  readText: (path) => readTextFile(path),
  readStream: (stream, name) => readTextStream(stream, name),
  checkWritable: (path) => checkWritable(path),
  writeWhole: (path, text) => writeWholeFile(path, text),
  makePrivateDirectory: (path) => makePrivateDirectory(path),
  spool: (stream) => spoolToPrivateFile(stream),
};

/** Text of a file, decoded as strict UTF-8 without its BOM. Errors: `file_not_readable`, `file_invalid`. */
export async function readTextFile(path: string): Promise<string> {
  return decodeUtf8(await readBytes(path), path);
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw notReadable(path, error);
  }
}

/** All that a stream brings, as strict UTF-8; `name` is what an error calls it. */
export async function readTextStream(stream: Readable, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Buffer));
  return decodeUtf8(Buffer.concat(chunks), name);
}

/** Strict UTF-8; `name` is what the error calls the text. */
export function decodeUtf8(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CliError('file_invalid', `${name} is not UTF-8 text.`, {
      hint: 'Save it as UTF-8 (in Excel: Save As, "CSV UTF-8") and run the same command again.',
    });
  }
}

/** Whether a file can be written at this path, found out without leaving anything behind. */
export async function checkWritable(path: string): Promise<void> {
  const target = resolve(path);
  try {
    const exists = await stat(target).then(
      (found) => {
        if (!found.isFile()) throw Object.assign(new Error(), { code: 'EISDIR' });
        return true;
      },
      () => false,
    );
    await access(exists ? target : dirname(target), constants.W_OK);
    const probe = join(dirname(target), `.merchant-orders-${randomUUID()}.tmp`);
    await (await open(probe, 'w', 0o600)).close();
    await rm(probe, { force: true });
  } catch (error) {
    throw notWritable(path, error);
  }
}

/**
 * Writes a file whole or not at all: a temporary file beside it, checked for its size, synced, then renamed.
 * Error: `file_not_writable`; what was there before is then still there.
 */
export async function writeWholeFile(path: string, text: string): Promise<void> {
  const target = resolve(path);
  const temporary = join(dirname(target), `.merchant-orders-${randomUUID()}.tmp`);
  const bytes = Buffer.from(text);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
      if ((await handle.stat()).size !== bytes.length) throw Object.assign(new Error(), { code: 'ENOSPC' });
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw notWritable(path, error);
  }
}

/** Makes a directory that only its owner can enter. */
export async function makePrivateDirectory(path: string): Promise<void> {
  try {
    const created = await mkdir(path, { recursive: true, mode: 0o700 });
    if (created !== undefined) await chmod(path, 0o700);
  } catch (error) {
    throw notWritable(path, error);
  }
}

/** Everything a stream brings, in a temporary file that only its owner can read. */
export async function spoolToPrivateFile(
  stream: Readable,
): Promise<{ path: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'merchant-orders-'));
  const path = join(directory, 'stdin.csv');
  await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
  return { path, remove: () => rm(directory, { recursive: true, force: true }) };
}

function notReadable(path: string, error: unknown): CliError {
  return new CliError('file_not_readable', `${path} cannot be read: ${reason(error)}.`, {
    hint: 'Check the name and that you may open it.',
    cause: error,
  });
}

function notWritable(path: string, error: unknown): CliError {
  return new CliError('file_not_writable', `${path} cannot be written: ${reason(error)}.`, {
    hint: 'Close it in other programs, check the folder and the free space, or name another file.',
    cause: error,
  });
}

function reason(error: unknown): string {
  const reasons: Record<string, string> = {
    ENOENT: 'it is not there',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    EISDIR: 'it is a folder',
    ENOTDIR: 'its folder is not a folder',
    ENOSPC: 'the disk is full',
    EBUSY: 'another program has it open',
  };
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return reasons[code] ?? (code || String(error));
}
