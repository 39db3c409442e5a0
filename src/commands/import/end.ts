import type { Connection, Context } from '../../context.ts';
import type { CliError } from '../../errors.ts';
import type { Plan } from '../../import/orders/plan-import.ts';
import { isSendable } from '../../import/orders/plan-order.ts';
import type { OrderOutcome } from '../../import/results/order-outcome.ts';
import { createFileOrder, invalidOutcome, type Reject, rejectsOf } from '../../import/results/rejects.ts';
import { countSurvey, type ImportSummary } from '../../import/results/summary.ts';
import type { JsonObject } from '../../orders/json.ts';
import { formatCommandLine } from '../../output/error-text.ts';
import { createRejectsFormat, formatResults } from '../../output/import-files.ts';
import type { ImportPreview } from '../../output/import-preview.ts';
import { writeSomewhere } from './files.ts';
import { invalidOrders } from './problems.ts';
import type { ImportJob } from './read.ts';

interface CallResult {
  connection?: Connection;
  /** What the import ends in; undefined when every order is there. */
  error: CliError | undefined;
  /** Of a dry run: what would be sent. */
  preview?: ImportPreview;
  /** Where the results and the rejects were written, when they were. */
  results?: string;
  rejects?: string | undefined;
}

/** Writes the results of all orders of the file. Returns where. */
export async function writeResults(
  context: Context,
  { files }: ImportJob,
  outcomes: () => Iterable<OrderOutcome>,
): Promise<string> {
  const { path } = await writeSomewhere(files.results, () => formatResults(outcomes()), context);
  return path;
}

/** Writes the rows that must be mended, when there are any. Returns where. */
export async function writeRejects(
  context: Context,
  { files, plan, run }: ImportJob,
  rejects: () => Iterable<Reject[]> | AsyncIterable<Reject[]>,
): Promise<string | undefined> {
  const { header, above, delimiter } = plan.table;
  const format = createRejectsFormat({ header: header.cells, above, delimiter });
  let rows = 0;
  const pieces = async function* () {
    yield format.head();
    const order = createFileOrder();
    for await (const ofOrder of rejects()) {
      rows += ofOrder.length;
      if (ofOrder.length > 0) yield order.add(ofOrder).map(format.row).join('');
    }
    yield order.end().map(format.row).join('');
  };
  const written = await writeSomewhere(files.rejects, pieces, context, {
    isMeant: () => rows > 0,
    // Somebody may have begun to mend the rejects of an earlier run.
    keptAs: (path) => path.replace(/(\.csv)?$/, `.before-${run}$1`),
  });
  if (written?.kept !== undefined) {
    context.print.note(`The rejects that were there before are kept in ${written.kept}.`);
  }
  return written?.path;
}

/** The preview for scripts: how the file is read, what goes where, and what the orders amount to. */
function toPlan({ mapping, notes, unsent, ...preview }: ImportPreview): JsonObject {
  const { encoding, delimiter, lines, total, toCollect, firstDate, lastDate, firstOrder } = preview;
  return {
    ...{ encoding, delimiter, notes: [...notes], lines },
    ...{ total: total ?? null, toCollect: toCollect ?? null },
    ...{ firstDate: firstDate ?? null, lastDate: lastDate ?? null },
    mapping: mapping.map((column) => ({ ...column })),
    ...{ unsent, firstOrder },
  };
}

/** The summary as data, and the files that were written as a notice. */
export function reportImport(
  { report, print, clock, settings }: Context,
  job: ImportJob,
  orders: ImportSummary['orders'],
  { connection, error, preview, results, rejects }: CallResult,
): void {
  const summary: ImportSummary = {
    file: job.file,
    run: job.run,
    profile: connection?.profile ?? null,
    sandbox: settings.sandbox || connection?.label === 'SANDBOX',
    orders,
    rows: job.plan.survey.rows,
    results: results ?? null,
    rejects: rejects ?? null,
    durationMs: clock.now() - job.started,
    exitCode: error?.exitCode ?? 0,
    ...(preview === undefined ? {} : { dryRun: true, plan: toPlan(preview) }),
  };
  report.imported(summary);
  if (orders.already_exists > 0) print.note(thereAlready(orders));
  if (results !== undefined) print.note(`Results: ${results}`);
  if (rejects !== undefined) print.note(`To be mended: ${rejects}`);
}

// An id that is mended may fall into another shard.
const ofThisFileAlone = /^--(?:rows|limit|shard|results|rejects)(=|$)/;

/** The same command for the mended rows: with the flags of the original, since the columns are the same. */
export function mendedCommand({ system }: Context, { file }: ImportJob, rejects: string): string {
  const words = system.args.filter((word, index) => {
    const [flag, hasValue] = ofThisFileAlone.exec(system.args[index - 1] ?? '') ?? [];
    return !ofThisFileAlone.test(word) && (flag === undefined || hasValue === '=');
  });
  return formatCommandLine(words.map((word) => (word === file ? rejects : word)));
}

function thereAlready({ already_exists: count, total }: ImportSummary['orders']): string {
  if (count === total && total > 1) return `All ${total} orders are there already; none was created again.`;
  const orders = count === 1 ? '1 order was' : `${count} orders were`;
  return `${orders} there already and not created again.`;
}

/** Ends an import whose orders need mending, with the file to mend them in. Error: `order_invalid`. */
export async function stopForOrders(context: Context, job: ImportJob): Promise<void> {
  const { files, plan } = job;
  const { selected, invalid } = plan.survey;
  const good = selected - invalid;
  const rejects = (await writeRejects(context, job, () => invalidRows(plan))) ?? files.rejects;
  const skip = formatCommandLine([...context.system.args, '--on-invalid', 'skip']);
  const hint = [
    `Mend them in ${rejects} and run:  ${mendedCommand(context, job, rejects)}`,
    ...(good > 0 ? [`or send the ${good === 1 ? 'good one' : `${good} good ones`} now:  ${skip}`] : []),
  ].join('\n');
  const error = invalidOrders(job, hint);
  reportImport(context, job, countSurvey(plan.survey), { error, rejects });
  throw error;
}

async function* invalidRows(plan: Plan): AsyncGenerator<Reject[]> {
  for await (const batch of plan.orders()) {
    for (const { planned, isSelected } of batch) {
      if (isSelected && !isSendable(planned)) yield rejectsOf(planned, invalidOutcome(planned));
    }
  }
}
