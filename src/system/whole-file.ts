import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CliError } from '../errors.ts';
import { notWritable } from './file-errors.ts';

export type Pieces = string | Iterable<string> | AsyncIterable<string>;

export interface Replacing {
  /** Called after the last piece: whether to write the file at all. */
  isWanted(): boolean;
  /** The path to which a file with other content is renamed. */
  backupPath(path: string): string;
}

/**
 * Writes a file completely or not at all: to a temporary file beside it, which is synced, checked and renamed.
 * Error: `file_not_writable`; the previous file is then still there.
 */
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

/** Whether a file exists and has other content than `other`. */
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
