import { randomUUID } from 'node:crypto';
import { constants, createReadStream, fstatSync, type Stats } from 'node:fs';
import {
  access,
  type FileHandle,
  lstat,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CliError } from '../errors.ts';
import { checkIsFile, notWritable } from './file-errors.ts';
import { openPipe, readChunks, readTextFile, readTextStream, sizeOf, spoolStream } from './input.ts';
import { makePrivateDirectory } from './private-files.ts';
import type { Shell } from './shell.ts';
import { databaseFiles } from './sqlite.ts';
import { openSpill } from './temporary-file.ts';

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

/** What a path leads to, links followed: a file, which may not exist yet, or something that is written to as it is. */
type Destination =
  | { kind: 'file'; path: string; found: Stats | undefined; isInOtherFolder: boolean }
  | { kind: 'output'; of: 'stdout' | 'stderr' }
  | { kind: 'device'; path: string; isPipe: boolean };

const systemFolder = /^\/(?:dev|proc)\/(?!shm\/)/;

/** Errors of the system: EISDIR, ENXIO, ELOOP, EACCES, ENAMETOOLONG. */
async function findDestination(path: string): Promise<Destination> {
  const target = await followLinks(path);
  const found = await stat(target).catch((error) => {
    if (error.code === 'ENAMETOOLONG') throw error;
    return undefined;
  });
  const isOfSystem = systemFolder.test(target);
  if (found === undefined) {
    if (isOfSystem) throw Object.assign(new Error(), { code: 'EACCES' });
    const isInOtherFolder = dirname(target) !== (await realFolderOf(resolve(path)));
    return { kind: 'file', path: target, found, isInOtherFolder };
  }
  // Another descriptor of the same file would have a position of its own, and each would overwrite the other.
  if (isOpenAs(1, found)) return { kind: 'output', of: 'stdout' };
  if (isOpenAs(2, found)) return { kind: 'output', of: 'stderr' };
  if (found.isDirectory() || found.isBlockDevice()) checkIsFile(found);
  if (!found.isFile() || isOfSystem) return { kind: 'device', path: target, isPipe: found.isFIFO() };
  const isInOtherFolder = dirname(target) !== (await realFolderOf(resolve(path)));
  return { kind: 'file', path: target, found, isInOtherFolder };
}

const maxLinks = 40;

/** As `realpath` does, also where the last link leads to nothing; what the folders of the system hold is left as it is. */
async function followLinks(path: string): Promise<string> {
  let current = resolve(path);
  for (let links = 0; links <= maxLinks; links += 1) {
    const folder = await realFolderOf(current);
    current = join(folder, basename(current));
    if (systemFolder.test(current)) return current;
    const found = await lstat(current).catch(() => undefined);
    if (found?.isSymbolicLink() !== true) return current;
    current = resolve(folder, await readlink(current));
  }
  throw Object.assign(new Error(), { code: 'ELOOP' });
}

async function realFolderOf(path: string): Promise<string> {
  const folder = dirname(path);
  return realpath(folder).catch(() => folder);
}

function isOpenAs(descriptor: number, { dev, ino }: Stats): boolean {
  try {
    const open = fstatSync(descriptor);
    return open.dev === dev && open.ino === ino;
  } catch {
    return false;
  }
}

/**
 * Checks that a file can be written at this path, and leaves nothing behind. A file that a link leads to in another
 * folder is only replaced when it is ours. Error: `file_not_writable`.
 */
export async function checkWritable(path: string, isOurs: Replacing['isOurs']): Promise<void> {
  try {
    const destination = await findDestination(path);
    if (destination.kind === 'output') return;
    if (destination.kind === 'device') return await access(destination.path, constants.W_OK);
    const { path: target, found, isInOtherFolder } = destination;
    await access(found === undefined ? dirname(target) : target, constants.W_OK);
    const isKept = found !== undefined && found.size > 0 && !isOurs(await readStart(target));
    if (isInOtherFolder && isKept) throw linksToOther(path, target);
    await removeLeftovers(dirname(target));
    const probe = temporaryBeside(target);
    await (await open(probe, 'w', 0o600)).close();
    await rm(probe, { force: true });
  } catch (error) {
    throw error instanceof CliError ? error : notWritable(path, error);
  }
}

function linksToOther(path: string, target: string): CliError {
  return new CliError(
    'file_not_writable',
    `${path} cannot be written: it is a link to ${target}, which has other content.`,
    { hint: 'Move that file away, or name another file.' },
  );
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
async function findOwnFile(path: string, configDirectory: string | undefined): Promise<string | undefined> {
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

type Pieces = string | Iterable<string> | AsyncIterable<string>;

interface WholeFile {
  /** False when there were no pieces. */
  isWritten: boolean;
  backup?: string;
}

export interface Replacing {
  /** Whether a previous file that begins like this was written by this program, so that nothing is lost with it. */
  isOurs(start: string): boolean;
  backupPath(path: string): string;
  /** What is written to when the path leads to the file, the pipe or the terminal of one of them. */
  outputs: Pick<Shell, 'stdout' | 'stderr'>;
}

/**
 * Writes a temporary file, syncs and renames it; nothing at all when there are no pieces. A previous file with other
 * content that is not ours is kept under another name, which is returned as `backup`. On `file_not_writable` the
 * previous file is still there. A pipe and a device are written to as they are, and so is the file of an output.
 */
export async function writeWholeFile(
  path: string,
  pieces: Pieces,
  { isOurs, backupPath, outputs }: Replacing,
): Promise<WholeFile> {
  try {
    const destination = await findDestination(path);
    if (destination.kind === 'output') return await writeToOutput(outputs[destination.of], pieces);
    if (destination.kind === 'device') return await writeToDevice(destination, pieces);
    const { path: target, isInOtherFolder } = destination;
    return await throughTemporaryFile(target, pieces, async (temporary) => {
      const isKept = (await isOther(target, temporary)) && !isOurs(await readStart(target));
      if (isKept && isInOtherFolder) throw linksToOther(path, target);
      const isLink = target !== join(await realFolderOf(resolve(path)), basename(path));
      const backup = isKept ? backupPath(isLink ? target : path) : undefined;
      if (backup !== undefined) await rename(target, backup);
      await rename(temporary, target);
      return backup === undefined ? {} : { backup };
    });
  } catch (error) {
    // An error of the source of the pieces, not of this file.
    if (error instanceof CliError || (error as Error).name === 'AbortError') throw error;
    throw notWritable(path, error);
  }
}

async function writeToOutput(output: Shell['stdout'], pieces: Pieces): Promise<WholeFile> {
  const write = (bytes: Uint8Array) =>
    new Promise<void>((done, fail) => output.write(bytes, (error) => (error ? fail(error) : done())));
  return { isWritten: (await writePieces(pieces, write)) > 0 };
}

async function writeToDevice(
  device: Extract<Destination, { kind: 'device' }>,
  pieces: Pieces,
): Promise<WholeFile> {
  let handle: FileHandle | undefined;
  try {
    await writePieces(pieces, async (bytes) => {
      handle ??= await openDevice(device);
      await handle.writeFile(bytes);
    });
    return { isWritten: handle !== undefined };
  } finally {
    await handle?.close();
  }
}

async function openDevice({ path, isPipe }: Extract<Destination, { kind: 'device' }>): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOCTTY ?? 0);
  if (!isPipe) return open(path, flags);
  // Without a reader the second call would wait for one.
  const probe = await open(path, flags | (constants.O_NONBLOCK ?? 0)).catch((error) => {
    throw error.code === 'ENXIO' ? Object.assign(new Error(), { code: 'EPIPE' }) : error;
  });
  try {
    return await open(path, flags);
  } finally {
    await probe.close();
  }
}

const bufferLength = 64 * 1024;

/** Returns the number of bytes. */
async function writePieces(
  pieces: Pieces,
  writeBytes: (bytes: Uint8Array) => Promise<void>,
): Promise<number> {
  let bytes = 0;
  let pending = '';
  // One buffer for all writes: a million lines would otherwise leave garbage as large as the file.
  const scratch = Buffer.allocUnsafe(4 * bufferLength);
  const write = async () => {
    const isFitting = Buffer.byteLength(pending) <= scratch.length;
    const buffer = isFitting ? scratch.subarray(0, scratch.write(pending)) : Buffer.from(pending);
    pending = '';
    await writeBytes(buffer);
    bytes += buffer.length;
  };
  for await (const piece of typeof pieces === 'string' ? [pieces] : pieces) {
    pending += piece;
    if (pending.length > bufferLength) await write();
  }
  if (pending !== '') await write();
  return bytes;
}

async function throughTemporaryFile(
  target: string,
  pieces: Pieces,
  finish: (temporary: string) => Promise<Pick<WholeFile, 'backup'>>,
): Promise<WholeFile> {
  const temporary = temporaryBeside(target);
  let handle: FileHandle | undefined;
  try {
    const bytes = await writePieces(pieces, async (buffer) => {
      handle ??= await open(temporary, 'wx', 0o600);
      await handle.writeFile(buffer);
    });
    if (handle === undefined) return { isWritten: false };
    await handle.sync();
    if ((await handle.stat()).size !== bytes) throw Object.assign(new Error(), { code: 'ENOSPC' });
    // Windows does not rename an open file.
    await handle.close();
    return { isWritten: true, ...(await finish(temporary)) };
  } catch (error) {
    await handle?.close();
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Whether there is a file with other content. A folder or a device is an error of the system. */
async function isOther(path: string, other: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return false;
  checkIsFile(found);
  if (found.size === 0) return false;
  if (found.size !== (await stat(other)).size) return true;
  const others = createReadStream(other)[Symbol.asyncIterator]();
  for await (const chunk of createReadStream(path)) {
    const { value } = await others.next();
    if (!(chunk as Buffer).equals(value as Buffer)) return true;
  }
  return false;
}

const startLength = 1024;

/** The first characters of a file. */
async function readStart(path: string): Promise<string> {
  const bytes = await buffer(createReadStream(path, { end: startLength - 1 }));
  return bytes.toString();
}

/** Whether two paths lead to one file or folder, or would: by links, by another form of the path, or in another case. A device is none. */
export async function isSameFile(path: string, other: string): Promise<boolean> {
  const statOf = (each: string) => stat(each, { bigint: true }).catch(() => undefined);
  const [found, others] = await Promise.all([path, other].map(statOf));
  if (found !== undefined && others !== undefined) {
    const isStored = found.isFile() || found.isDirectory();
    return isStored && found.dev === others.dev && found.ino === others.ino;
  }
  if (found !== undefined || others !== undefined) return false;
  const [place, otherPlace] = await Promise.all([path, other].map((each) => placeOf(each)));
  return place === otherPlace;
}

/** Without the case of the name, to which many file systems pay no attention. */
async function placeOf(path: string): Promise<string> {
  const target = await followLinks(path).catch(() => resolve(path));
  return join(dirname(target), basename(target).normalize().toLowerCase());
}
