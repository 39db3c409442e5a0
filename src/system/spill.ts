import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notWritable } from './file-errors.ts';

/** Text put aside in a temporary file that only its owner can read, to be read again by its place. */
export interface Spill {
  /** Returns the place to read it from. Error: `file_not_writable`, and this text alone is lost. */
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
    const bytes = Buffer.concat(waiting);
    try {
      // A disk that is nearly full takes a part without saying more.
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(file, bytes, done, bytes.length - done, written + done);
      }
    } catch (error) {
      throw notWritable(path, error);
    }
    written += bytes.length;
    waiting = [];
    waitingLength = 0;
  };
  const flushIfPossible = () => {
    try {
      flush();
    } catch {
      // Whoever reads wants what is there.
    }
  };
  return {
    write: (text) => {
      const place = written + waitingLength;
      const bytes = Buffer.from(text);
      const length = Buffer.allocUnsafe(4);
      length.writeUInt32LE(bytes.length);
      waiting.push(length, bytes);
      waitingLength += bytes.length + 4;
      if (waitingLength <= mostWaiting) return place;
      try {
        flush();
      } catch (error) {
        // What was put aside before stays to be read.
        waiting.length -= 2;
        waitingLength -= bytes.length + 4;
        throw error;
      }
      return place;
    },
    read: (place) => {
      if (place >= written) flushIfPossible();
      // What the disk has no room for is still here.
      if (place >= written) return textAt(Buffer.concat(waiting), place - written);
      const found = readSync(file, scratch, 0, usualLength, place);
      const end = scratch.readUInt32LE() + 4;
      if (end <= found) return textAt(scratch, 0);
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

function textAt(bytes: Buffer, start: number): string {
  return bytes.toString('utf8', start + 4, start + 4 + bytes.readUInt32LE(start));
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
