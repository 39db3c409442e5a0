import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { command, type Text, t } from '../advice/advice.ts';
import { cleanCell, shorten } from '../clean-text.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { readPaths } from '../fields/field-paths.ts';
import type { PlanFlags } from '../import/choices.ts';
import { columnsNamed, createHeader, foldHeader } from '../import/columns/header.ts';
import type { MappingFile } from '../import/mapping/language.ts';
import { withMapping } from '../import/mapping/shops/presets.ts';
import type { PlanOptions, RememberedValues } from '../import/orders/plan.ts';
import type { FoldedProblem } from '../import/problem.ts';
import {
  type CsvSource,
  type ReadingFlags,
  type ReadingOptions,
  ReadingQuestion,
  type Row,
  readTable,
  type Table,
} from '../import/read/read-table.ts';
import { readingFlags } from '../import/read/settings.ts';
import { member, writeJson } from '../orders/json.ts';
import { wrapText } from '../output/wrapped-text.ts';
import { earlierReadings, findRemembered, markUsed, type Remembered } from './remembered-mappings.ts';

/** The flags that say how a file is read. */
export interface MappingFlags extends PlanFlags, ReadingFlags {
  map?: string | undefined;
  dryRun?: boolean | undefined;
}

export interface ChosenMapping {
  map?: MappingFile | undefined;
  /** Without the columns that flags decide about. */
  remembered?: RememberedValues & Pick<Remembered, 'missingColumns'>;
  asked?: MappingFile | undefined;
}

/** `optionsWith` has what the orders are planned by. Errors: those of reading, `configuration_invalid`. */
export async function readMapped(
  context: Context,
  source: CsvSource,
  flags: MappingFlags,
  given?: MappingFile['quote'],
): Promise<{ table: Table; chosen: ChosenMapping; optionsWith(map?: MappingFile): PlanOptions }> {
  const { stopping } = context.interruption;
  const map = flags.map === undefined ? undefined : await readMappingFile(context, flags.map);
  const reading = { ...flags, quote: map?.quote ?? given };
  const read = (more: Pick<ReadingOptions, 'settings' | 'isKnown'>) =>
    readTable(source, reading, { forOrders: true, stopping, ...more });
  const table =
    flags.map === undefined
      ? await readAsBefore(context, read)
      : await read(map?.read === undefined ? {} : { settings: readingFlags(map.read) });
  const chosen: ChosenMapping =
    flags.map === undefined
      ? await chooseRemembered(context, flags, { header: table.header, file: source.name })
      : { map };
  const fieldPaths = await readPaths(context);
  const optionsWith = (map = chosen.map): PlanOptions => ({
    ...withMapping(flags, map),
    remembered: seenFor(chosen, map),
    fileName: basename(source.name),
    today: context.clock.today(),
    fieldPaths,
    stopping: context.interruption.stopping,
    openSpill: source.openSpill,
    // A dry run reads them for ndjson, and to compare them with earlier imports.
    keepsOrders: !flags.dryRun || context.report.showsOutcomes || context.hasLedger(),
  });
  return { table, chosen, optionsWith };
}

/**
 * A file that cannot be read without being asked about, or with a header that no mapping is remembered for, may be like
 * one of a remembered mapping: then it is read as that one was. Errors: those of reading, `configuration_invalid`.
 */
async function readAsBefore(
  context: Context,
  read: (more: Pick<ReadingOptions, 'settings' | 'isKnown'>) => Promise<Table>,
): Promise<Table> {
  const tryReading = async (settings: ReadingFlags = {}) => {
    try {
      const isKnown = async (header: Row) => (await findRemembered(context, header)) !== undefined;
      const table = await read({ settings, isKnown });
      return { table, mapping: (await findRemembered(context, table.header))?.mapping };
    } catch (error) {
      if (error instanceof CliError) return error;
      throw error;
    }
  };
  const first = await tryReading();
  if (!(first instanceof CliError) && first.mapping !== undefined) {
    // A header in English says nothing about the encoding of the rows.
    const isOfOther = member(first.mapping.read, 'encoding') !== undefined;
    if (!isOfOther || (await isReadable(first.table))) return first.table;
  }
  for (const settings of await earlierReadings(context)) {
    const other = await tryReading(readingFlags(settings));
    if (!(other instanceof CliError) && isDeepStrictEqual(other.mapping?.read, settings)) return other.table;
  }
  if (first instanceof CliError) throw first;
  return first.table;
}

async function isReadable(table: Table): Promise<boolean> {
  try {
    for await (const _ of table.batches());
    return true;
  } catch (error) {
    if (error instanceof CliError) return false;
    throw error;
  }
}

export function isQuoteError(error: unknown): boolean {
  return error instanceof CliError && error.details.mappingKeys?.quote === 'none';
}

async function readMappingFile({ system }: Context, path: string): Promise<MappingFile | undefined> {
  if (path === 'none') return undefined;
  const { parseMappingFile } = await loadMappingFile();
  return parseMappingFile(await system.files.readText(path, system.interruption.stopping), path);
}

async function chooseRemembered(
  context: Context,
  flags: Pick<MappingFlags, 'mapColumn' | 'ignoreColumn' | 'dryRun'>,
  of: { header: Row; file: string },
): Promise<ChosenMapping> {
  const found = await findRemembered(context, of.header, of.file);
  if (found === undefined) return {};
  const { name, newColumns, missingColumns, lacksPrefix } = found;
  const header = createHeader(of.header);
  const map = await readRemembered(found);
  const named = [...(flags.mapColumn ?? []).map((flag) => flag.header), ...(flags.ignoreColumn ?? [])];
  const decided = new Set(named.map(foldHeader));
  const isOpen = (column: string) => !decided.has(foldHeader(column)) && !decided.has(foldName(column));
  if (!flags.dryRun) await noteUse(context, name);
  return {
    map: withIgnored(map, (column) => columnsNamed(header, column).length > 0),
    remembered: {
      name,
      seen: Object.fromEntries(Object.entries(found.seen).filter(([column]) => isOpen(column))),
      newColumns: newColumns.filter(isOpen),
      missingColumns,
      lacksPrefix,
    },
  };
}

// zod takes long to load, and most imports have no mapping.
const loadMappingFile = () => import('../import/mapping/mapping-file.ts');

async function readRemembered({ name, mapping }: Remembered): Promise<MappingFile> {
  const { parseMappingFile } = await loadMappingFile();
  try {
    return parseMappingFile(writeJson(mapping), `the remembered mapping ${name}`);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError(error.code, error.sentence, {
      hint: t`Another version may have written it. Forget it with: ${command('mappings', 'remove', name)}\nTo import without it, add --map none.`,
    });
  }
}

/** For the questions at a terminal: a column with a new value is asked about, not ignored. */
export function withoutNewValues(
  { map, remembered }: ChosenMapping,
  problems: readonly FoldedProblem[],
): MappingFile | undefined {
  if (map === undefined || remembered === undefined) return map;
  const changed = problems.flatMap(({ first: { code, header = '' } }) =>
    code === 'value_unknown' ? [foldHeader(header)] : [],
  );
  return withIgnored(map, (column) => !changed.includes(foldHeader(column)));
}

function withIgnored(map: MappingFile, isKept: (column: string) => boolean): MappingFile {
  return { ...map, ignore: map.ignore.filter(isKept), ignore_anyway: map.ignore_anyway.filter(isKept) };
}

/** What was remembered holds for the new mapping too, except for the columns that it lists or ignores. */
function seenFor(
  { map, asked, remembered }: ChosenMapping,
  other: MappingFile | undefined,
): RememberedValues | undefined {
  if (remembered === undefined || other === map) return remembered;
  const ignoredIn = (mapping: MappingFile | undefined) =>
    [...(mapping?.ignore ?? []), ...(mapping?.ignore_anyway ?? [])].map(foldHeader);
  const before = new Set(ignoredIn(asked));
  const ignored = ignoredIn(other).filter((column) => !before.has(column));
  const answered = new Set([...Object.keys(other?.values ?? {}).map(foldHeader), ...ignored]);
  const seen = Object.entries(remembered.seen).filter(([column]) => !answered.has(foldHeader(column)));
  return { ...remembered, seen: Object.fromEntries(seen) };
}

/** `City#2` → the folded `City`. */
function foldName(column: string): string {
  return foldHeader(column.replace(/#\d{1,3}$/, ''));
}

/** The configuration may be read-only. */
async function noteUse(context: Context, name: string): Promise<void> {
  try {
    await markUsed(context, name);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
  }
}

export function rememberedNotes(remembered: ChosenMapping['remembered']): Text[] {
  if (remembered === undefined) return [];
  const { name, missingColumns } = remembered;
  const gone = missingColumns.map((column) => `"${column}"`).join(', ');
  return [
    t`Read with the remembered mapping ${cleanCell(name)}. To read it without one, add --map none.`,
    ...(gone === '' ? [] : [t`This file lacks ${cleanCell(gone)}, which earlier files had.`]),
  ];
}

/** The prompt draws this much before the text. */
const margin = 4;

/** Reads a file. At a terminal, asks what only a person knows about how it is read. Errors: those of `read`. */
export async function readAsking<Result>(
  { prompts, say, settings, system }: Pick<Context, 'prompts' | 'say' | 'settings' | 'system'>,
  read: (answers: ReadingFlags) => Promise<Result>,
): Promise<Result> {
  let answers: ReadingFlags = {};
  for (;;) {
    try {
      return await read(answers);
    } catch (error) {
      if (prompts === undefined || settings.yes || !(error instanceof ReadingQuestion)) throw error;
      answers = { ...answers, ...(await askReading({ prompts, say, system }, error)) };
    }
  }
}

async function askReading(
  { prompts, say, system }: Pick<Context, 'say' | 'system'> & { prompts: NonNullable<Context['prompts']> },
  { question, choices }: ReadingQuestion,
): Promise<ReadingFlags> {
  const room = Math.max(20, system.terminal.width - margin);
  const shown = choices.map(({ value, name }) => ({ value, name: shorten(cleanCell(say(name)), room) }));
  const chosen = await prompts.choose(wrapText(cleanCell(say(question)), room).join('\n  '), shown);
  return choices.find(({ value }) => value === chosen)?.flags ?? {};
}
