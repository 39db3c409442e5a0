import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notWritable } from './file-errors.ts';

/** Texts in a temporary file that only its owner can read, each read again by its position. */
export interface Spill {
  /** Returns the position to read from. Error: `file_not_writable`, which loses only this text. */
  write(text: string): number;
  read(position: number): string;
  remove(): void;
}

const usualLength = 4096;
const maxPendingLength = 256 * 1024;

export function openSpill(parent = tmpdir()): Spill {
  const { directory, path, file } = openIn(parent);
  const scratch = Buffer.alloc(usualLength);
  let written = 0;
  let pending: Buffer[] = [];
  let pendingLength = 0;
  const flush = () => {
    const bytes = Buffer.concat(pending);
    try {
      // On a nearly full disk a write may be partial.
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(file, bytes, done, bytes.length - done, written + done);
      }
    } catch (error) {
      throw notWritable(path, error);
    }
    written += bytes.length;
    pending = [];
    pendingLength = 0;
  };
  const flushIfPossible = () => {
    try {
      flush();
    } catch {
      // The texts stay in memory, where they can be read.
    }
  };
  return {
    write: (text) => {
      const position = written + pendingLength;
      const bytes = Buffer.from(text);
      const length = Buffer.allocUnsafe(4);
      length.writeUInt32LE(bytes.length);
      pending.push(length, bytes);
      pendingLength += bytes.length + 4;
      if (pendingLength <= maxPendingLength) return position;
      try {
        flush();
      } catch (error) {
        pending.length -= 2;
        pendingLength -= bytes.length + 4;
        throw error;
      }
      return position;
    },
    read: (position) => {
      if (position >= written) flushIfPossible();
      if (position >= written) return textAt(Buffer.concat(pending), position - written);
      const found = readSync(file, scratch, 0, usualLength, position);
      const end = scratch.readUInt32LE() + 4;
      if (end <= found) return textAt(scratch, 0);
      const bytes = Buffer.alloc(end - 4);
      readSync(file, bytes, 0, bytes.length, position + 4);
      return bytes.toString();
    },
    remove: () => {
      closeSync(file);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function textAt(bytes: Buffer, start: number): string {
  return bytes.toString('utf8', start + 4, start + 4 + bytes.readUInt32LE(start));
}

/** Removes the name of the file as soon as it is open, where the system allows that: a crash leaves nothing behind. */
function openIn(parent: string): { directory: string; path: string; file: number } {
  try {
    const directory = mkdtempSync(join(parent, 'merchant-orders-'));
    const path = join(directory, 'rows');
    const file = openSync(path, 'wx+', 0o600);
    try {
      rmSync(directory, { recursive: true });
    } catch {
      // Windows does not remove an open file; `remove` does.
    }
    return { directory, path, file };
  } catch (error) {
    throw notWritable(parent, error);
  }
}
