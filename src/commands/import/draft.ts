import { advice, completeCommand, type Typed } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { WrittenMapping } from '../../import/mapping/draft/proposal.ts';
import type { MappingFile } from '../../import/mapping/language.ts';
import type { PlanOptions } from '../../import/orders/plan.ts';
import { type Plan, planImport } from '../../import/orders/plan-import.ts';
import type { Problem, ProblemCode } from '../../import/problem.ts';
import type { CsvSource, Table } from '../../import/read/read-table.ts';
import { withRead } from '../../import/read/settings.ts';
import { findOverwritten, stemOf } from '../../import/results/files.ts';
import { formatJson } from '../../output/print.ts';
import type { ImportFlags } from './flags.ts';
import { isQuoteError, readMapped } from './mapping.ts';

/** Reads the table once more. Errors: those of reading, AbortError. */
export async function draftMapping(
  table: Table,
  options: PlanOptions & Pick<Plan, 'problems'>,
): Promise<WrittenMapping> {
  const { analyseTable } = await import('../../import/mapping/draft/propose-mapping.ts');
  const { noAnswers, writeMapping } = await import('../../import/mapping/draft/write-mapping.ts');
  const { proposal, known } = await analyseTable(table, options);
  return withRead(writeMapping(proposal, noAnswers, known), table);
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
    throw new CliError('usage', `The mapping would overwrite ${overwritten}.`, {
      hint: `Choose another name: --write-map ${mapFileFor(file)}`,
      outcome: 'not_sent',
    });
  }
  const draft = async (quote?: MappingFile['quote']): Promise<WrittenMapping> => {
    const { table, optionsWith } = await readMapped(context, source, { ...flags, dryRun: true }, quote);
    const options = optionsWith();
    const { problems } = await planImport(table, { ...options, keepsOrders: false });
    const { mapping, questions } = await draftMapping(table, { ...options, problems });
    return { mapping: { ...mapping, ...(quote === undefined ? {} : { quote }) }, questions };
  };
  const { mapping, questions } = await draft().catch((error) => {
    if (isQuoteError(error)) return draft('none');
    throw error;
  });
  const text = formatJson(mapping);
  if (path === '-') print.data(text);
  else await writeMappingFile(context, path, text);
  const name = path === '-' ? 'The mapping' : path;
  const next = completeCommand([
    ...withoutFlag(withoutFlag(system.args, '--write-map'), '--map'),
    '--map',
    path === '-' ? mapFileFor(file) : path,
  ]);
  const first = questions === 0 ? 'is complete' : `has ${countQuestions(questions)} ("? ...")`;
  const then = questions === 0 ? 'Run' : 'Answer them and run';
  print.note(advice`${cleanCell(`${name} ${first}.`)} ${then}:\n  ${next}`);
}

/** Keeps an earlier file of this name. Error: `file_not_writable`. */
export async function writeMappingFile(
  { system, print }: Context,
  path: string,
  text: string,
): Promise<void> {
  const { backup } = await system.files.writeWhole(path, `${text}\n`, {
    isOurs: () => false,
    backupPath: (before) => before.replace(/(\.json)?$/, `.before-${system.randomUuid().slice(0, 8)}$1`),
    outputs: system,
  });
  if (backup !== undefined) print.note(cleanCell(`The earlier ${path} is kept as ${backup}.`));
}

function countQuestions(count: number): string {
  return count === 1 ? '1 open question' : `${count} open questions`;
}

const maxLength = 20_000;

export function formatDraft({ mapping, questions }: WrittenMapping): string {
  const text = formatJson(mapping);
  if (text.length > maxLength)
    return 'A mapping of this file is too long to be shown; --write-map writes it.';
  const open = questions === 0 ? 'complete' : `with ${countQuestions(questions)} ("? ...")`;
  return `A mapping of this file, ${open}:\n${text}`;
}

export function writeMapCommand({ system }: Pick<Context, 'system'>, file: string): Typed {
  const words = [...withoutFlag(system.args, '--write-map'), '--write-map', mapFileFor(file)];
  return completeCommand(words);
}

export function mapFileFor(file: string): string {
  return `${stemOf(file)}.map.json`;
}

function withoutFlag(args: readonly string[], flag: string): string[] {
  return args.filter(
    (word, index) => word !== flag && !word.startsWith(`${flag}=`) && args[index - 1] !== flag,
  );
}

/** Problems of a header that a mapping solves; for a single order the same codes mean blank cells. */
export const headerCodes: readonly ProblemCode[] = [
  'column_missing',
  'customer_missing',
  'items_missing',
  'collection_mode_missing',
  'header_duplicate',
];

/** Problems of columns that nothing reads, which a mapping solves. */
export const unreadCodes: readonly ProblemCode[] = [
  'quantity_unread',
  'payment_unread',
  'state_unread',
  'address_unread',
  'date_unread',
];

export function isMappingProblem({ code, severity }: Problem): boolean {
  return severity === 'warning' || headerCodes.includes(code) || unreadCodes.includes(code);
}
