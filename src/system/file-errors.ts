import type { Stats } from 'node:fs';
import process from 'node:process';
import { advice, again, type Text } from '../advice/advice.ts';
import { CliError } from '../errors.ts';

export function notReadable(path: string, error: unknown): CliError {
  return new CliError(
    'file_not_readable',
    `${path} cannot be read: ${reasonOf(error, 'it does not exist', 'it is a device or a socket')}.`,
    { hint: 'Check the name and that you may open it.', cause: error },
  );
}

export function notWritable(
  path: string,
  error: unknown,
  hint: Text = isHeld(error)
    ? advice`Close it there and run the same command again, or name another file.${again()}`
    : 'Close it in other programs, check the folder and the free space, or name another file.',
): CliError {
  return new CliError(
    'file_not_writable',
    `${path} cannot be written: ${reasonOf(error, 'its folder does not exist')}.`,
    { hint, cause: error },
  );
}

/** Throws the system's own codes, EISDIR or ENXIO, for anything that is not a file. */
export function checkIsFile(found: Stats): void {
  if (!found.isFile()) throw Object.assign(new Error(), { code: found.isDirectory() ? 'EISDIR' : 'ENXIO' });
}

/** What Windows says of a file that another program has open and does not share, as Excel does. */
const heldReasons: Record<string, string> =
  process.platform === 'win32'
    ? {
        EBUSY: 'it is open in another program, such as Excel',
        EPERM: 'it is open in another program, such as Excel, or it is protected from changes',
      }
    : {};

function isHeld(error: unknown): boolean {
  return Object.hasOwn(heldReasons, (error as NodeJS.ErrnoException).code ?? '');
}

const noFile = 'it is not a file but a pipe, a device or a socket';

export function reasonOf(error: unknown, whenMissing: string, whenNoFile = noFile): string {
  const reasons: Record<string, string> = {
    ENOENT: whenMissing,
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    EISDIR: 'it is a folder',
    ENXIO: whenNoFile,
    ELOOP: 'it is a link to itself',
    ENAMETOOLONG: 'its name is too long',
    ENOTDIR: 'its folder is not a folder',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EFBIG: 'the file would be larger than the system allows',
    EBUSY: 'another program has it open',
    EEXIST: 'a file has the name of its folder',
    EPIPE: 'nothing reads what is written to it',
    EMFILE: 'this process may not open any more files (see ulimit -n)',
    ENFILE: 'the system cannot open any more files',
    ...heldReasons,
  };
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return reasons[code] ?? (code || String(error));
}
