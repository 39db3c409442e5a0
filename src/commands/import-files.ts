import { basename, dirname, extname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import type { Source } from '../import/read/sealed-source.ts';
import type { Spill } from '../system/spill.ts';
import type { Replacing } from '../system/whole-file.ts';

/** Where an import writes, beside its CSV unless a flag says otherwise. */
export interface ImportFiles {
  results: string;
  rejects: string;
}

/** Error: `usage` when one of them would overwrite another. */
export function filesOf(file: string, flags: Partial<ImportFiles>): ImportFiles {
  const stem = file === '-' ? 'stdin' : join(dirname(file), basename(file, extname(file)));
  const results = flags.results ?? `${stem}.results.csv`;
  const rejects = flags.rejects ?? `${stem}.rejects.csv`;
  if (new Set([file, results, rejects].map((path) => resolve(path))).size < 3) {
    throw new CliError('usage', 'The file, its results and its rejects would overwrite each other.', {
      hint: 'Give --results and --rejects names of their own.',
      outcome: 'not_sent',
    });
  }
  return { results, rejects };
}

/** A CSV, and where its rows can be put aside for as long as it is read. */
export interface CsvSource extends Source {
  openSpill(): Spill;
}

/**
 * Hands the CSV to `use`, to be read as often as it likes; what can be read only once becomes a private file for
 * that long.
 */
export async function withSource<Result>(
  file: string,
  { stdin, files }: Context['system'],
  use: (source: CsvSource) => Promise<Result>,
): Promise<Result> {
  const isOnce = file === '-' || (await files.isPipe(file));
  const stream = () => (file === '-' ? stdin : Readable.from(files.readChunks(file)));
  const spooled = isOnce ? await files.spool(stream()) : undefined;
  const spills: Spill[] = [];
  const openSpill = () => {
    const spill = files.openSpill();
    spills.push(spill);
    return spill;
  };
  try {
    const path = spooled?.path ?? file;
    const name = file === '-' ? 'Standard input' : file;
    return await use({ name, open: () => files.readChunks(path), openSpill });
  } finally {
    for (const spill of spills) spill.remove();
    await spooled?.remove();
  }
}

/** Finds out before anything is sent that what comes of it can be written. Error: `file_not_writable`. */
export async function checkFiles(
  { results, rejects }: ImportFiles,
  { files }: Context['system'],
): Promise<void> {
  await files.checkWritable(results);
  await files.checkWritable(rejects);
}

type Pieces = () => Iterable<string> | AsyncIterable<string>;

/**
 * Writes a file where it belongs or, when that fails after all, into the configuration folder. Returns where.
 * With `replacing`, what was there before is kept under another name, and nothing is written that is not meant.
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
    const { isWritten, kept } = await system.files.replaceWhole(target, pieces(), replacing);
    return isWritten ? { path: target, ...(kept === undefined ? {} : { kept }) } : undefined;
  };
  try {
    return await write(path);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'file_not_writable') throw error;
    const refuge = join(system.configDirectory, basename(path));
    await system.files.makePrivateDirectory(system.configDirectory);
    const written = await write(refuge);
    print.note(`${error.message} It was written to ${refuge} instead.`);
    return written;
  }
}
