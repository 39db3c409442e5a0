import { CliError } from '../errors.ts';

export function notReadable(path: string, error: unknown): CliError {
  return new CliError('file_not_readable', `${path} cannot be read: ${reason(error, 'it does not exist')}.`, {
    hint: 'Check the name and that you may open it.',
    cause: error,
  });
}

export function notWritable(path: string, error: unknown): CliError {
  return new CliError(
    'file_not_writable',
    `${path} cannot be written: ${reason(error, 'its folder does not exist')}.`,
    {
      hint: 'Close it in other programs, check the folder and the free space, or name another file.',
      cause: error,
    },
  );
}

function reason(error: unknown, whenMissing: string): string {
  const reasons: Record<string, string> = {
    ENOENT: whenMissing,
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    EISDIR: 'it is a folder',
    ENOTDIR: 'its folder is not a folder',
    ENOSPC: 'the disk is full',
    EBUSY: 'another program has it open',
  };
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return reasons[code] ?? (code || String(error));
}
