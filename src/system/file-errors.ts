import type { BigIntStats, Stats } from 'node:fs';
import process from 'node:process';
import { again, type Text, t } from '../advice/advice.ts';
import { CliError } from '../errors.ts';

export function notReadable(path: string, error: unknown): CliError {
  return new CliError(
    'file_not_readable',
    t`${path} cannot be read: ${reasonOf(error, t`it does not exist`, t`it is a device or a socket`)}.`,
    { hint: t`Check the name and that you may open it.`, cause: error },
  );
}

export function notWritable(
  path: string,
  error: unknown,
  hint: Text = isHeld(error)
    ? t`Close it there and run the same command again, or name another file.${again()}`
    : t`Close it in other programs, check the folder and the free space, or name another file.`,
): CliError {
  return new CliError(
    'file_not_writable',
    t`${path} cannot be written: ${reasonOf(error, t`its folder does not exist`)}.`,
    { hint, cause: error },
  );
}

/** Of a file that was to be written. */
export function changedMeanwhile(name: string): CliError {
  return new CliError(
    'file_changed',
    t`${name} was written, changed or removed by another program after this one had looked at it. It is left as it is, and nothing was sent.`,
    {
      hint: t`Run the same command again: it goes on from what is there now.${again()}`,
    },
  );
}

export function stampIn({ dev, ino, size, mtimeNs }: BigIntStats): { bytes: number; stamp: string } {
  return { bytes: Number(size), stamp: [dev, ino, size, mtimeNs].join(' ') };
}

/** Throws the system's own codes, EISDIR or ENXIO, for anything that is not a file. */
export function checkIsFile(found: Stats): void {
  if (!found.isFile()) throw Object.assign(new Error(), { code: found.isDirectory() ? 'EISDIR' : 'ENXIO' });
}

/** What Windows says of a file that another program has open and does not share, as Excel does. */
const heldReasons: Record<string, Text> =
  process.platform === 'win32'
    ? {
        EBUSY: t`it is open in another program, such as Excel`,
        EPERM: t`it is open in another program, such as Excel, or it is protected from changes`,
      }
    : {};

function isHeld(error: unknown): boolean {
  return Object.hasOwn(heldReasons, (error as NodeJS.ErrnoException).code ?? '');
}

const denied = t`permission denied`;
const noFile = t`it is not a file but a pipe, a device or a socket`;

export function reasonOf(error: unknown, whenMissing: Text, whenNoFile: Text = noFile): Text {
  const reasons: Record<string, Text> = {
    ENOENT: whenMissing,
    EACCES: denied,
    EPERM: denied,
    EROFS: t`the file system is read-only`,
    EISDIR: t`it is a folder`,
    ENXIO: whenNoFile,
    ELOOP: t`it is a link to itself`,
    ENAMETOOLONG: t`its name is too long`,
    ENOTDIR: t`its folder is not a folder`,
    ENOSPC: t`the disk is full`,
    EDQUOT: t`the disk quota is used up`,
    EFBIG: t`the file would be larger than the system allows`,
    EBUSY: t`another program has it open`,
    EEXIST: t`a file has the name of its folder`,
    EPIPE: t`nothing reads what is written to it`,
    EMFILE: t`this process may not open any more files (see ulimit -n)`,
    ENFILE: t`the system cannot open any more files`,
    ...heldReasons,
  };
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return reasons[code] ?? (code || String(error));
}
