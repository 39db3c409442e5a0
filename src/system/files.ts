import { hash, randomUUID } from 'node:crypto';
import { constants, createReadStream, fstatSync, type Stats } from 'node:fs';
import {
  access,
  copyFile,
  type FileHandle,
  link,
  lstat,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../errors.ts';
import { changedMeanwhile, checkIsFile, notWritable } from './file-errors.ts';
import { openPipe, readChunks, readTextFile, readTextStream, spoolStream, stampOf } from './input.ts';
import { makePrivateDirectory, ownNames } from './private-files.ts';
import { databaseFiles } from './sqlite.ts';
import { openSpill } from './temporary-file.ts';

export type Files = typeof systemFiles;

export const systemFiles = {
  readText: readTextFile,
  readStream: readTextStream,
  readChunks,
  openPipe,
  stampOf,
  checkWritable,
  isSameFile,
  findOwnFile,
  writeWhole: writeWholeFile,
  openSpill: () => openSpill(),
  makePrivateDirectory,
  spool: spoolStream,
};

type Destination =
  | { kind: 'file'; path: string; found: Stats | undefined; isInOtherFolder: boolean }
  | { kind: 'output'; of: 'stdout' | 'stderr' }
  | { kind: 'device'; path: string; isPipe: boolean };

const systemFolder = /^\/(?:dev|proc)\/(?!shm\/)/;

/** System errors: EISDIR, ENXIO, ELOOP, EACCES, ENAMETOOLONG. */
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
  // A second descriptor of the same file has its own position, so each would overwrite the other.
  if (isOpenAs(1, found)) return { kind: 'output', of: 'stdout' };
  if (isOpenAs(2, found)) return { kind: 'output', of: 'stderr' };
  if (found.isDirectory() || found.isBlockDevice()) checkIsFile(found);
  if (!found.isFile() || isOfSystem) return { kind: 'device', path: target, isPipe: found.isFIFO() };
  const isInOtherFolder = dirname(target) !== (await realFolderOf(resolve(path)));
  return { kind: 'file', path: target, found, isInOtherFolder };
}

const maxLinks = 40;

/** Like `realpath`, but the last link may be dangling, and links of the system, such as /dev/stdout, are not followed. */
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
 * Checks what `writeWholeFile` will need, and leaves nothing behind. Returns the stamp of the file that is there. Error:
 * `file_not_writable`.
 */
export async function checkWritable(path: string, isOurs: (start: string) => boolean): Promise<string> {
  try {
    const destination = await findDestination(path);
    if (destination.kind === 'output') return '';
    if (destination.kind === 'device') {
      await access(destination.path, constants.W_OK);
      return '';
    }
    const { path: target, found, isInOtherFolder } = destination;
    const { stamp } = await stampOf(target);
    if (found === undefined) await access(dirname(target), constants.W_OK);
    // On Windows only opening it tells that another program, such as Excel, has it open.
    else await (await open(target, 'r+')).close();
    const isKept = found !== undefined && found.size > 0 && !isOurs(await readStart(target));
    if (isInOtherFolder && isKept) throw linksToOther(path, target);
    await removeLeftovers(dirname(target));
    const probe = temporaryBeside(target);
    await (await open(probe, 'w', 0o600)).close();
    await rm(probe, { force: true });
    return stamp;
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

function temporaryBeside(path: string, name: string = randomUUID()): string {
  return join(dirname(resolve(path)), `.merchant-orders-${name}.tmp`);
}

const leftover = /^\.merchant-orders-[0-9a-f-]{36}\.tmp$/;
const leftoverMilliseconds = 60 * 60 * 1000;

async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const path of names.filter((name) => leftover.test(name)).map((name) => join(folder, name))) {
    const found = await lstat(path).catch(() => undefined);
    const isOld = found !== undefined && Date.now() - found.mtimeMs > leftoverMilliseconds;
    if (isOld) await rm(path).catch(() => undefined);
  }
}

async function findOwnFile(path: string, configDirectory: string | undefined): Promise<string | undefined> {
  if (configDirectory === undefined) return undefined;
  const { configuration, mappings, skus, ledger, sandbox, runs } = ownNames;
  const databases = [ledger, sandbox].flatMap((name) => databaseFiles(join(configDirectory, name)));
  const stored = [configuration, mappings, skus].map((name) => join(configDirectory, name));
  for (const own of [...stored, ...databases]) {
    if (await isSameFile(path, own)) return own;
  }
  const folder = join(configDirectory, runs);
  return (await isSameFile(path, folder)) || (await isSameFile(dirname(path), folder)) ? folder : undefined;
}

type Pieces = string | Iterable<string> | AsyncIterable<string>;

interface WholeFile {
  isWritten: boolean;
  backup?: string;
}

interface Replacing {
  /**
   * Whether this program wrote the existing file, of which `start` is the beginning, so that it may be replaced. Without
   * it, the file that was seen is replaced, and no other one.
   */
  isOurs?: ((start: string) => boolean) | undefined;
  /** The stamp of the file when it was decided to write: one that was changed since is not replaced without a backup. */
  seen?: string | undefined;
  /** Stands in the name of a backup. */
  mark?: string | undefined;
  /** Written to when the path leads to what one of them is redirected to. */
  outputs: { stdout: Writable; stderr: Writable };
}

/**
 * Through a temporary file; writes nothing when there are no pieces. An existing file that has other content and is not
 * ours is kept as `backup`. Pipes and devices are written to directly. Errors: `file_not_writable`; `file_changed`,
 * without `isOurs`.
 */
export async function writeWholeFile(
  path: string,
  pieces: Pieces,
  { isOurs, seen, mark = randomUUID().slice(0, 8), outputs }: Replacing,
): Promise<WholeFile> {
  try {
    const destination = await findDestination(path);
    if (destination.kind === 'output') return await writeToOutput(outputs[destination.of], pieces);
    if (destination.kind === 'device') return await writeToDevice(destination, pieces);
    const { path: target, isInOtherFolder } = destination;
    const isLink = target !== join(await realFolderOf(resolve(path)), basename(path));
    return await throughTemporaryFile(target, pieces, (temporary) =>
      untilReplaced(async () => {
        const { stamp } = await stampOf(target);
        const isSeen = seen === undefined || seen === stamp;
        if (isOurs === undefined && !isSeen) throw changedMeanwhile(path);
        const isKept =
          isOurs !== undefined &&
          (await isOther(target, temporary)) &&
          !(isSeen && isOurs(await readStart(target)));
        if (isKept && isInOtherFolder) throw linksToOther(path, target);
        const backup = isKept ? backupOf(isLink ? target : path, mark) : undefined;
        const isReplaced = await replaceSeen(target, temporary, stamp, backup);
        return isReplaced ? (backup === undefined ? {} : { backup }) : undefined;
      }),
    );
  } catch (error) {
    if (error instanceof CliError || (error as Error).name === 'AbortError') throw error;
    throw notWritable(path, error);
  }
}

/** `orders.csv` → `orders.before-09467ad6.csv` */
function backupOf(path: string, mark: string): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}.before-${mark}${extension}`;
}

async function writeToOutput(output: Writable, pieces: Pieces): Promise<WholeFile> {
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
  // Without a reader, opening a pipe blocks unless it is non-blocking.
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

async function writePieces(
  pieces: Pieces,
  writeBytes: (bytes: Uint8Array) => Promise<void>,
): Promise<number> {
  let bytes = 0;
  let pending = '';
  // One buffer for all writes: otherwise a million lines leave garbage as large as the file.
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
    // Windows cannot rename an open file.
    await handle.close();
    return { isWritten: true, ...(await finish(temporary)) };
  } catch (error) {
    await handle?.close();
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

const heldCodes = ['EBUSY', 'EPERM', 'EACCES'];
const maxHeldMilliseconds = 2000;
const retryMilliseconds = 50;

/** Whether another program may have the file open, which only Windows minds. */
export function mayBeHeld(error: unknown): boolean {
  return heldCodes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Tries again while the file may be held, which is often only for a moment. Throws system errors. */
async function replaceFile(path: string, next: string): Promise<void> {
  for (const started = performance.now(); ; await delay(retryMilliseconds)) {
    try {
      return await rename(next, path);
    } catch (error) {
      if (!mayBeHeld(error) || performance.now() - started > maxHeldMilliseconds) throw error;
    }
  }
}

const maxClaimMilliseconds = 5_000;
const maxTriesMilliseconds = 2 * maxClaimMilliseconds;

/** Tries again while another process changes the file. System error: EBUSY. */
export async function untilReplaced<Result>(replace: () => Promise<Result | undefined>): Promise<Result> {
  for (const started = performance.now(); ; await delay(retryMilliseconds * Math.random())) {
    const result = await replace();
    if (result !== undefined) return result;
    if (performance.now() - started > maxTriesMilliseconds)
      throw Object.assign(new Error(), { code: 'EBUSY' });
  }
}

/**
 * Puts `next` in the place of the file that has the stamp `seen`, or of none, and no other one: of several processes that
 * have seen the same file one replaces it. Returns whether it did; `next` is left otherwise. Throws system errors.
 */
export async function replaceSeen(
  path: string,
  next: string,
  seen: string,
  backup?: string,
): Promise<boolean> {
  if (seen === '') {
    const isNew = await createFrom(next, path);
    if (isNew) await rm(next, { force: true });
    return isNew;
  }
  const claim = temporaryBeside(path, hash('sha256', seen).slice(0, 36));
  if (!(await takeClaim(claim))) return false;
  try {
    if ((await stampOf(path)).stamp !== seen) return false;
    if (backup !== undefined && !(await createFrom(path, backup)))
      throw Object.assign(new Error(), { code: 'EEXIST' });
    try {
      await replaceFile(path, next);
    } catch (error) {
      if (backup !== undefined) await rm(backup, { force: true });
      throw error;
    }
    return true;
  } finally {
    await rm(claim, { force: true });
  }
}

/** False when there is a file already. Not every file system has hard links, which create a file whole. */
async function createFrom(source: string, path: string): Promise<boolean> {
  const isThere = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EEXIST';
  try {
    await link(source, path).catch((error) => {
      if (isThere(error)) throw error;
      return copyFile(source, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (isThere(error)) return false;
    throw error;
  }
}

/** A claim to replace one version of a file. That of a killed process is removed. */
async function takeClaim(claim: string): Promise<boolean> {
  try {
    await (await open(claim, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const found = await lstat(claim).catch(() => undefined);
    const isLeft = found !== undefined && Date.now() - found.mtimeMs > maxClaimMilliseconds;
    if (isLeft) await rm(claim, { force: true });
    return false;
  }
}

/** System errors: EISDIR, ENXIO. */
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

const startLength = 64 * 1024;

async function readStart(path: string): Promise<string> {
  const bytes = await buffer(createReadStream(path, { end: startLength - 1 }));
  return bytes.toString();
}

/** Whether two paths lead, or would lead, to the same file or folder; never true for a device. */
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

/** In lower case, because many file systems ignore case. */
async function placeOf(path: string): Promise<string> {
  const target = await followLinks(path).catch(() => resolve(path));
  return join(dirname(target), basename(target).normalize().toLowerCase());
}
