import { t } from '../../../advice/advice.ts';
import { cleanCell } from '../../../clean-text.ts';
import type { Context } from '../../../context.ts';
import { CliError } from '../../../errors.ts';
import { columnsNamed, createHeader, noColumn } from '../../../import/columns/header.ts';
import { givenMapping } from '../../../import/mapping/draft/write-mapping.ts';
import { entryOf, listIn } from '../../../import/mapping/entries.ts';
import type { MappingFile } from '../../../import/mapping/language.ts';
import type { Plan } from '../../../import/orders/plan-import.ts';
import type { Table } from '../../../import/read/read-table.ts';
import { remember, type ToRemember } from '../../../mappings/remembered-mappings.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../orders/json.ts';
import { wrapText } from '../../../output/wrapped-text.ts';
import { type MappingSource, mapFileFor, writeMappingFile } from '../draft.ts';

interface Kept extends Pick<ToRemember, 'file' | 'mapping'> {
  /** The text of the mapping file that these answers go on with, and may replace. */
  earlier?: string | undefined;
}

/**
 * Whether to go on with the answers of an earlier dialogue about this file: those about columns that it still has, and the
 * text of the mapping file that has them. Error: PromptLeft.
 */
export async function askKeptAnswers(
  { print, prompts, say, system }: Context,
  { file, table, options }: Pick<MappingSource, 'table' | 'options'> & { file: string },
): Promise<{ answers: JsonObject; earlier: string } | undefined> {
  const path = mapFileFor(file);
  const { parseMappingFile } = await import('../../../import/mapping/mapping-file.ts');
  let earlier: string;
  let map: MappingFile;
  try {
    earlier = await system.files.readText(path, system.interruption.stopping);
    map = parseMappingFile(earlier, path);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return undefined;
  }
  const { ignoreColumn } = options;
  const { answers, lost } = answersAbout(table, givenMapping(table, { map, ignoreColumn }));
  const { ignore: _, read: __, ...rules } = answers;
  if (Object.keys(rules).length === 0) return undefined;
  const width = system.terminal.width - 4;
  const question = t`${cleanCell(path)} has answers about this file. Continue with them?`;
  const chosen = await prompts?.choose(wrapText(say(question), width).join('\n  '), [
    { value: 'continue', name: t`continue with them` },
    { value: 'anew', name: t`answer all questions anew` },
  ]);
  if (chosen !== 'continue') return undefined;
  const gone = lost.map((name) => `"${cleanCell(name)}"`).join(', ');
  const text = t`The answers about ${gone} do not count any more: this file has no such column.`;
  if (lost.length > 0) print.note(wrapText(say(text), width).join('\n'));
  return { answers, earlier };
}

/** The answers without those about columns that are gone, which are named. */
function answersAbout(
  { header: row }: Pick<Table, 'header'>,
  { columns, values, amount_due: due, amount_paid: paid, lines, ignore, ...others }: JsonObject,
): { answers: JsonObject; lost: string[] } {
  const header = createHeader(row);
  const isThere = (name: Json) =>
    typeof name !== 'string' || name === noColumn || columnsNamed(header, name).length > 0;
  const lost = new Set<string>();
  const keeps = (entry: Json) => {
    const { from = [], minus = [] } = entryOf(entry);
    const gone = [from, minus].flat().filter((name): name is string => !isThere(name));
    for (const name of gone) lost.add(name);
    return gone.length === 0;
  };
  const entriesOf = (object: Json = {}, isKept: (entry: [string, Json]) => boolean): JsonObject =>
    Object.fromEntries(Object.entries(isJsonObject(object) ? object : {}).filter(isKept));
  const kept: JsonObject = {
    columns: entriesOf(columns, ([, entry]) => keeps(entry)),
    values: entriesOf(values, ([name]) => keeps(name)),
    ...entriesOf(
      { ...(due && { amount_due: due }), ...(paid && { amount_paid: paid }), ...(lines && { lines }) },
      ([, entry]) => keeps(entry),
    ),
    ignore: listIn({ ignore: ignore ?? [] }, 'ignore').filter(isThere),
  };
  const isEmpty = (value: Json) =>
    Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
  return { answers: { ...others, ...entriesOf(kept, ([, value]) => !isEmpty(value)) }, lost: [...lost] };
}

/** Writes it beside the file, and remembers it for the same columns. */
export async function keepMapping(context: Context, kept: ToRemember & Kept): Promise<void> {
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

/** Keeps answers that are not enough for an import; `isAskedAgain` when its next one asks whether to go on with them. */
export async function keepUnfinished(context: Context, kept: Kept, isAskedAgain: boolean): Promise<void> {
  const { print, say, system } = context;
  const path = await keepInFile(context, kept);
  if (path === undefined) return;
  const text = isAskedAgain
    ? t`These answers are not enough to import the file. They are kept in ${path}. Import the file again to continue with them.`
    : t`These answers are not enough to import the file. They are kept in ${path}. To continue from there, add --map ${path}.`;
  print.note(wrapText(say(text), system.terminal.width - 1).join('\n'));
}

/** Returns the path; undefined when the folder cannot be written. */
async function keepInFile(context: Context, { file, mapping, earlier }: Kept): Promise<string | undefined> {
  const path = mapFileFor(file);
  try {
    await writeMappingFile(context, path, JSON.stringify(mapping, null, 2), earlier);
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
