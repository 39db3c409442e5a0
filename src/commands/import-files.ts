import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';

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

/** Hands the path of the CSV to `use`; standard input becomes a private temporary file for that long. */
export async function withCsvFile<Result>(
  file: string,
  { stdin, files }: Context['system'],
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  if (file !== '-') return use(file);
  const spooled = await files.spool(stdin);
  try {
    return await use(spooled.path);
  } finally {
    await spooled.remove();
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

/** Writes a file where it belongs or, when that fails after all, into the configuration folder. Returns where. */
export async function writeSomewhere(
  path: string,
  text: string,
  { system, print }: Context,
): Promise<string> {
  try {
    await system.files.writeWhole(path, text);
    return path;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const refuge = join(system.configDirectory, basename(path));
    await system.files.makePrivateDirectory(system.configDirectory);
    await system.files.writeWhole(refuge, text);
    print.note(`${error.message} It was written to ${refuge} instead.`);
    return refuge;
  }
}
