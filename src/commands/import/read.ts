import { advice, completeCommand, joinTexts, type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError, type ErrorIssue } from '../../errors.ts';
import type { NonOrderKind } from '../../import/mapping/non-order-rows.ts';
import { type Plan, planImport } from '../../import/orders/plan-import.ts';
import { type FoldedProblem, isUnread, type Problem, type ReportedProblem } from '../../import/problem.ts';
import type { CsvSource, ReadingFlags } from '../../import/read/read-table.ts';
import { readOf } from '../../import/read/settings.ts';
import type { ImportFiles } from '../../import/results/files.ts';
import {
  type ChosenMapping,
  readAsking,
  readMapped,
  rememberedNotes,
  withoutNewValues,
} from '../../mappings/choose-mapping.ts';
import { findRemembered, remember } from '../../mappings/remembered-mappings.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { FieldPaths } from '../../orders/unnamed-fields.ts';
import { withArticle } from '../../output/import-preview.ts';
import { formatProblems } from '../../output/problem-report.ts';
import type { Spill } from '../../system/temporary-file.ts';
import { draftFile, formatDraft, isMappingProblem, writeMapCommand } from './draft.ts';
import type { ImportFlags } from './flags.ts';
import type { NumberedCopy } from './numbered-copy.ts';
import type { MappingJob } from './questions/complete-mapping.ts';
import { checkNoOverwrite, filesOf } from './result-files.ts';

/** Errors: those of the file and the mapping, `file_changed`, `usage` when no order is selected. */
async function readJob(
  context: Context,
  source: CsvSource,
  file: string,
  flags: ImportFlags,
  answers?: JsonObject,
): Promise<ImportJob | NumberedCopy> {
  const { clock, system } = context;
  const started = clock.now();
  const files = filesOf(file, flags);
  // The shell may have opened a file as standard input.
  const read = [
    file,
    ...(file === '-' ? ['/dev/stdin'] : []),
    ...(flags.map === undefined || flags.map === 'none' ? [] : [flags.map]),
  ];
  await checkNoOverwrite(files, read, system);
  const found = await readPlan(context, source, file, flags, answers).catch(async (error) => {
    if (error instanceof CliError) await source.checkUnchanged();
    throw error;
  });
  await source.checkUnchanged();
  if ('copy' in found) return found;
  const { job, plan, remembered } = found;
  if (plan.isBroken) {
    for (const note of rememberedNotes(remembered)) context.print.note(note);
    return stopForFile(context, source.name, job, plan);
  }
  if (remembered === undefined) stopForShop(context, source.name, flags, plan);
  if (flags.map === undefined && !flags.dryRun && plan.ignoredRest.length > 0) {
    const { keepIgnored } = await import('./questions/keep-mapping.ts');
    await keepIgnored(context, job, plan);
  }
  const { selected, lastRow } = plan.counts;
  const isLeftOut = selected === 0 && countLeftOut(plan) > 0;
  if (selected === 0 && flags.shard === undefined && !isLeftOut) {
    throw new CliError('usage', t`${source.name} has no order in the selected rows.`, {
      hint: t`Its last row is ${lastRow}. Rows are numbered as a spreadsheet shows them.`,
    });
  }
  if (selected === 0 && !isLeftOut)
    context.print.note(t`${cleanCell(source.name)} has no order to import in this shard.`);
  return {
    file,
    args: system.args,
    flags,
    files,
    run: system.randomUuid().slice(0, 8),
    started,
    plan,
    remembered,
    fieldPaths: job.options.fieldPaths,
    openSpill: source.openSpill,
    checkUnchanged: source.checkUnchanged,
  };
}

async function readPlan(
  context: Context,
  source: CsvSource,
  file: string,
  flags: ImportFlags,
  answers?: JsonObject,
): Promise<{ job: MappingJob; plan: Plan; remembered: ChosenMapping['remembered'] } | NumberedCopy> {
  const { table, chosen, optionsWith } = await readMapped(context, source, flags);
  const { map, remembered } = chosen;
  const options = optionsWith();
  const { prompts, settings } = context;
  const stopsAtQuestion = prompts !== undefined && !settings.yes;
  const given = await planImport(table, { ...options, stopsAtQuestion });
  chosen.asked = withoutNewValues(chosen, given.problems);
  const job: MappingJob = {
    file,
    flags,
    table,
    options: { ...options, map: chosen.asked },
    isMapped: map !== undefined,
    answers,
    optionsWith,
    checkUnchanged: source.checkUnchanged,
  };
  if (prompts === undefined) {
    if (given.isBroken && isMissingId(given)) {
      const { stopBesideCopy } = await import('./numbered-copy.ts');
      await stopBesideCopy(context, job);
    }
    return { job, plan: given, remembered };
  }
  const { completeMapping } = await import('./questions/complete-mapping.ts');
  const completed = await completeMapping(context, job, given);
  return 'copy' in completed ? completed : { job, plan: completed, remembered };
}

function isMissingId({ problems }: Plan): boolean {
  return problems.some(
    ({ first: { code, path } }) => code === 'column_missing' && path === 'externalOrderId',
  );
}

export function showReading({ print }: Context, { plan, remembered }: ImportJob): void {
  for (const note of rememberedNotes(remembered)) print.note(note);
  if (plan.shop !== undefined) print.note(t`Read as ${withArticle(plan.shop.title)}.`);
  for (const note of notesOf(plan)) print.note(note);
}

export function notesOf({ table, counts, reformatted, nonOrderRows }: ImportJob['plan']): Text[] {
  const { skippedRows } = counts;
  // A column may be both the total and the amount to collect.
  const changed = new Map(reformatted.map((one) => [`${one.from} ${one.to}`, one]));
  const skipped = t`${skippedRows} {row|rows} {is|are} skipped, as the mapping says.`;
  return [
    ...(table.isWrapped ? [t`Each row was wrapped in quotes, which were removed.`] : []),
    ...(table.notes ?? []),
    ...(skippedRows > 0 ? [skipped] : []),
    ...(nonOrderRows.count > 0 ? [formatNonOrders(nonOrderRows)] : []),
    ...[...changed.values()].map(({ from, to, count }) => {
      if (count === 1) return t`${from} is sent as ${to}.`;
      return t`${from} is sent as ${to}, and so on in ${count - 1} more {cell|cells}.`;
    }),
  ];
}

function formatNonOrders({ count, first }: ImportJob['plan']['nonOrderRows']): Text {
  const nameOf: Record<NonOrderKind, (row: number) => Text> = {
    total: (row) => t`row ${row} (a total)`,
    footer: (row) => t`row ${row} (a footer)`,
    description: (row) => t`row ${row} (a description)`,
  };
  const rows = first.map(({ row, kind }) => nameOf[kind](row));
  const named = joinTexts(rows, ', ');
  return count > first.length
    ? t`${count} rows are not orders and were left out: ${named} and ${count - first.length} more.`
    : t`${count} {row is not an order and was|rows are not orders and were} left out: ${named}.`;
}

/** One import, passed from step to step. */
export interface ImportJob {
  file: string;
  /** The words of a command line that reads the file the same way without asking. */
  args: readonly string[];
  flags: ImportFlags;
  files: ImportFiles;
  run: string;
  /** Milliseconds since the epoch. */
  started: number;
  plan: Plan;
  remembered: ChosenMapping['remembered'];
  fieldPaths: FieldPaths;
  /** Opens a temporary file that is removed with the source. */
  openSpill(): Spill;
  checkUnchanged(): Promise<void>;
}

/** A recognised export is only read when a person sees a preview of it. Error: `shop_recognised`. */
function stopForShop(
  { prompts, settings, system }: Context,
  file: string,
  { dryRun }: ImportFlags,
  { shop }: Plan,
): void {
  if (!shop?.isRecognised || dryRun || (prompts !== undefined && !settings.yes)) return;
  const withPreset = (name: string) => completeCommand([...system.args, '--preset', name]);
  throw new CliError('shop_recognised', t`${file} looks like ${withArticle(shop.title)}. Nothing was sent.`, {
    hint: t`To read it as one, run:\n  ${withPreset(shop.name)}\nTo read it by its header alone, run:\n  ${withPreset('none')}`,
  });
}

/** A text is one line off a terminal. */
function textWidth({ terminal }: Context['system']): number | undefined {
  return terminal.stderr ? terminal.width : undefined;
}

/** Shows the problems of the file and its header. Errors: `file_invalid`, `columns_undecided`. */
async function stopForFile(context: Context, name: string, job: MappingJob, plan: Plan): Promise<never> {
  const { print, system, settings, prompts } = context;
  const draft = prompts === undefined ? await draftFile(job, plan) : undefined;
  if (plan.shop !== undefined) print.note(t`Read as ${withArticle(plan.shop.title)}.`);
  const about = plan.problems.filter(({ first }) => first.about !== 'order');
  print.styledNote(formatProblems(about, context.say, textWidth(system)));
  print.note('');
  // With a flag for another header row, or another reading, the columns are others.
  const isReadOtherwise = about.some(({ first }) => !isUndecided(first) && first.cures?.length === 1);
  const isMapped = draft !== undefined && about.every(({ first }) => isMappingProblem(first));
  const isUseful = isMapped && !isReadOtherwise;
  if (isUseful) print.note(advice`${formatDraft(draft)}\n`);
  const errors = about.filter((cause) => !isWarning(cause)).map(({ first }) => first);
  const fix = (await fixForUnread(context, job, errors)) ?? fixOf(context, errors);
  const isOnlyUndecided = errors.every(isUndecided);
  const code = isOnlyUndecided ? 'columns_undecided' : 'file_invalid';
  const sentence = isOnlyUndecided
    ? t`${name} has columns about which nothing is decided. Nothing was sent.`
    : t`${name} cannot be imported as it is. Nothing was sent.`;
  throw new CliError(code, sentence, {
    hint: isUseful
      ? t`${fix}\nor write the mapping into a file:\n  ${writeMapCommand({ system }, job.file)}`
      : fix,
    issues: about.map(toIssue),
    hasShownIssues: !settings.quiet,
    ...(isUseful ? { draft: draft.mapping } : {}),
  });
}

/** The command with the flags that solve the problems: `--ignore-rest` only where nothing else is missing. */
function fixOf({ system }: Context, errors: readonly Problem[]): Text {
  const flags = flagsThatCure(errors);
  const command = completeCommand([...system.args, ...flags]);
  const isCutOff = errors.some(({ code }) => code === 'file_truncated');
  if (isCutOff) {
    const given = completeCommand(system.args);
    return t`Export or copy the file again and run:
  ${given}
If it really ends there:
  ${command}`;
  }
  return flags.length > 0
    ? t`Run:
  ${command}`
    : t`Fix it and run:
  ${command}`;
}

/** What the other columns hold does not matter only when nothing else is missing. */
function flagsThatCure(problems: readonly Problem[]): string[] {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const isCured = ({ code, cures }: Problem) => code !== 'column_missing' && cures?.length === 1;
  const cured = errors.every(isCured) ? errors : errors.filter((error) => !isUndecided(error));
  return cured.flatMap(({ cures = [] }) => (cures.length === 1 ? cures.flat() : []));
}

function isUndecided({ code }: Problem): boolean {
  return code === 'columns_undecided';
}

/** The columns that `--ignore-rest` does not cover, with what would be sent without them. */
async function fixForUnread(
  { system }: Context,
  { table, optionsWith }: MappingJob,
  errors: readonly Problem[],
): Promise<Text | undefined> {
  const options = optionsWith();
  const headers = errors.flatMap((problem) =>
    problem.ifIgnored !== undefined || isUnread(problem) ? (problem.header ?? '') : [],
  );
  if (!options.ignoreRest || headers.length === 0 || headers.length < errors.length) return undefined;
  const ignoreColumn = [...(options.ignoreColumn ?? []), ...headers];
  const plan = await planImport(table, { ...options, ignoreColumn, keepsOrders: false });
  const command = completeCommand([
    ...system.args,
    ...headers.flatMap((header) => ['--ignore-column', header]),
  ]);
  const effects = plan.ignored.map((effect) => advice`\n  ${effect}`);
  return effects.length === 0
    ? t`Say what these columns mean, as above. To send the orders without reading them:
  ${command}`
    : t`Say what these columns mean, as above. To send the orders without reading them:
  ${command}
That would mean:${joinTexts(effects, '')}`;
}

export function countLeftOut({ counts }: Plan): number {
  return Object.values(counts.leftOut).reduce((sum, count) => sum + count, 0);
}

export function isWarning({ first }: FoldedProblem): boolean {
  return first.severity === 'warning';
}

/** A preview shows the warnings, but in short. */
export function problemsBeforePreview({
  plan: { problems },
  flags: { details },
}: ImportJob): FoldedProblem[] {
  return details ? problems : problems.filter((cause) => !isWarning(cause));
}

export function showProblems(
  { print, say, system }: Context,
  problems: readonly FoldedProblem<ReportedProblem>[],
): void {
  if (problems.length === 0) return;
  print.styledNote(formatProblems(problems, say, textWidth(system)));
  print.note('');
}

export function invalidOrders({ settings }: Context, { file, plan }: ImportJob, hint: Text): CliError {
  const { selected, invalid } = plan.counts;
  const sentence = t`${file}: ${selected} {order|orders}, ${invalid} {needs|need} fixing. Nothing was sent.`;
  const errors = plan.problems.filter((cause) => !isWarning(cause));
  const issues = errors.map(toIssue);
  const hasShownIssues = !settings.quiet;
  return new CliError('order_invalid', sentence, { hint, issues, hasShownIssues });
}

function toIssue({ first, others, otherRows }: FoldedProblem): ErrorIssue {
  const { row, path, header, code, reason, problem, fix, value } = first;
  const rows = [...new Set(row === undefined ? otherRows : [row, ...otherRows])];
  return {
    path: path ?? header ?? '',
    code,
    ...(reason === undefined ? {} : { reason }),
    message: row === undefined ? advice`${problem}; ${fix}` : t`row ${row}: ${problem}; ${fix}`,
    ...(value === undefined ? {} : { value }),
    ...(rows.length === 0 ? {} : { rows }),
    count: others + 1,
  };
}

/**
 * At a terminal, asks what only a person knows about how the file is read. `known` has answers about its columns. Errors:
 * those of readJob.
 */
export async function readAnswered(
  context: Context,
  source: CsvSource,
  file: string,
  flags: ImportFlags,
  known?: JsonObject,
): Promise<ImportJob | NumberedCopy> {
  return readAsking(context, async (answers) => {
    const job = await readJob(context, source, file, { ...flags, ...answers } as ImportFlags, known);
    if ('copy' in job) return job;
    const words = wordsOf(answers);
    if (words.length > 0) await keepReading(context, job);
    return { ...job, args: [...job.args, ...words] };
  });
}

/** Remembers how the file is read, unless a mapping with it is remembered; the preset of a shop is chosen each time. */
async function keepReading(context: Context, { file, plan }: ImportJob): Promise<void> {
  const { header, reading } = plan.table;
  const read = readOf(reading);
  if (plan.shop !== undefined || read === undefined) return;
  if ((await findRemembered(context, header)) !== undefined) return;
  try {
    const kept = { file, header, mapping: { read }, seen: plan.seen };
    const { name } = await remember(context, kept);
    context.print.note(t`Your answer is remembered as "${cleanCell(name)}" for files with these columns.`);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    context.print.note(t`${error.sentence} Your answer is not remembered.`);
  }
}

function wordsOf({ headerRow, sheet, hiddenRows }: ReadingFlags): string[] {
  return [
    ...(headerRow === undefined ? [] : ['--header-row', String(headerRow)]),
    ...(sheet === undefined ? [] : ['--sheet', sheet]),
    ...(hiddenRows === undefined ? [] : ['--hidden-rows', hiddenRows]),
  ];
}
