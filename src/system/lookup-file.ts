import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, lstatSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkBeforeWriting, makePrivateDirectory } from './private-files.ts';
import { createRunLocks, type RunLocks } from './run-locks.ts';

/** What was looked up so far, so that the same command goes on with it after it was stopped. */
export interface LookupFile {
  /** By name: what earlier runs kept. */
  found: ReadonlyMap<string, KeptLookup>;
  /** Whether anything is in the file. */
  holdsAny(): boolean;
  keep(name: string, text: string): void;
  remove(): void;
  close(): void;
}

interface KeptLookup {
  text: string;
  /** Epoch milliseconds. */
  at: number;
}

const maxAgeMilliseconds = 60 * 60 * 1000;
const maxBytes = 64 * 1024 * 1024;
const extension = '.jsonl';

/**
 * A file of mode 0600 that one process at a time has open. Where it cannot be used, nothing is found and nothing is
 * kept, which costs no more than requests.
 */
export async function openLookupFile(
  directory: string | undefined,
  work: string,
  now: () => number,
): Promise<LookupFile> {
  if (directory === undefined) return withoutFile;
  const path = join(directory, work + extension);
  let locks: RunLocks | undefined;
  try {
    makePrivateDirectory(directory);
    locks = await createRunLocks(directory, () => undefined);
    removeOld(directory, locks, now());
    if (locks.isHeld(work)) return withoutFile;
    locks.take(work);
    return openFile(path, locks, now);
  } catch {
    locks?.release();
    return withoutFile;
  }
}

const withoutFile: LookupFile = {
  found: new Map(),
  holdsAny: () => false,
  keep: () => undefined,
  remove: () => undefined,
  close: () => undefined,
};

function openFile(path: string, locks: RunLocks, now: () => number): LookupFile {
  checkBeforeWriting(path);
  let bytes = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes > maxBytes) {
    rmSync(path);
    bytes = 0;
  }
  const file = openSync(path, 'a', 0o600);
  const found = readLookups(readFileSync(path, 'utf8'), now());
  let isOpen = true;
  let canWrite = true;
  let holdsAny = found.size > 0;
  const close = (before = () => {}) => {
    if (!isOpen) return;
    isOpen = false;
    closeSync(file);
    before();
    locks.release();
  };
  return {
    found,
    holdsAny: () => holdsAny,
    keep: (name, text) => {
      const line = writeLine(name, { text, at: now() });
      bytes += Buffer.byteLength(line);
      if (!isOpen || !canWrite || bytes > maxBytes) return;
      try {
        appendFileSync(file, line);
        holdsAny = true;
      } catch {
        canWrite = false;
      }
    },
    remove: () => close(() => tryToRemove(path)),
    close: () => close(),
  };
}

/** The line break stands first: what a killed process wrote may end within a line. */
function writeLine(name: string, { text, at }: KeptLookup): string {
  const json = JSON.stringify([name, at, text]);
  return `\n${checksumOf(json)} ${json}`;
}

const checksumLength = 16;

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, checksumLength);
}

/** Lines that are cut off, damaged or old do not count. */
function readLookups(content: string, now: number): Map<string, KeptLookup> {
  const found = new Map<string, KeptLookup>();
  for (const line of content.split('\n')) {
    const json = line.slice(checksumLength + 1);
    if (json === '' || line.slice(0, checksumLength) !== checksumOf(json)) continue;
    const [name, at, text] = JSON.parse(json) as [string, number, string];
    if (at <= now && now - at <= maxAgeMilliseconds) found.set(name, { text, at });
  }
  return found;
}

function removeOld(directory: string, locks: RunLocks, now: number): void {
  for (const name of readdirSync(directory).filter((each) => each.endsWith(extension))) {
    const path = join(directory, name);
    const { mtimeMs = now } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
    if (now - mtimeMs > maxAgeMilliseconds)
      tryToRemove(path, () => locks.isHeld(name.slice(0, -extension.length)));
  }
}

/** What cannot be removed is not read either once it is old. */
function tryToRemove(path: string, isHeld = () => false): void {
  try {
    if (!isHeld()) rmSync(path, { force: true });
  } catch {
    // A later run tries again.
  }
}
