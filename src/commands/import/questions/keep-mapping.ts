import { t } from '../../../advice/advice.ts';
import { cleanCell } from '../../../clean-text.ts';
import type { Context } from '../../../context.ts';
import { CliError } from '../../../errors.ts';
import { givenMapping } from '../../../import/mapping/draft/write-mapping.ts';
import { listIn } from '../../../import/mapping/marks.ts';
import type { Plan } from '../../../import/orders/plan-import.ts';
import { remember, type ToRemember } from '../../../mappings/remembered-mappings.ts';
import type { JsonObject } from '../../../orders/json.ts';
import { wrapText } from '../../../output/wrapped-text.ts';
import { type MappingSource, mapFileFor, writeMappingFile } from '../draft.ts';

/** Writes it beside the file, and remembers it for the same columns. */
export async function keepMapping(context: Context, kept: ToRemember): Promise<void> {
  const { print, say, system } = context;
  const path = await keepInFile(context, kept);
  const name = await keepInProfile(context, kept);
  const text =
    name === undefined
      ? path && t`Your answers are in ${path}.`
      : path === undefined
        ? t`Your answers are remembered as "${name}" for files with these columns.`
        : t`Your answers are in ${path}, and are remembered as "${name}" for files with these columns.`;
  if (text === undefined) return;
  print.note(wrapText(say(text), system.terminal.width - 1).join('\n'));
}

/** Remembers the columns that `--ignore-rest` covered, so that the next file needs no flag. */
export async function keepIgnored(
  context: Context,
  { file, table, options }: MappingSource & { file: string },
  { ignoredRest, seen }: Pick<Plan, 'ignoredRest' | 'seen'>,
): Promise<void> {
  const { print, say, system } = context;
  const given = givenMapping(table, { map: options.map });
  const ignore = [...listIn(given, 'ignore'), ...ignoredRest];
  const { header } = table;
  const name = await keepInProfile(context, { file, header, mapping: { ...given, ignore }, seen });
  if (name === undefined) return;
  const text = t`Not read: ${ignoredRest.join(', ')}. This is remembered as "${name}" for files with these columns.`;
  print.note(wrapText(say(text), system.terminal.width - 1).join('\n'));
}

/** Keeps answers that are not enough for an import. */
export async function keepUnfinished(context: Context, file: string, mapping: JsonObject): Promise<void> {
  const { print, say, system } = context;
  const path = await keepInFile(context, { file, mapping });
  if (path === undefined) return;
  const text = t`These answers are not enough to import the file. They are kept in ${path}. To continue from there, add --map ${path}.`;
  print.note(wrapText(say(text), system.terminal.width - 1).join('\n'));
}

/** Returns the path; undefined when the folder cannot be written. */
async function keepInFile(
  context: Context,
  { file, mapping }: Pick<ToRemember, 'file' | 'mapping'>,
): Promise<string | undefined> {
  const path = mapFileFor(file);
  try {
    await writeMappingFile(context, path, JSON.stringify(mapping, null, 2));
    return path;
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'file_not_writable') throw error;
    context.print.note(t`${error.sentence} Your answers are not kept in a file.`);
    return undefined;
  }
}

/** Returns the name of the mapping; undefined when it cannot be stored. */
async function keepInProfile(context: Context, kept: ToRemember): Promise<string | undefined> {
  const { print } = context;
  try {
    const { name, removed } = await remember(context, kept);
    const gone = removed.map((other) => `"${other}"`).join(', ');
    if (removed.length > 0) print.note(t`No longer remembered, to make room: ${cleanCell(gone)}.`);
    return name;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    print.note(t`${error.sentence} Your answers are not remembered.`);
    return undefined;
  }
}
