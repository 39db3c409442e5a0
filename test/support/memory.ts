import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const memory = '/dev/shm';
const neededBytes = 2 * 1024 ** 3;

/** Puts temporary files into memory where there is enough of it: on a disk, SQLite waits for each transaction. */
export function setup(): (() => void) | undefined {
  if (!hasSpace()) return undefined;
  const folder = mkdtempSync(join(memory, 'tests-'));
  // Some tests run as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasSpace(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}
