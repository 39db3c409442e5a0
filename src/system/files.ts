import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, lstat, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CliError } from '../errors.ts';
import { checkIsFile, notWritable } from './file-errors.ts';
import { openPipe, readChunks, readTextFile, readTextStream, sizeOf, spoolStream } from './input.ts';
import { makePrivateDirectory } from './private-files.ts';
import { openSpill } from './spill.ts';
import { databaseFiles } from './sqlite.ts';

export interface Files {
  readText: typeof readTextFile;
  readStream: typeof readTextStream;
  readChunks: typeof readChunks;
  openPipe: typeof openPipe;
  sizeOf: typeof sizeOf;
  checkWritable: typeof checkWritable;
  isSameFile: typeof isSameFile;
  findOwnFile: typeof findOwnFile;
  writeWhole: typeof writeWholeFile;
  openSpill: typeof openSpill;
  makePrivateDirectory: typeof makePrivateDirectory;
  spool: typeof spoolStream;
}

export const systemFiles: Files = {
  readText: readTextFile,
  readStream: readTextStream,
  readChunks,
  openPipe,
  sizeOf,
  checkWritable,
  isSameFile,
  findOwnFile,
  writeWhole: writeWholeFile,
  openSpill: () => openSpill(),
  makePrivateDirectory,
  spool: spoolStream,
};

/** Checks that a file can be written at this path, and leaves nothing behind. Error: `file_not_writable`. */
export async function checkWritable(path: string): Promise<void> {
  const target = resolve(path);
  try {
    const exists = await stat(target).then(
      (found) => {
        checkIsFile(found);
        return true;
      },
      () => false,
    );
    await access(exists ? target : dirname(target), constants.W_OK);
    await removeLeftovers(dirname(target));
    const probe = temporaryBeside(target);
    await (await open(probe, 'w', 0o600)).close();
    await rm(probe, { force: true });
  } catch (error) {
    throw notWritable(path, error);
  }
}

function temporaryBeside(path: string): string {
  return join(dirname(resolve(path)), `.merchant-orders-${randomUUID()}.tmp`);
}

const leftover = /^\.merchant-orders-[0-9a-f-]{36}\.tmp$/;
/** A file that is being written is changed all the time. */
const leftoverMilliseconds = 60 * 60 * 1000;

/** Removes what a run that was killed while it wrote a file left in this folder, as far as that is possible. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const path of names.filter((name) => leftover.test(name)).map((name) => join(folder, name))) {
    const found = await lstat(path).catch(() => undefined);
    const isOld = found !== undefined && Date.now() - found.mtimeMs > leftoverMilliseconds;
    if (isOld) await rm(path).catch(() => undefined);
  }
}

/** What the configuration directory holds. */
export const ownNames = {
  configuration: 'config.json',
  mappings: 'mappings.json',
  skus: 'skus.json',
  ledger: 'ledger.db',
  sandbox: 'sandbox.db',
  runs: 'runs',
} as const;

/** The file or folder of ours in the configuration directory that would be replaced by a file at this path. */
export async function findOwnFile(
  path: string,
  configDirectory: string | undefined,
): Promise<string | undefined> {
  if (configDirectory === undefined) return undefined;
  const { configuration, mappings, skus, ledger, sandbox, runs } = ownNames;
  const databases = [ledger, sandbox].flatMap((name) => databaseFiles(join(configDirectory, name)));
  const stored = [configuration, mappings, skus].map((name) => join(configDirectory, name));
  for (const own of [...stored, ...databases]) {
    if (await isSameFile(path, own)) return own;
  }
  const locks = join(configDirectory, runs);
  const isLocks = (await isSameFile(path, locks)) || (await isSameFile(dirname(path), locks));
  return isLocks ? locks : undefined;
}

export type Pieces = string | Iterable<string> | AsyncIterable<string>;

export interface Replacing {
  /** Asked when all pieces are there; nothing is written unless it is. */
  isWanted(): boolean;
  /** Whether a previous file that begins like this was written by this program, so that nothing is lost with it. */
  isOurs(start: string): boolean;
  backupPath(path: string): string;
}

/**
 * Writes a temporary file, syncs and renames it. A previous file with other content that is not ours is kept under
 * another name, which is returned as `backup`. On `file_not_writable` the previous file is still there.
 */
export async function writeWholeFile(
  path: string,
  pieces: Pieces,
  { isWanted, isOurs, backupPath }: Replacing,
): Promise<{ isWritten: boolean; backup?: string }> {
  const target = resolve(path);
  return throughTemporaryFile(path, pieces, async (temporary) => {
    if (!isWanted()) {
      await rm(temporary);
      return { isWritten: false };
    }
    const isKept = (await isOther(target, temporary)) && !isOurs(await readStart(target));
    const backup = isKept ? backupPath(path) : undefined;
    if (backup !== undefined) await rename(target, backup);
    await rename(temporary, target);
    return { isWritten: true, ...(backup === undefined ? {} : { backup }) };
  });
}

const bufferLength = 64 * 1024;

async function throughTemporaryFile<Result>(
  path: string,
  pieces: Pieces,
  finish: (temporary: string) => Promise<Result>,
): Promise<Result> {
  const temporary = temporaryBeside(path);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      let bytes = 0;
      let pending = '';
      // One buffer for all writes: a million lines would otherwise leave garbage as large as the file.
      const scratch = Buffer.allocUnsafe(4 * bufferLength);
      const write = async () => {
        const isFitting = Buffer.byteLength(pending) <= scratch.length;
        const buffer = isFitting ? scratch.subarray(0, scratch.write(pending)) : Buffer.from(pending);
        pending = '';
        await handle.writeFile(buffer);
        bytes += buffer.length;
      };
      for await (const piece of typeof pieces === 'string' ? [pieces] : pieces) {
        pending += piece;
        if (pending.length > bufferLength) await write();
      }
      await write();
      await handle.sync();
      if ((await handle.stat()).size !== bytes) throw Object.assign(new Error(), { code: 'ENOSPC' });
    } finally {
      await handle.close();
    }
    return await finish(temporary);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    // An error of the source of the pieces, not of this file.
    if (error instanceof CliError || (error as Error).name === 'AbortError') throw error;
    throw notWritable(path, error);
  }
}

/** Whether there is a file, or a link, with other content. A folder or a device is an error of the system. */
async function isOther(path: string, other: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return false;
  if (found.isSymbolicLink()) return true;
  checkIsFile(found);
  if (found.size !== (await stat(other)).size) return true;
  const others = createReadStream(other)[Symbol.asyncIterator]();
  for await (const chunk of createReadStream(path)) {
    const { value } = await others.next();
    if (!(chunk as Buffer).equals(value as Buffer)) return true;
  }
  return false;
}

const startLength = 1024;

/** The first characters of a file; none of a link, since it is the link that would be replaced. */
async function readStart(path: string): Promise<string> {
  if (!(await lstat(path)).isFile()) return '';
  const bytes = await buffer(createReadStream(path, { end: startLength - 1 }));
  return bytes.toString();
}

/** Whether two paths lead to one file, or would: by links, by another spelling, or in another case. */
export async function isSameFile(path: string, other: string): Promise<boolean> {
  const statOf = (each: string) => stat(each, { bigint: true }).catch(() => undefined);
  const [found, others] = await Promise.all([path, other].map(statOf));
  if (found !== undefined && others !== undefined)
    return found.dev === others.dev && found.ino === others.ino;
  if (found !== undefined || others !== undefined) return false;
  const [place, otherPlace] = await Promise.all([path, other].map((each) => placeOf(each)));
  return place === otherPlace;
}

/** Without the case of the name, to which many file systems pay no attention. */
async function placeOf(path: string): Promise<string> {
  const folder = dirname(resolve(path));
  const real = await realpath(folder).catch(() => folder);
  return join(real, basename(path).normalize().toLowerCase());
}
