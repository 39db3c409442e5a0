import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notWritable } from './file-errors.ts';

/** Text put aside in a temporary file that only its owner can read, to be read again by its place. */
export interface Spill {
  /** Returns the place to read it from. Error: `file_not_writable`. */
  write(text: string): number;
  read(place: number): string;
  remove(): void;
}

const usualLength = 4096;
const mostWaiting = 256 * 1024;

/** Each text is written after its length in bytes, many at a time. */
export function openSpill(place = tmpdir()): Spill {
  const { directory, path, file } = openIn(place);
  const scratch = Buffer.alloc(usualLength);
  let written = 0;
  let waiting: Buffer[] = [];
  let waitingLength = 0;
  const flush = () => {
    try {
      written += writeSync(file, Buffer.concat(waiting), 0, waitingLength, written);
    } catch (error) {
      throw notWritable(path, error);
    }
    waiting = [];
    waitingLength = 0;
  };
  return {
    write: (text) => {
      const place = written + waitingLength;
      const bytes = Buffer.from(text);
      const length = Buffer.allocUnsafe(4);
      length.writeUInt32LE(bytes.length);
      waiting.push(length, bytes);
      waitingLength += bytes.length + 4;
      if (waitingLength > mostWaiting) flush();
      return place;
    },
    read: (place) => {
      if (waitingLength > 0) flush();
      const found = readSync(file, scratch, 0, usualLength, place);
      const end = scratch.readUInt32LE() + 4;
      if (end <= found) return scratch.toString('utf8', 4, end);
      const bytes = Buffer.alloc(end - 4);
      readSync(file, bytes, 0, bytes.length, place + 4);
      return bytes.toString();
    },
    remove: () => {
      closeSync(file);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Where the system allows it the file has no name any more as soon as it is open, so that nothing can be left. */
function openIn(place: string): { directory: string; path: string; file: number } {
  try {
    const directory = mkdtempSync(join(place, 'merchant-orders-'));
    const path = join(directory, 'rows');
    const file = openSync(path, 'wx+', 0o600);
    try {
      rmSync(directory, { recursive: true });
    } catch {
      // Windows keeps the names of open files; it is removed in the end.
    }
    return { directory, path, file };
  } catch (error) {
    throw notWritable(place, error);
  }
}
