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
    const sentence = findDistrustOf(path);
    if (sentence !== undefined && !isReadOnly(path)) warn(sentence);
  };
  return { path, check, warn };
}

/** Who else could change a directory, and the fix, in sentences. Undefined also for one that cannot be opened: opening a file in it reports that. */
export function findDistrustOf(directory: string): string | undefined {
  const found = statOf(directory);
  if (found === undefined || findDistrust(found) === undefined) return undefined;
  const { uid } = found;
  if (uid !== currentUser() && uid !== 0)
    return `${directory} belongs to another user (${uid}), who could replace the files in it. ${elsewhere}`;
  const fix =
    uid === currentUser()
      ? `Run: chmod 700 ${directory}`
      : 'Set MERCHANT_ORDERS_CONFIG_DIR to a new directory inside it.';
  return `other users can write to ${directory} and could replace the files in it. ${fix}`;
}

const elsewhere = 'Set MERCHANT_ORDERS_CONFIG_DIR to a directory of your own.';

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
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
    checkFile(path, { file: found, entry, review: 'Check what it contains. Then run' }, refuse);
    if (found.size > maxConfigurationBytes) {
      throw refuse('it is larger than 1 MiB', 'Move it away, and store again what was in it.');
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
  checkFile(path, { file: entry, entry, review: 'Run' }, refuse);
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

interface Checked {
  file: Stats;
  /** The link when the file is reached through one. */
  entry: Stats;
  /** What to do with a file of the user's own before its rights are changed, up to the command. */
  review: string;
}

function checkFile(
  path: string,
  { file, entry, review }: Checked,
  refuse: ReturnType<typeof refusalOf>,
): void {
  if (!file.isFile()) throw refuse('it is not a regular file', 'Move it away.');
  // The mode of a link says nothing.
  const reason = findDistrust(file) ?? findDistrust({ uid: entry.uid, mode: 0 });
  if (reason === undefined) return;
  const isForeign = [file, entry].some(({ uid }) => uid !== currentUser() && uid !== 0);
  if (isForeign)
    throw refuse(
      reason,
      'Run the command as that user, or set MERCHANT_ORDERS_CONFIG_DIR to a directory of your own.',
    );
  throw refuse(reason, file.uid === currentUser() ? `${review}: chmod 600 ${path}` : elsewhere);
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

/** On a read-only file system no user can write, even if the modes allow it. */
function isReadOnly(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}
