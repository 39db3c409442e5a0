import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CliError } from '../errors.ts';
import { checkIsFile, notWritable } from './file-errors.ts';
import { openPipe, readChunks, readTextFile, readTextStream, spoolStream } from './input.ts';
import { openSpill } from './spill.ts';

export interface Files {
  readText: typeof readTextFile;
  readStream: typeof readTextStream;
  readChunks: typeof readChunks;
  openPipe: typeof openPipe;
  checkWritable: typeof checkWritable;
  writeWhole: typeof writeWholeFile;
  replaceWhole: typeof replaceWholeFile;
  openSpill: typeof openSpill;
  makePrivateDirectory: typeof makePrivateDirectory;
  spool: typeof spoolStream;
}

export const systemFiles: Files = {
  readText: readTextFile,
  readStream: readTextStream,
  readChunks,
  openPipe,
  checkWritable,
  writeWhole: writeWholeFile,
  replaceWhole: replaceWholeFile,
  openSpill: () => openSpill(),
  makePrivateDirectory,
  spool: spoolStream,
};

/** Checks that a file can be written at this path, and leaves nothing behind. Error: `file_not_writable`. */
export async function checkWritable(path: string): Promise<void> {
  const target = resolve(path);
  try {
    const exists = await stat(target).then(
      (found) => {
        checkIsFile(found);
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
