import { join } from 'node:path';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { Shard } from '../../import/choices.ts';
import { fileBeside, findOverwritten, type ImportFiles } from '../../import/results/paths.ts';
import type { Replacing } from '../../system/files.ts';

/** Each shard has its own files. */
export function filesOf(file: string, flags: Partial<ImportFiles> & { shard?: Shard }): ImportFiles {
  return {
    results: flags.results ?? fileBeside(file, 'results', flags.shard),
    rejects: flags.rejects ?? fileBeside(file, 'rejects', flags.shard),
  };
}

/** Checks that neither file is one that is read, one of the configuration directory, or the other one. Error: `usage`. */
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
  return new CliError('usage', `The ${what} would overwrite ${path}. Nothing was sent.`, {
    hint: `Choose another name with --${what}.`,
    outcome: 'not_sent',
  });
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
 * Writes a file or, when that fails, writes it to the configuration directory instead, under a name with the run. Returns
 * the path; undefined when the file is not wanted. A previous file that is not ours is kept under a name with the run, and that is said.
 */
export async function writeSomewhere(
  { what, path }: { what: keyof ImportFiles; path: string },
  pieces: Pieces,
  { system, print }: Context,
  { run, ...replacing }: Omit<Replacing, 'backupPath'> & { run: string },
): Promise<string | undefined> {
  const write = async (target: string) => {
    const { isWritten, backup } = await system.files.writeWhole(target, pieces(), {
      ...replacing,
      backupPath: (before) => before.replace(/(\.csv)?$/, `.before-${run}$1`),
    });
    if (backup !== undefined) print.note(cleanCell(`The earlier ${target} is kept as ${backup}.`));
    return isWritten ? target : undefined;
  };
  try {
    return await write(path);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'file_not_writable') throw error;
    if (system.configDirectory === undefined) throw error;
    const fallback = join(system.configDirectory, `${run}.${what}.csv`);
    system.files.makePrivateDirectory(system.configDirectory);
    const written = await write(fallback);
    print.note(cleanCell(`${error.message} It was written to ${fallback} instead.`));
    return written;
  }
}
