import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, readSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { devNull, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { advice, again } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { reasonOf } from './file-errors.ts';

const isWindows = platform() === 'win32';

/** On Windows a file has a name while it is open; this flag of its C library removes it with its last handle. */
const removedOnClose = isWindows ? 0x40 : 0;
const { O_CREAT, O_EXCL, O_RDWR } = constants;

/** For customers' data: mode 0600, and without a name as soon as it is open, so that a crash leaves nothing behind. */
export function openTemporaryFile(folder = tmpdir()) {
  const path = join(folder, `merchant-orders-${randomUUID()}`);
  try {
    const descriptor = openSync(path, O_CREAT | O_EXCL | O_RDWR | removedOnClose, 0o600);
    let isOpen = true;
    const remove = () => {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    };
    try {
      if (removedOnClose === 0) unlinkSync(path);
    } catch (error) {
      remove();
      throw error;
    }
    return { descriptor, folder, remove };
  } catch (error) {
    throw notStored(folder, error);
  }
}

/** How many files, at most `wanted`, this process may still open; all where that cannot be tried. */
export function countFreeDescriptors(wanted: number): number {
  const { held, isFull, close } = openDescriptors(wanted);
  close();
  return isFull ? held : wanted;
}

function openDescriptors(wanted: number): { held: number; isFull: boolean; close(): void } {
  const held: number[] = [];
  let isFull = false;
  try {
    while (held.length < wanted) held.push(openSync(devNull, 'r'));
  } catch (error) {
    isFull = ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
  const close = () => {
    for (const each of held.splice(0)) closeSync(each);
  };
  return { held: held.length, isFull, close };
}

/** For the files that are written at the end. */
const reservedDescriptors = 8;

/**
 * Reserves disk space, and the right to open files; the returned function frees them for what must still be written.
 * Error: `file_not_writable`.
 */
export function reserveSpace(folder: string, bytes: number): () => void {
  const { descriptor, remove } = openTemporaryFile(folder);
  try {
    // Random, because a compressing file system would reserve nothing for zeros.
    writeFileSync(descriptor, randomBytes(bytes));
  } catch (error) {
    remove();
    throw notStored(folder, error);
  }
  const { close } = openDescriptors(reservedDescriptors);
  return () => {
    remove();
    close();
  };
}

export function notStored(folder: string, error: unknown): CliError {
  const reason = reasonOf(error, 'it does not exist');
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '');
  const cure = isFull ? 'Free some space there, or name another folder' : 'Name another folder';
  const place = isWindows ? 'in TEMP' : 'with TMPDIR=/path/to/folder';
  return new CliError('file_not_writable', `No temporary file can be written to ${folder}: ${reason}.`, {
    hint: advice`${cure} ${place}, and run the same command again.${again()}`,
    cause: error,
  });
}

export type Spill = ReturnType<typeof openSpill>;

const windowLength = 64 * 1024;
const maxPendingLength = 256 * 1024;
/** Before each text stands its length in bytes. */
const headLength = 4;

/** Texts in a temporary file, each read by its position, or all in the order in which they were written. */
export function openSpill(parent?: string) {
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
  const isHeld = (at: number) =>
    at >= 0 && at + headLength <= held && at + headLength + window.readUInt32LE(at) <= held;
  /** The bytes of a text, which hold until the next call. */
  const bytesAt = (position: number): Buffer => {
    if (position >= written) return bytesIn(pending, position - written);
    let at = position - windowStart;
    if (!isHeld(at)) {
      at = position % (windowLength / 2);
      windowStart = position - at;
      held = 0;
      held = Math.min(readSync(file, window, 0, windowLength, windowStart), written - windowStart);
    }
    if (isHeld(at)) return bytesIn(window, at);
    const bytes = Buffer.alloc(window.readUInt32LE(at));
    readSync(file, bytes, 0, bytes.length, position + headLength);
    return bytes;
  };
  return {
    /** Returns the position. Error: `file_not_writable`; earlier texts can still be read. */
    write: (text: string) => {
      // A UTF-16 unit takes at most three bytes in UTF-8.
      if (pendingLength + headLength + 3 * text.length > pending.length) {
        flush();
        const needed = headLength + Buffer.byteLength(text);
        if (needed > pending.length) pending = Buffer.alloc(needed);
      }
      const position = written + pendingLength;
      const length = pending.write(text, pendingLength + headLength);
      pending.writeUInt32LE(length, pendingLength);
      pendingLength += headLength + length;
      return position;
    },
    read: (position: number) => bytesAt(position).toString(),
    texts: function* (): Generator<string> {
      for (let position = 0; position < written + pendingLength; ) {
        const bytes = bytesAt(position);
        position += headLength + bytes.length;
        yield bytes.toString();
      }
    },
    remove,
  };
}

function bytesIn(buffer: Buffer, start: number): Buffer {
  const from = start + headLength;
  return buffer.subarray(from, from + buffer.readUInt32LE(start));
}
