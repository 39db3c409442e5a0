import { randomUUID } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import {
  access,
  chmod,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../errors.ts';
import { notReadable, notWritable } from './file-errors.ts';
import { openSpill } from './spill.ts';

export interface Files {
  readText: typeof readTextFile;
  readStream: typeof readTextStream;
  readChunks: typeof readChunks;
  isPipe: typeof isPipe;
  checkWritable: typeof checkWritable;
  writeWhole: typeof writeWholeFile;
  replaceWhole: typeof replaceWholeFile;
  openSpill: typeof openSpill;
  makePrivateDirectory: typeof makePrivateDirectory;
  spool: typeof spoolToPrivateFile;
}

export const systemFiles: Files = {
  readText: (path) => readTextFile(path),
  readStream: (stream, name) => readTextStream(stream, name),
  readChunks: (path) => readChunks(path),
  isPipe: (path) => isPipe(path),
  checkWritable: (path) => checkWritable(path),
  writeWhole: (path, text) => writeWholeFile(path, text),
  replaceWhole: (path, text, replacing) => replaceWholeFile(path, text, replacing),
  openSpill: () => openSpill(),
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

async function readTextStream(stream: Readable, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Buffer));
  return decodeUtf8(Buffer.concat(chunks), name);
}

const chunkLength = 64 * 1024;

/** The bytes in chunks of 64 KiB, each in a buffer of its own. Error: `file_not_readable`. */
export async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path).catch((error) => Promise.reject(notReadable(path, error)));
  try {
    for (;;) {
      const chunk = await fillChunk(file).catch((error) => Promise.reject(notReadable(path, error)));
      if (chunk.length > 0) yield chunk;
      if (chunk.length < chunkLength) return;
    }
  } finally {
    await file.close();
  }
}

/** Whether the path can be read only once, as a pipe; false when it cannot be read at all. */
export async function isPipe(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && (found.isFIFO() || found.isCharacterDevice() || found.isSocket());
}

async function fillChunk(file: FileHandle): Promise<Buffer> {
  const chunk = Buffer.allocUnsafeSlow(chunkLength);
  let length = 0;
  while (length < chunkLength) {
    const { bytesRead } = await file.read(chunk, length, chunkLength - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return chunk.subarray(0, length);
}

export function decodeUtf8(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CliError('file_invalid', `${name} is not UTF-8 text.`, {
      hint: 'Save it as UTF-8 (in Excel: Save As, "CSV UTF-8") and run the same command again.',
    });
  }
}

/** Checks that a file can be written at this path, and leaves nothing behind. Error: `file_not_writable`. */
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

export async function makePrivateDirectory(path: string): Promise<void> {
  try {
    const created = await mkdir(path, { recursive: true, mode: 0o700 });
    if (created !== undefined) await chmod(path, 0o700);
  } catch (error) {
    throw notWritable(path, error);
  }
}

export async function spoolToPrivateFile(
  stream: Readable,
): Promise<{ path: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'merchant-orders-'));
  const path = join(directory, 'stdin.csv');
  await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
  return { path, remove: () => rm(directory, { recursive: true, force: true }) };
}

export type Pieces = string | Iterable<string> | AsyncIterable<string>;

export interface Replacing {
  isWanted(): boolean;
  backupPath(path: string): string;
}

/** Writes a temporary file, syncs and renames it. On `file_not_writable` the previous file is still there. */
export async function writeWholeFile(path: string, pieces: Pieces): Promise<void> {
  await throughTemporaryFile(path, pieces, (temporary) => rename(temporary, resolve(path)));
}

/** The same, but a previous file with other content is kept under another name, which is returned as `backup`. */
export async function replaceWholeFile(
  path: string,
  pieces: Pieces,
  { isWanted, backupPath }: Replacing,
): Promise<{ isWritten: boolean; backup?: string }> {
  const target = resolve(path);
  return throughTemporaryFile(path, pieces, async (temporary) => {
    if (!isWanted()) {
      await rm(temporary);
      return { isWritten: false };
    }
    const backup = (await differs(target, temporary)) ? backupPath(path) : undefined;
    if (backup !== undefined) await rename(target, backup);
    await rename(temporary, target);
    return { isWritten: true, ...(backup === undefined ? {} : { backup }) };
  });
}

const bufferLength = 64 * 1024;

async function throughTemporaryFile<Result>(
  path: string,
  pieces: Pieces,
  finish: (temporary: string) => Promise<Result>,
): Promise<Result> {
  const temporary = join(dirname(resolve(path)), `.merchant-orders-${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      let bytes = 0;
      let pending = '';
      // One buffer for all writes: a million lines would otherwise leave garbage as large as the file.
      const scratch = Buffer.allocUnsafe(4 * bufferLength);
      const write = async () => {
        const isFitting = Buffer.byteLength(pending) <= scratch.length;
        const buffer = isFitting ? scratch.subarray(0, scratch.write(pending)) : Buffer.from(pending);
        pending = '';
        await handle.writeFile(buffer);
        bytes += buffer.length;
      };
      for await (const piece of typeof pieces === 'string' ? [pieces] : pieces) {
        pending += piece;
        if (pending.length > bufferLength) await write();
      }
      await write();
      await handle.sync();
      if ((await handle.stat()).size !== bytes) throw Object.assign(new Error(), { code: 'ENOSPC' });
    } finally {
      await handle.close();
    }
    return await finish(temporary);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    // An error of the source of the pieces, not of this file.
    if (error instanceof CliError || (error as Error).name === 'AbortError') throw error;
    throw notWritable(path, error);
  }
}

async function differs(path: string, other: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return false;
  if (found.size !== (await stat(other)).size) return true;
  const others = createReadStream(other)[Symbol.asyncIterator]();
  for await (const chunk of createReadStream(path)) {
    const { value } = await others.next();
    if (!(chunk as Buffer).equals(value as Buffer)) return true;
  }
  return false;
}
