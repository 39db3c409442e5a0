import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../errors.ts';
import { reasonOf } from './file-errors.ts';

/** A file of customers' data that only its owner can read, open for reading and writing. */
export interface TemporaryFile {
  descriptor: number;
  folder: string;
  remove(): void;
}

/** Removes the name of the file as soon as it is open, where the system allows that: a crash leaves nothing behind. */
export function openTemporaryFile(folder = tmpdir()): TemporaryFile {
  try {
    const directory = mkdtempSync(join(folder, 'merchant-orders-'));
    const removeName = () => rmSync(directory, { recursive: true, force: true });
    try {
      const descriptor = openSync(join(directory, 'rows'), 'wx+', 0o600);
      const remove = () => {
        closeSync(descriptor);
        removeName();
      };
      return { descriptor, folder, remove };
    } finally {
      try {
        removeName();
      } catch {
        // Windows does not remove an open file; `remove` does.
      }
    }
  } catch (error) {
    throw notStored(folder, error);
  }
}

/** The error for a temporary file that cannot be opened or written in this folder. */
export function notStored(folder: string, error: unknown): CliError {
  const reason = reasonOf(error, 'it does not exist');
  return new CliError('file_not_writable', `No temporary file can be written to ${folder}: ${reason}.`, {
    hint: 'Free some space there, or name another folder with TMPDIR=/path/to/folder, and run the same command again.',
    outcome: 'not_sent',
    cause: error,
  });
}
