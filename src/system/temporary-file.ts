import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { advice, again } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { reasonOf } from './file-errors.ts';

interface TemporaryFile {
  descriptor: number;
  folder: string;
  remove(): void;
}

/** For customers' data: mode 0600, and unlinked as soon as it is open, so that a crash leaves nothing behind. */
export function openTemporaryFile(folder = tmpdir()): TemporaryFile {
  try {
    const directory = mkdtempSync(join(folder, 'merchant-orders-'));
    const removeName = () => {
      try {
        rmSync(directory, { recursive: true, force: true });
      } catch {
        // Windows does not remove an open file, so `remove` tries again. A failure must not hide the command's result.
      }
    };
    try {
      const descriptor = openSync(join(directory, 'rows'), 'wx+', 0o600);
      const remove = () => {
        closeSync(descriptor);
        removeName();
      };
      return { descriptor, folder, remove };
    } finally {
      removeName();
    }
  } catch (error) {
    throw notStored(folder, error);
  }
}

/** Reserves disk space; the returned function frees it for what must still be written on a full disk. Error: `file_not_writable`. */
export function reserveSpace(folder: string, bytes: number): () => void {
  const { descriptor, remove } = openTemporaryFile(folder);
  try {
    // Random, because a compressing file system would reserve nothing for zeros.
    writeFileSync(descriptor, randomBytes(bytes));
    return remove;
  } catch (error) {
    remove();
    throw notStored(folder, error);
  }
}

export function notStored(folder: string, error: unknown): CliError {
  const reason = reasonOf(error, 'it does not exist');
  return new CliError('file_not_writable', `No temporary file can be written to ${folder}: ${reason}.`, {
    hint: advice`Free some space there, or name another folder with TMPDIR=/path/to/folder, and run the same command again.${again()}`,
    outcome: 'not_sent',
    cause: error,
  });
}

/** Texts in a temporary file, each read by its position. */
export interface Spill {
  /** Returns the position. Error: `file_not_writable`; earlier texts can still be read. */
  write(text: string): number;
  read(position: number): string;
  remove(): void;
}

const windowLength = 64 * 1024;
const maxPendingLength = 256 * 1024;

export function openSpill(parent?: string): Spill {
  const { descriptor: file, folder, remove } = openTemporaryFile(parent);
  const window = Buffer.alloc(windowLength);
  let windowStart = 0;
  let held = 0;
  let written = 0;
  let pending = Buffer.alloc(maxPendingLength);
  let pendingLength = 0;
  const flush = () => {
    try {
      for (let done = 0; done < pendingLength; ) {
        done += writeSync(file, pending, done, pendingLength - done, written + done);
      }
    } catch (error) {
      throw notStored(folder, error);
    }
    written += pendingLength;
    pendingLength = 0;
  };
  const isHeld = (at: number) => at >= 0 && at + 4 <= held && at + 4 + window.readUInt32LE(at) <= held;
  return {
    write: (text) => {
      // A UTF-16 unit takes at most three bytes in UTF-8.
      if (pendingLength + 4 + 3 * text.length > pending.length) {
        flush();
        const needed = 4 + Buffer.byteLength(text);
        if (needed > pending.length) pending = Buffer.alloc(needed);
      }
      const position = written + pendingLength;
      const length = pending.write(text, pendingLength + 4);
      pending.writeUInt32LE(length, pendingLength);
      pendingLength += 4 + length;
      return position;
    },
    read: (position) => {
      if (position >= written) return textAt(pending, position - written);
      let at = position - windowStart;
      if (!isHeld(at)) {
        at = position % (windowLength / 2);
        windowStart = position - at;
        held = 0;
        held = Math.min(readSync(file, window, 0, windowLength, windowStart), written - windowStart);
      }
      if (isHeld(at)) return textAt(window, at);
      const bytes = Buffer.alloc(window.readUInt32LE(at));
      readSync(file, bytes, 0, bytes.length, position + 4);
      return bytes.toString();
    },
    remove,
  };
}

function textAt(bytes: Buffer, start: number): string {
  return bytes.toString('utf8', start + 4, start + 4 + bytes.readUInt32LE(start));
}
