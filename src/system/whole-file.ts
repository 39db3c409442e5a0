import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CliError } from '../errors.ts';
import { notWritable } from './file-errors.ts';

export type Pieces = string | Iterable<string> | AsyncIterable<string>;

export interface Replacing {
  /** Asked when all pieces are there: whether there is anything to be written. */
  isMeant(): boolean;
  /** Where to keep what was there before, when it is something else. */
  keptAs(path: string): string;
}

/**
 * Writes a file whole or not at all: a temporary file beside it, checked for its size, synced, then renamed.
 * Error: `file_not_writable`; what was there before is then still there.
 */
export async function writeWholeFile(path: string, pieces: Pieces): Promise<void> {
  await throughTemporaryFile(path, pieces, (temporary) => rename(temporary, resolve(path)));
}

/** The same, but a file that was there before with other content is kept under another name. */
export async function replaceWholeFile(
  path: string,
  pieces: Pieces,
  { isMeant, keptAs }: Replacing,
): Promise<{ isWritten: boolean; kept?: string }> {
  const target = resolve(path);
  return throughTemporaryFile(path, pieces, async (temporary) => {
    if (!isMeant()) {
      await rm(temporary);
      return { isWritten: false };
    }
    const isOther = await differs(target, temporary);
    const kept = isOther ? { kept: keptAs(path) } : {};
    if (kept.kept !== undefined) await rename(target, kept.kept);
    await rename(temporary, target);
    return { isWritten: true, ...kept };
  });
}

const writtenAtOnce = 64 * 1024;

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
      let waiting = '';
      // The same bytes again and again: a million lines would leave as much to be collected as the file is long.
      const scratch = Buffer.allocUnsafe(4 * writtenAtOnce);
      const write = async () => {
        const isFitting = Buffer.byteLength(waiting) <= scratch.length;
        const buffer = isFitting ? scratch.subarray(0, scratch.write(waiting)) : Buffer.from(waiting);
        waiting = '';
        await handle.writeFile(buffer);
        bytes += buffer.length;
      };
      for await (const piece of typeof pieces === 'string' ? [pieces] : pieces) {
        waiting += piece;
        if (waiting.length > writtenAtOnce) await write();
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
    // What the pieces are made from may fail as well; that says nothing about this file.
    if (error instanceof CliError || (error as Error).name === 'AbortError') throw error;
    throw notWritable(path, error);
  }
}

/** Whether a file is there and is not the same as another. */
async function differs(path: string, other: string): Promise<boolean> {
  const before = await stat(path).catch(() => undefined);
  if (before === undefined) return false;
  if (before.size !== (await stat(other)).size) return true;
  const others = createReadStream(other)[Symbol.asyncIterator]();
  for await (const chunk of createReadStream(path)) {
    const { value } = await others.next();
    if (!(chunk as Buffer).equals(value as Buffer)) return true;
  }
  return false;
}
