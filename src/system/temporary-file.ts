import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { advice, again } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { reasonOf } from './file-errors.ts';

/** A file of customers' data that only its owner can read, open for reading and writing. */
interface TemporaryFile {
  descriptor: number;
  folder: string;
  remove(): void;
}

/** Removes the name of the file as soon as it is open, where the system allows that: a crash leaves nothing behind. */
export function openTemporaryFile(folder = tmpdir()): TemporaryFile {
  try {
    const directory = mkdtempSync(join(folder, 'merchant-orders-'));
    const removeName = () => {
      try {
        rmSync(directory, { recursive: true, force: true });
      } catch {
        // Windows does not remove an open file; `remove` does. What is left behind must not hide what the command did.
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

/** Takes up space in a folder; the returned function frees it, so that something else has room on a disk that is full by then. Error: `file_not_writable`. */
export function reserveSpace(folder: string, bytes: number): () => void {
  const { descriptor, remove } = openTemporaryFile(folder);
  try {
    // A file system that compresses would keep nothing free for zeros.
    writeFileSync(descriptor, randomBytes(bytes));
    return remove;
  } catch (error) {
    remove();
    throw notStored(folder, error);
  }
}

/** The error for a temporary file that cannot be opened or written in this folder. */
export function notStored(folder: string, error: unknown): CliError {
  const reason = reasonOf(error, 'it does not exist');
  return new CliError('file_not_writable', `No temporary file can be written to ${folder}: ${reason}.`, {
    hint: advice`Free some space there, or name another folder with TMPDIR=/path/to/folder, and run the same command again.${again()}`,
    outcome: 'not_sent',
    cause: error,
  });
}

/** Texts in a temporary file that only its owner can read, each read again by its position. */
export interface Spill {
  /** Returns the position to read from. Error: `file_not_writable`, which loses only this text. */
  write(text: string): number;
  read(position: number): string;
  remove(): void;
}

const windowLength = 64 * 1024;
const maxPendingLength = 256 * 1024;

/** `parent` is the folder; the one for temporary files when absent. Error: `file_not_writable`. */
export function openSpill(parent?: string): Spill {
  const { descriptor: file, folder, remove } = openTemporaryFile(parent);
  // Texts are read in about the order in which they were written.
  const window = Buffer.alloc(windowLength);
  let windowStart = 0;
  let held = 0;
  let written = 0;
  let pending = Buffer.alloc(maxPendingLength);
  let pendingLength = 0;
  const flush = () => {
    try {
      // On a nearly full disk a write may be partial.
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
      // No character has more bytes in UTF-8.
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
