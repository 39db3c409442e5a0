import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
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
