import { completeCommand, type Text, type Typed, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { MappingFile } from '../../import/mapping/language.ts';
import type { PlanOptions } from '../../import/orders/plan.ts';
import { type Plan, planImport } from '../../import/orders/plan-import.ts';
import { isUnread, type Problem, type ProblemCode } from '../../import/problem.ts';
import type { CsvSource, Table } from '../../import/read/read-table.ts';
import { findOverwritten, stemOf } from '../../import/results/files.ts';
import { isQuoteError, readMapped } from '../../mappings/choose-mapping.ts';
import { type JsonObject, writeJson } from '../../orders/json.ts';
import { formatJson } from '../../output/print.ts';
import { writeWhole } from '../../whole-file.ts';
import type { ImportFlags } from './flags.ts';

/** A table, and how it is planned with a mapping. */
export interface MappingSource {
  table: Table;
  options: PlanOptions;
  optionsWith(map?: MappingFile): PlanOptions;
}

interface FileDraft {
  /** As it is written into a file: with a mark in each open place. */
  mapping: JsonObject;
  /** How many places are open. */
  open: number;
  /** Nothing is open, and planning the file with it finds no problem of the file or its header. */
  isComplete: boolean;
}

/** What a plan shows may raise new questions. */
const maxPlans = 3;

/** Reads the table again, at least once. Errors: those of reading, AbortError. */
export async function draftFile(
  { table, options, optionsWith }: MappingSource,
  { problems }: Pick<Plan, 'problems'>,
): Promise<FileDraft> {
  const { profileTable } = await import('../../import/mapping/draft/propose-mapping.ts');
  const { draftMapping, givenMapping } = await import('../../import/mapping/draft/write-mapping.ts');
  const { printDraft } = await import('../../import/mapping/draft/print-draft.ts');
  const profiled = await profileTable(table, options);
  const given = givenMapping(table, options);
  let known = problems;
  for (let plans = 1; ; plans += 1) {
    const withProblems = (map?: MappingFile) => ({ ...optionsWith(map), problems: known });
    const draft = draftMapping({ table: profiled, given, optionsWith: withProblems });
    const { mapping, open } = draft;
    if (open.length > 0) return { mapping: printDraft(draft), open: open.length, isComplete: false };
    const plan = await planWith({ table, optionsWith }, mapping, { keepsOrders: false });
    if (!plan.isBroken || plans === maxPlans) return { mapping, open: 0, isComplete: !plan.isBroken };
    known = plan.problems;
  }
}

/** Plans the table with a mapping without open questions. Errors: those of reading, AbortError. */
export async function planWith(
  { table, optionsWith }: Pick<MappingSource, 'table' | 'optionsWith'>,
  mapping: JsonObject,
  others: Pick<PlanOptions, 'keepsOrders'> = {},
): Promise<Plan> {
  const { parseMappingFile } = await import('../../import/mapping/mapping-file.ts');
  const map = parseMappingFile(writeJson(mapping), 'the mapping');
  return planImport(table, { ...optionsWith(map), ...others });
}

/** `--write-map`: nothing is sent, and no key is needed. */
export async function writeDraft(
  context: Context,
  source: CsvSource,
  file: string,
  flags: ImportFlags & { writeMap: string },
): Promise<void> {
  const { system, print } = context;
  const path = flags.writeMap;
  const overwritten = path === '-' ? undefined : await findOverwritten(path, [file], system);
  if (overwritten !== undefined) {
    throw new CliError('usage', t`The mapping would overwrite ${overwritten}.`, {
      hint: t`Choose another name: --write-map ${mapFileFor(file)}`,
    });
  }
  const draft = async (quote?: MappingFile['quote']): Promise<FileDraft> => {
    const { table, optionsWith } = await readMapped(context, source, { ...flags, dryRun: true }, quote);
    const options = optionsWith();
    const plan = await planImport(table, { ...options, keepsOrders: false, stopsAtQuestion: true });
    const found = await draftFile({ table, options, optionsWith }, plan);
    return quote === undefined ? found : { ...found, mapping: { ...found.mapping, quote } };
  };
  const found = await draft().catch((error) => {
    if (isQuoteError(error)) return draft('none');
    throw error;
  });
  const text = formatJson(found.mapping);
  if (path === '-') print.data(text);
  else await writeMappingFile(context, path, text);
  const next = completeCommand([
    ...withoutFlag(withoutFlag(system.args, '--write-map'), '--map'),
    '--map',
    path === '-' ? mapFileFor(file) : path,
  ]);
  print.note(describeState(path === '-' ? t`The mapping` : cleanCell(path), found, next));
}

/** Keeps an earlier file of this name, but not one with the text `earlier`. Error: `file_not_writable`. */
export async function writeMappingFile(
  context: Context,
  path: string,
  text: string,
  earlier?: string,
): Promise<void> {
  await writeWhole(context, path, `${text}\n`, { isOurs: (start) => earlier?.startsWith(start) ?? false });
}

function describeState(name: Text, { open, isComplete }: FileDraft, next: Typed): Text {
  if (open > 0)
    return t`${name} has ${open} open {question|questions} ("? ..."). Answer them and run:\n  ${next}`;
  return isComplete
    ? t`${name} is complete. Run:\n  ${next}`
    : t`${name} has no open question, but the file has problems that no mapping solves. Run:\n  ${next}`;
}

const maxLength = 20_000;

export function formatDraft({ mapping, open, isComplete }: FileDraft): Text {
  const text = formatJson(mapping);
  if (text.length > maxLength)
    return t`A mapping of this file is too long to be shown; --write-map writes it.`;
  if (open > 0)
    return t`A mapping of this file, which has ${open} open {question|questions} ("? ..."):\n${text}`;
  return isComplete
    ? t`A mapping of this file, which is complete:\n${text}`
    : t`A mapping of this file, which has no open question, but the file has problems that no mapping solves:\n${text}`;
}

export function writeMapCommand({ system }: Pick<Context, 'system'>, file: string): Typed {
  const words = [...withoutFlag(system.args, '--write-map'), '--write-map', mapFileFor(file)];
  return completeCommand(words);
}

export function mapFileFor(file: string): string {
  return `${stemOf(file)}.map.json`;
}

export function withoutFlag(args: readonly string[], flag: string): string[] {
  return args.filter(
    (word, index) => word !== flag && !word.startsWith(`${flag}=`) && args[index - 1] !== flag,
  );
}

/** Problems of a header that a mapping solves; for a single order the same codes mean blank cells. */
export const headerCodes: readonly ProblemCode[] = [
  'columns_undecided',
  'column_missing',
  'customer_missing',
  'items_missing',
  'collection_mode_missing',
  'header_duplicate',
  'ids_count_up',
  'total_is_of_line',
];

export function isMappingProblem(problem: Problem): boolean {
  return problem.severity === 'warning' || headerCodes.includes(problem.code) || isUnread(problem);
}
