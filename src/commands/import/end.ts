import { completeCommand, joinTexts, type Text, type Typed, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Connection, Context } from '../../context.ts';
import type { CliError } from '../../errors.ts';
import { listLeftOut } from '../../import/choices.ts';
import { idPrefixIn } from '../../import/mapping/column.ts';
import { isSendable } from '../../import/orders/plan.ts';
import type { Plan } from '../../import/orders/plan-import.ts';
import type { WarningCount } from '../../import/problem.ts';
import {
  createFileOrder,
  createRejectsFormat,
  invalidOutcome,
  rejectsOf,
} from '../../import/results/files.ts';
import {
  cureOfTwice,
  echoDiffers,
  notesOnCopies,
  type Reject,
  type SameId,
} from '../../import/results/order-outcome.ts';
import { countUnsent, type ImportSummary } from '../../import/results/summary.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { ImportPreview } from '../../output/import-preview.ts';
import { describePapers } from '../../output/order-view.ts';
import { wrapText } from '../../output/wrapped-text.ts';
import { sayIn } from '../../settings.ts';
import type { Comparison } from './compare.ts';
import { countLeftOut, type ImportJob, invalidOrders, showReading } from './read.ts';
import { type WrittenFile, writeSomewhere } from './result-files.ts';

interface ImportEnd {
  connection?: Pick<Connection, 'profile' | 'label'>;
  /** Undefined when every order exists. */
  error: CliError | undefined;
  preview?: ImportPreview;
  /** Those from the comparison with the ledger. */
  warnings?: readonly WarningCount[];
  /** An earlier run has finished it: no request was sent. */
  isRerun?: boolean;
  twice?: readonly SameId[];
  /** The paths of the files that were written. */
  results?: string | undefined;
  rejects?: string | undefined;
}

export async function writeRejects(
  context: Context,
  { files, plan, run, flags: { lang } }: ImportJob,
  rejects: () => Iterable<Reject[]>,
): Promise<WrittenFile> {
  // Who wrote it at a terminal opens it as well.
  const say = lang === undefined ? context.say : await sayIn(lang, context.system);
  const format = createRejectsFormat(plan.table, say);
  const pieces = function* () {
    let isEmpty = true;
    const order = createFileOrder();
    for (const ofOrder of rejects()) {
      if (ofOrder.length === 0) continue;
      if (isEmpty) yield* format.head();
      isEmpty = false;
      for (const reject of order.add(ofOrder)) yield format.row(reject);
    }
    for (const reject of order.end()) yield format.row(reject);
  };
  return writeSomewhere({ what: 'rejects', path: files.rejects, run }, pieces, context);
}

function toPlan({ mapping, notes, unsent, ignored, ...preview }: ImportPreview): JsonObject {
  const { shop, encoding, delimiter, sheet, orders, lines, total, toCollect, collecting, paidOnDelivery } =
    preview;
  return {
    shop: shop === undefined ? null : String(shop),
    rememberedMapping: preview.remembered ?? null,
    ...(sheet === undefined ? { encoding, delimiter } : { sheet }),
    notes: notes.map(String),
    lines,
    total: total ?? null,
    prepaid: orders - collecting,
    collecting,
    toCollect: toCollect ?? null,
    paidOnDelivery,
    firstDate: preview.firstDate ?? null,
    lastDate: preview.lastDate ?? null,
    sums: { ...preview.sums },
    ignored: ignored.map(String),
    mapping: mapping.map((column) => ({ ...column })),
    unsent,
    shippingMethods: { ...preview.shippingMethods },
    firstOrder: preview.firstOrders[0]?.order ?? {},
  };
}

export function reportImport(
  context: Context,
  job: ImportJob,
  orders: ImportSummary['orders'],
  { connection, error, preview, results, rejects, warnings = [], isRerun = false, twice = [] }: ImportEnd,
): void {
  const { report, print, say, clock, settings } = context;
  const { terminal } = context.system;
  const leftOut = countLeftOut(job.plan);
  const summary: ImportSummary = {
    file: job.file,
    run: job.run,
    profile: connection?.profile ?? null,
    sandbox: settings.sandbox || connection?.label === 'SANDBOX',
    orders,
    twice: twice.length,
    leftOut: { total: leftOut, byReason: { ...job.plan.counts.leftOut } },
    warnings: [...job.plan.warnings, ...warnings].map((warning) => ({ ...warning })),
    rows: job.plan.counts.rows,
    results: results ?? null,
    rejects: rejects ?? null,
    durationMs: clock.now() - job.started,
    exitCode: error?.exitCode ?? 0,
    ...(preview === undefined ? {} : { dryRun: true, plan: toPlan(preview) }),
  };
  report.imported(summary);
  const notes = [
    ...(leftOut > 0 ? [formatLeftOut(leftOut, job.plan)] : []),
    ...(orders.already_exists > 0 ? [formatAlreadyExists(orders, isRerun)] : []),
    ...(orders.conflict > 0 ? [formatConflicts(orders.conflict)] : []),
    ...warnings.filter(({ code }) => code === echoDiffers).map(formatEchoes),
  ];
  const width = terminal.stderr ? terminal.width - 1 : Number.POSITIVE_INFINITY;
  for (const note of notes) print.note(wrapText(say(note), width).join('\n'));
  if (twice.length > 0) {
    for (const note of notesOnCopies(twice)) print.note(note);
    if (error?.code !== 'twice') print.note(cureOfTwice(twice));
  }
  if (results !== undefined) print.note(t`Results: ${cleanCell(results)}`);
  if (rejects !== undefined) print.note(t`To fix: ${cleanCell(rejects)}`);
  if (orders.created > 0 && error === undefined && terminal.stderr)
    print.note(describePapers(context, job.plan.totals.firstDate));
}

// These apply to the original file only: a corrected ID may belong to another shard.
const onlyForOriginal = /^--(?:rows|limit|shard|results|rejects|sheet|hidden-rows)(=|$)/;

/** The command that imports the fixed rejects, with the flags of the original import. */
export function rejectsCommand({ file, args, plan }: ImportJob, rejects: string): Typed {
  const words = args.filter((word, index) => {
    const [flag, hasValue] = onlyForOriginal.exec(args[index - 1] ?? '') ?? [];
    return !onlyForOriginal.test(word) && (flag === undefined || hasValue === '=');
  });
  // The name of the file gives the prefix, and that of the rejects is another.
  const prefix = idPrefixIn(plan.mapping.columns) ?? '';
  const isGiven = prefix === '' || words.some((word) => /^--(?:id-prefix|map)(?:=|$)/.test(word));
  const named = words.map((word) => (word === file ? rejects : word));
  return completeCommand(isGiven ? named : [...named, '--id-prefix', prefix]);
}

function formatLeftOut(total: number, { counts }: Plan): Text {
  const reasons = joinTexts(listLeftOut(counts.leftOut), ', ');
  if (counts.selected > 0) return t`${total} left out: ${reasons}.`;
  return total === 1
    ? t`The only order is left out: ${reasons}.`
    : t`All ${total} orders are left out: ${reasons}.`;
}

function formatAlreadyExists(
  { already_exists: count, total }: ImportSummary['orders'],
  isRerun: boolean,
): Text {
  if (count === total) {
    const exist = total === 1 ? t`The order exists already.` : t`All ${total} orders exist already.`;
    return isRerun ? t`${exist} Nothing was sent.` : exist;
  }
  return t`${count} {order|orders} already {exists|exist} and {was|were} not created again.`;
}

function formatEchoes({ count, rows }: WarningCount): Text {
  const named = rows.toSorted((left, right) => left - right).join(', ');
  const shown = `${named}${rows.length < count ? ', ...' : ''}`;
  const which = rows.length === 1 ? t`row ${shown}` : t`rows ${shown}`;
  return t`The service shows other values than were sent in ${count} {order|orders} that {was|were} created (${which}). The results file names them.`;
}

function formatConflicts(count: number): Text {
  return t`${count} {order|orders} {is|are} already there with other content, or cancelled. {It|They} {was|were} not created again.`;
}

/** Ends an import with invalid orders. Error: `order_invalid`. */
export async function stopForOrders(
  context: Context,
  { job, warnings }: Pick<Comparison, 'job' | 'warnings'>,
): Promise<void> {
  const { files, plan } = job;
  showReading(context, job);
  const { selected, invalid } = plan.counts;
  const good = selected - invalid;
  const { path: rejects, failure } = await writeRejects(context, job, () => invalidRows(plan));
  const skip = completeCommand([...job.args, '--on-invalid', 'skip']);
  const named = rejects ?? files.rejects;
  const send =
    good === 1 ? t`Send the good one now:\n  ${skip}` : t`Send the ${good} good ones now:\n  ${skip}`;
  const again = rejectsCommand(job, named);
  // The rows to fix have none of the good ones, and sending these writes them anew.
  const fix =
    failure !== undefined
      ? t`The rows to fix could not be written. ${failure}\nFix them in the file that you import and run:\n  ${completeCommand(job.args)}`
      : good === 0
        ? t`Fix them in ${cleanCell(named)} and run:\n  ${again}`
        : t`${send}\nThen fix the others in ${cleanCell(named)} and run:\n  ${again}`;
  const error = invalidOrders(context, job, fix);
  reportImport(context, job, countUnsent(plan.counts), { error, rejects, warnings });
  throw error;
}

function* invalidRows(plan: Plan): Generator<Reject[]> {
  for (const planned of plan.orders()) {
    const isInvalid = planned.leftOut === undefined && !isSendable(planned);
    if (planned.isSelected && isInvalid) yield rejectsOf(planned, invalidOutcome(planned));
  }
}
