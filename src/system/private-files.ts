import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  type Stats,
  statSync,
} from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import process from 'node:process';
import { advice, shellCommand, type Text, type Typed, t } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { notWritable, stampIn } from './file-errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `variable` names the parent directory; without it, it is `folder` in the home directory. On Windows a roaming one would
 * be copied to a server, and the ledger with it.
 */
const defaultFolders = {
  win32: { variable: 'LOCALAPPDATA', folder: 'AppData/Local', name: 'merchant-orders' },
  darwin: { variable: undefined, folder: 'Library/Preferences', name: 'merchant-orders' },
  other: { variable: 'XDG_CONFIG_HOME', folder: '.config', name: 'merchant-orders' },
} as const;

/** Undefined for a user without a home directory, as in a container with an arbitrary user ID. */
export function findConfigDirectory(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (env.MERCHANT_ORDERS_CONFIG_DIR) return env.MERCHANT_ORDERS_CONFIG_DIR;
  const { variable, folder, name } =
    platform === 'win32' || platform === 'darwin' ? defaultFolders[platform] : defaultFolders.other;
  const given = variable && env[variable];
  if (given && isAbsolute(given)) return join(given, name);
  const home = findHome();
  return home && join(home, folder, name);
}

/** HOME, else the user database. A relative HOME would depend on the working directory. */
function findHome(): string | undefined {
  for (const read of [homedir, () => userInfo().homedir]) {
    try {
      const home = read();
      if (isAbsolute(home)) return home;
    } catch {
      // The user has no entry.
    }
  }
  return undefined;
}

export const ownNames = {
  configuration: 'config.json',
  mappings: 'mappings.json',
  skus: 'skus.json',
  ledger: 'ledger.db',
  sandbox: 'sandbox.db',
  runs: 'runs',
} as const;

/** The language in the configuration; undefined also if it cannot be read, which is reported where the rest is needed. */
export function readStoredLanguage(directory: string | undefined): unknown {
  if (directory === undefined) return undefined;
  try {
    const path = join(directory, ownNames.configuration);
    const stats = statSync(path);
    // Opening a FIFO would block.
    if (!stats.isFile() || stats.size > maxConfigurationBytes) return undefined;
    return JSON.parse(readFileSync(path, 'utf8')).language;
  } catch {
    return undefined;
  }
}

/** Who else could change a directory, without a full stop, and what to do about it. */
interface Distrust {
  problem: Text;
  fix: Text;
}

export type PrivateDirectory = ReturnType<typeof createPrivateDirectory>;

export function createPrivateDirectory(path: string | undefined, warn: (sentence: Text) => void) {
  let isChecked = false;
  const check = () => {
    if (isChecked || path === undefined) return;
    isChecked = true;
    const distrust = findDistrustOf(path);
    if (distrust === undefined || isReadOnly(path)) return;
    warn(advice`${distrust.problem}. ${distrust.fix}`);
  };
  return { path, check, warn };
}

export const noDirectory = {
  message: t`There is no directory for the configuration: this user has no home directory.`,
  hint: t`Set HOME, or set MERCHANT_ORDERS_CONFIG_DIR to a directory that you can write to.`,
} as const;

/** Error: `configuration_invalid`. */
export function needDirectory(path: string | undefined): string {
  if (path !== undefined) return path;
  const { message, hint } = noDirectory;
  throw new CliError('configuration_invalid', message, { hint });
}

/** With its parents, mode 0700. Not `recursive` of Node.js, which never returns below /proc. Error: `file_not_writable`. */
export function makePrivateDirectory(path: string): void {
  try {
    createDirectory(path);
  } catch (error) {
    const hint = t`Set MERCHANT_ORDERS_CONFIG_DIR to a directory that you can write to.`;
    throw notWritable(path, error, hint);
  }
}

function createDirectory(path: string): void {
  const exists = () => statOf(path)?.isDirectory() === true;
  if (exists()) return;
  if (dirname(path) !== path) createDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
    chmodSync(path, 0o700);
  } catch (error) {
    if (!exists()) throw error;
  }
}

/** Undefined also for a directory that cannot be opened: opening a file in it will report that. */
export function findDistrustOf(directory: string): Distrust | undefined {
  const found = statOf(directory);
  if (found === undefined || findDistrust(found) === undefined) return undefined;
  const { uid } = found;
  if (uid !== currentUser() && uid !== 0)
    return {
      problem: t`${directory} belongs to another user (${uid}), who could replace the files in it`,
      fix: elsewhere,
    };
  const fix =
    uid === currentUser()
      ? t`Run: ${shellCommand(`chmod 700 ${directory}`)}`
      : t`Set MERCHANT_ORDERS_CONFIG_DIR to a new directory inside it.`;
  return { problem: t`other users can write to ${directory} and could replace the files in it`, fix };
}

const elsewhere = t`Set MERCHANT_ORDERS_CONFIG_DIR to a directory of your own.`;

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Undefined on Windows, where modes say nothing. */
const currentUser = () => process.geteuid?.();

export function findDistrust(
  { uid, mode }: Pick<Stats, 'uid' | 'mode'>,
  user = currentUser(),
): Text | undefined {
  if (user === undefined) return undefined;
  if (uid !== user && uid !== 0) return t`it belongs to another user (${uid})`;
  return mode & 0o022 ? t`other users can write to it` : undefined;
}

const maxConfigurationBytes = 1024 * 1024;

/** Follows links, because mounted secrets are links. Undefined without a file. Error: `configuration_invalid`. */
export function readPrivateFile(
  path: string,
  warn: PrivateDirectory['warn'],
): { text: string; stamp: string } | undefined {
  const entry = entryAt(path);
  if (entry === undefined) return undefined;
  const refuse = refusalOf('configuration_invalid', path);
  // Opening a FIFO would block.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    checkFile(
      path,
      { file: found, entry, review: (chmod) => t`Check what it contains. Then run: ${chmod}` },
      refuse,
    );
    if (found.size > maxConfigurationBytes) {
      throw refuse(t`it is larger than 1 MiB`, t`Move it away, and store again what was in it.`);
    }
    if (!entry.isSymbolicLink() && makePrivate(path, found)) {
      warn(t`other users could read ${path}; now only you can. If others use this machine, replace the key.`);
    }
    const { stamp } = stampIn(fstatSync(file, { bigint: true }));
    return { text: readFileSync(file, 'utf8'), stamp };
  } finally {
    closeSync(file);
  }
}

/** Links are not followed. Error: `configuration_not_writable`. */
export function checkBeforeWriting(path: string): void {
  const entry = entryAt(path);
  if (entry === undefined) return;
  const refuse = refusalOf('configuration_not_writable', path);
  if (entry.isSymbolicLink()) {
    throw refuse(
      t`it is a link to ${readlinkSync(path)}, and links are not written through`,
      t`Put the file itself in its place, or set MERCHANT_ORDERS_CONFIG_DIR to another directory.`,
    );
  }
  checkFile(path, { file: entry, entry, review: (chmod) => t`Run: ${chmod}` }, refuse);
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
  /** Of the path itself, which may be a link. */
  entry: Stats;
  review(chmod: Typed): Text;
}

function checkFile(
  path: string,
  { file, entry, review }: Checked,
  refuse: ReturnType<typeof refusalOf>,
): void {
  if (!file.isFile()) throw refuse(t`it is not a regular file`, t`Move it away.`);
  // The mode of a link means nothing.
  const reason = findDistrust(file) ?? findDistrust({ uid: entry.uid, mode: 0 });
  if (reason === undefined) return;
  const isForeign = [file, entry].some(({ uid }) => uid !== currentUser() && uid !== 0);
  if (isForeign)
    throw refuse(
      reason,
      t`Run the command as that user, or set MERCHANT_ORDERS_CONFIG_DIR to a directory of your own.`,
    );
  throw refuse(reason, file.uid === currentUser() ? review(shellCommand(`chmod 600 ${path}`)) : elsewhere);
}

function refusalOf(code: 'configuration_invalid' | 'configuration_not_writable', path: string) {
  return (reason: Text, hint: Text) => new CliError(code, t`${path} is not used: ${reason}.`, { hint });
}

/** Returns whether others could read the file until now. A mode that cannot be changed, as of a mounted secret, is left. */
function makePrivate(path: string, { uid, mode }: Stats): boolean {
  if (uid !== currentUser() || (mode & 0o077) === 0) return false;
  try {
    chmodSync(path, mode & 0o600);
    return true;
  } catch {
    return false;
  }
}

/** On a read-only file system no user can write, whatever the modes say. */
function isReadOnly(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}
