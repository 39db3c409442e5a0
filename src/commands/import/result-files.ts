import { basename, join, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { Shard } from '../../import/orders/check-orders.ts';
import { fileBeside } from '../../import/results/rejects.ts';
import type { Replacing } from '../../system/files.ts';

/** The paths that an import writes to: beside its CSV, unless flags say otherwise. */
export interface ImportFiles {
  results: string;
  rejects: string;
}

/** Each shard has its own files. Error: `usage` when one file would overwrite another. */
export function filesOf(file: string, flags: Partial<ImportFiles> & { shard?: Shard }): ImportFiles {
  const results = flags.results ?? fileBeside(file, 'results', flags.shard);
  const rejects = flags.rejects ?? fileBeside(file, 'rejects', flags.shard);
  if (new Set([file, results, rejects].map((path) => resolve(path))).size < 3) {
    throw new CliError('usage', 'The CSV file, its results and its rejects would overwrite each other.', {
      hint: 'Choose different names for --results and --rejects.',
      outcome: 'not_sent',
    });
  }
  return { results, rejects };
}

/** Checks that both files can be written, before anything is sent. Error: `file_not_writable`. */
export async function checkFiles(
  { results, rejects }: ImportFiles,
  { files }: Context['system'],
): Promise<void> {
  await files.checkWritable(results);
  await files.checkWritable(rejects);
}

type Pieces = () => Iterable<string> | AsyncIterable<string>;

/**
 * Writes a file or, when that fails, writes it to the configuration directory instead. Returns the path.
 * With `replacing`, an earlier file is kept under another name, and nothing is written unless `isWanted`.
 */
export async function writeSomewhere(
  path: string,
  pieces: Pieces,
  context: Context,
): Promise<{ path: string }>;
export async function writeSomewhere(
  path: string,
  pieces: Pieces,
  context: Context,
  replacing: Replacing,
): Promise<{ path: string; kept?: string } | undefined>;
export async function writeSomewhere(
  path: string,
  pieces: Pieces,
  { system, print }: Context,
  replacing?: Replacing,
): Promise<{ path: string; kept?: string } | undefined> {
  const write = async (target: string) => {
    if (replacing === undefined) {
      await system.files.writeWhole(target, pieces());
      return { path: target };
    }
    const { isWritten, backup: kept } = await system.files.replaceWhole(target, pieces(), replacing);
    return isWritten ? { path: target, ...(kept === undefined ? {} : { kept }) } : undefined;
  };
  try {
    return await write(path);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'file_not_writable') throw error;
    const fallback = join(system.configDirectory, basename(path));
    await system.files.makePrivateDirectory(system.configDirectory);
    const written = await write(fallback);
    print.note(`${error.message} It was written to ${fallback} instead.`);
    return written;
  }
}
