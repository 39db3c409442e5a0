import { join } from 'node:path';
import { advice, type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { fileBeside, findOverwritten, type ImportFiles, isResultsFile } from '../../import/results/files.ts';
import { writeWhole } from '../../whole-file.ts';
import type { ImportFlags } from './flags.ts';

/** Each shard has its own files. */
export function filesOf(file: string, flags: Pick<ImportFlags, keyof ImportFiles | 'shard'>): ImportFiles {
  return {
    results: flags.results ?? fileBeside(file, 'results', flags.shard),
    rejects: flags.rejects ?? fileBeside(file, 'rejects', flags.shard),
  };
}

/** Neither may be a file that is read, one of the configuration directory, or the other one. Error: `usage`. */
export async function checkNoOverwrite(
  { results, rejects }: ImportFiles,
  read: readonly string[],
  system: Context['system'],
): Promise<void> {
  for (const [what, path] of [
    ['results', results],
    ['rejects', rejects],
  ] as const) {
    const overwritten = await findOverwritten(path, read, system);
    if (overwritten !== undefined) throw wouldOverwrite(what, overwritten);
  }
  if (await system.files.isSameFile(rejects, results)) throw wouldOverwrite('rejects', results);
}

function wouldOverwrite(what: keyof ImportFiles, path: string): CliError {
  const [sentence, hint] =
    what === 'results'
      ? [t`The results would overwrite ${path}. Nothing was sent.`, t`Choose another name with --results.`]
      : [t`The rejects would overwrite ${path}. Nothing was sent.`, t`Choose another name with --rejects.`];
  return new CliError('usage', sentence, { hint });
}

const isOurs: Record<keyof ImportFiles, (start: string) => boolean> = {
  results: isResultsFile,
  // The user may have started to fix the rejects of an earlier run.
  rejects: () => false,
};

/**
 * Checks that both files can be written, before anything is sent. Returns the stamps of those that are there. Error:
 * `file_not_writable`.
 */
export async function checkFiles(
  { results, rejects }: ImportFiles,
  { files }: Context['system'],
): Promise<ImportFiles> {
  return {
    results: await files.checkWritable(results, isOurs.results),
    rejects: await files.checkWritable(rejects, isOurs.rejects),
  };
}

/** Neither when there was nothing to write. */
export interface WrittenFile {
  path?: string;
  /** Why it could not be written anywhere. */
  failure?: Text;
}

/**
 * Writes to the configuration directory when the file cannot be written, under a name with the run. A previous file
 * that is not ours, or was changed since it was seen, is renamed with the run, and a note says so.
 */
export async function writeSomewhere(
  { what, path, run, seen }: { what: keyof ImportFiles; path: string; run: string; seen?: string },
  pieces: () => Iterable<string> | AsyncIterable<string>,
  context: Context,
): Promise<WrittenFile> {
  const { system, print } = context;
  const write = async (target: string): Promise<WrittenFile> => {
    const replacing = { isOurs: isOurs[what], seen, mark: run };
    return (await writeWhole(context, target, pieces(), replacing)) ? { path: target } : {};
  };
  const first = await write(path).catch(toFailure);
  if (first.failure === undefined || system.configDirectory === undefined) return first;
  const folder = system.configDirectory;
  const fallback = join(folder, `${run}.${what}.csv`);
  const writeFallback = async () => {
    system.files.makePrivateDirectory(folder);
    return write(fallback);
  };
  const second = await writeFallback().catch(toFailure);
  if (second.failure !== undefined) return { failure: advice`${first.failure} ${second.failure}` };
  print.note(t`${first.failure} It was written to ${cleanCell(fallback)} instead.`);
  return second;
}

function toFailure(error: unknown): WrittenFile {
  if (!(error instanceof CliError) || error.code !== 'file_not_writable') throw error;
  return { failure: error.sentence };
}
