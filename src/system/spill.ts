import { readSync, writeSync } from 'node:fs';
import { notStored, openTemporaryFile } from './temporary-file.ts';

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
