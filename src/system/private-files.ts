import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type Stats,
  statSync,
} from 'node:fs';
import process from 'node:process';
import { CliError } from '../errors.ts';

/** The configuration directory, and where warnings about it go. */
export interface PrivateDirectory {
  path: string;
  /** Warns, once, of others who can write to the directory. */
  check(): void;
  warn(sentence: string): void;
}

export function createPrivateDirectory(path: string, warn: (sentence: string) => void): PrivateDirectory {
  let isChecked = false;
  const check = () => {
    if (isChecked) return;
    isChecked = true;
    const reason = findDistrustOf(path);
    if (reason === undefined || isReadOnly(path)) return;
    warn(
      `the configuration directory ${path} is not safe: ${reason}, and could replace the key. ` +
        `Use one of your own: chmod 700 it, or set MERCHANT_ORDERS_CONFIG_DIR to a new directory inside it.`,
    );
  };
  return { path, check, warn };
}

/** Undefined also for a directory that cannot be opened: whoever opens a file in it reports that. */
function findDistrustOf(directory: string): string | undefined {
  try {
    return findDistrust(statSync(directory));
  } catch {
    return undefined;
  }
}

/** Undefined on Windows, which keeps rights elsewhere. */
const currentUser = () => process.geteuid?.();

/** Who else can change it, as a part of a sentence; undefined for the user and root alone. */
export function findDistrust(
  { uid, mode }: Pick<Stats, 'uid' | 'mode'>,
  user = currentUser(),
): string | undefined {
  if (user === undefined) return undefined;
  if (uid !== user && uid !== 0) return `it belongs to another user (${uid})`;
  return mode & 0o022 ? 'other users can write to it' : undefined;
}

const maxConfigurationBytes = 1024 * 1024;

/**
 * The text of a small private file, through a link too (mounted secrets are links); undefined when there is none.
 * A file of the user's own that others can read is made private. Error: `configuration_invalid`.
 */
export function readPrivateFile(path: string, warn: PrivateDirectory['warn']): string | undefined {
  const entry = entryAt(path);
  if (entry === undefined) return undefined;
  const refuse = refusalOf('configuration_invalid', path);
  // Opening a FIFO would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    checkFile(found, entry, refuse);
    if (found.size > maxConfigurationBytes) {
      throw refuse('it is larger than 1 MiB', 'Move it away and run: merchant-orders login');
    }
    if (!entry.isSymbolicLink() && makePrivate(path, found)) {
      warn(`other users could read ${path}; now only you can. If others use this machine, replace the key.`);
    }
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Checks a file before it is written, or created. Links are not followed. Error: `configuration_not_writable`. */
export function checkBeforeWriting(path: string): void {
  const entry = entryAt(path);
  if (entry === undefined) return;
  const refuse = refusalOf('configuration_not_writable', path);
  if (entry.isSymbolicLink()) {
    throw refuse(
      `it is a link to ${readlinkSync(path)}, and links are not written through`,
      'Put the file itself in its place, or set MERCHANT_ORDERS_CONFIG_DIR to another directory.',
    );
  }
  checkFile(entry, entry, refuse);
  makePrivate(path, entry);
}

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** `entry` is the link when the file is reached through one. */
function checkFile(file: Stats, entry: Stats, refuse: ReturnType<typeof refusalOf>): void {
  if (!file.isFile()) throw refuse('it is not a regular file', 'Move it away.');
  // The mode of a link says nothing.
  const reason = findDistrust(file) ?? findDistrust({ uid: entry.uid, mode: 0 });
  if (reason === undefined) return;
  throw refuse(reason, 'Check what it contains. Then make it yours with chown, and private with chmod 600.');
}

function refusalOf(code: 'configuration_invalid' | 'configuration_not_writable', path: string) {
  return (reason: string, hint: string) =>
    new CliError(code, `${path} is not used: ${reason}.`, { hint, outcome: 'not_sent' });
}

/** Returns whether others could read the file until now. What cannot be changed, such as a mounted secret, stays as it is. */
function makePrivate(path: string, { uid, mode }: Stats): boolean {
  if (uid !== currentUser() || (mode & 0o077) === 0) return false;
  try {
    chmodSync(path, mode & 0o600);
    return true;
  } catch {
    return false;
  }
}

/** Nobody can write to a read-only file system, whatever the modes say. */
function isReadOnly(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}
