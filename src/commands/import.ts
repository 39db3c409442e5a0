import type { Command } from 'commander';
import { mostConcurrency } from '../api/pace.ts';
import type { Connection, Context, OpenContext } from '../context.ts';
import { CliError } from '../errors.ts';
import type { OrderOutcome } from '../import/order-outcome.ts';
import { isSendable, type Plan, type PlannedOrder, planImport } from '../import/plan.ts';
import { describePlan } from '../import/preview.ts';
import { readTable } from '../import/read-table.ts';
import { notSent, recallOutcome } from '../import/recall-outcome.ts';
import { invalidOutcome } from '../import/rejects.ts';
import { selectOrders } from '../import/select-orders.ts';
import { sendOrders } from '../import/send-orders.ts';
import { endOf } from '../import/summary.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { formatCommandLine } from '../output/command-line.ts';
import { formatImportPreview } from '../output/import-preview.ts';
import { dryRun } from './import-dry-run.ts';
import { mendedCommand, reportImport, writeRejects, writeResults } from './import-end.ts';
import { checkFiles, filesOf, withCsvFile } from './import-files.ts';
import { addImportFlags, type ImportFlags } from './import-flags.ts';
import type { ImportJob } from './import-job.ts';
import { invalidOrders, showProblems, stopForFile } from './import-problems.ts';
import { watchProgress } from './import-progress.ts';

const examples = `
Columns are named by the fields they hold: externalOrderId, customer.phone, items[].sku, collectionMode,
collectionAmount, total, requestedDeliveryDate. Any other dotted name is sent as it is; :number, :boolean or
:json after a name says that it is not text. Rows with the same externalOrderId are the lines of one order.

The whole file is checked before anything is sent. Running the same command again is always safe.

Examples:
  $ merchant-orders import orders.csv --dry-run
  $ merchant-orders import orders.csv --sandbox
  $ merchant-orders import orders.csv --yes --json`;

export function registerImport(command: Command, open: OpenContext): void {
  addImportFlags(command.argument('<csv>', 'the file; - is standard input'))
    .addHelpText('after', examples)
    .action(async (file: string, flags: ImportFlags) => runImport(await open(command), file, flags));
}

export async function runImport(context: Context, file: string, flags: ImportFlags): Promise<void> {
  const job = await readJob(context, file, flags);
  showProblems(context, job.selected);
  if (flags.dryRun) return dryRun(context, job);
  await checkFiles(job.files, context.system);
  const invalid = job.selected.filter((order) => !isSendable(order));
  if (invalid.length > 0 && flags.onInvalid === 'stop') return stopForOrders(context, job, invalid.length);

  const { concurrency, rate: perSecond } = flags;
  let progress: ReturnType<typeof watchProgress> | undefined;
  await using connection = await context.connect({
    sitsOutOutages: true,
    pace: { concurrency, perSecond },
    onHold: (milliseconds, reason) => progress?.hold(milliseconds, reason),
  });
  const ledger = await connection.openLedger();
  try {
    const sendable = job.selected.filter(isSendable);
    await confirmImport(context, connection.label, job, sendable, ledger);
    ledger.beginRun(job.run, file);
    progress = watchProgress(context, sendable.length);
    const { outcomes: sent, stoppedBy } = await sendOrders(sendable, {
      client: connection.client,
      ledger,
      run: job.run,
      concurrency: concurrency === 'auto' ? mostConcurrency : concurrency,
      stopping: context.interruption.stopping,
      onOutcome: progress.see,
    }).finally(progress.stop);

    const outcomes = [...invalid.map(invalidOutcome), ...sent];
    const results = await writeResults(context, job, [...outcomes, ...unselected(job, ledger)]);
    const rejects = await writeRejects(context, job, outcomes);
    const error = endOf(outcomes, {
      stoppedBy,
      signal: context.interruption.signal(),
      again: formatCommandLine(context.system.args),
      mend: `Mend them in ${rejects} and run: ${mendedCommand(context, job, rejects ?? '')}`,
    });
    reportImport(context, job, outcomes, { connection, error, results, rejects });
    ledger.endRun(job.run, error?.exitCode ?? 0);
    if (error !== undefined) throw error;
  } finally {
    ledger.close();
  }
}

/** Reads and checks the whole file. Errors: those of the file, `usage` when no order is meant. */
async function readJob(context: Context, file: string, flags: ImportFlags): Promise<ImportJob> {
  const { clock, system } = context;
  const started = clock.now();
  const files = filesOf(file, flags);
  const name = file === '-' ? 'Standard input' : file;
  const plan = await withCsvFile(file, system, (path) => readPlan(context, path, name, flags));
  stopForFile(context, name, plan);
  const selected = selectOrders(plan.orders, flags);
  if (selected.length === 0) {
    throw new CliError('usage', `${name} has no order in the rows that were asked for.`, {
      hint: `Its last row is ${plan.lastRow}; rows are numbered as a spreadsheet shows them.`,
      outcome: 'not_sent',
    });
  }
  return { file, flags, files, run: system.randomUuid().slice(0, 8), started, plan, selected };
}

async function readPlan(
  { clock, interruption }: Context,
  path: string,
  name: string,
  flags: ImportFlags,
): Promise<Plan> {
  return planImport(await readTable(path, name, flags.delimiter), {
    stopping: interruption.stopping,
    constants: flags.set ?? [],
    oneRowPerOrder: flags.oneRowPerOrder ?? false,
    repeatedRowsAreLines: flags.repeatedRows === 'lines',
    today: clock.today(),
    allRules: flags.checks,
  });
}

async function stopForOrders(context: Context, job: ImportJob, invalid: number): Promise<void> {
  const { files, selected } = job;
  const good = selected.length - invalid;
  const outcomes = selected.map((order) => (isSendable(order) ? notSent(order) : invalidOutcome(order)));
  const rejects = (await writeRejects(context, job, outcomes)) ?? files.rejects;
  const skip = formatCommandLine([...context.system.args, '--on-invalid', 'skip']);
  const hint = [
    `Mend them in ${rejects} and run:  ${mendedCommand(context, job, rejects)}`,
    ...(good > 0 ? [`or send the ${good === 1 ? 'good one' : `${good} good ones`} now:  ${skip}`] : []),
  ].join('\n');
  const error = invalidOrders(job, invalid, hint);
  reportImport(context, job, outcomes, { error, rejects });
  throw error;
}

async function confirmImport(
  { settings, prompts, print, system }: Context,
  label: Connection['label'],
  { file, plan }: ImportJob,
  sendable: PlannedOrder[],
  ledger: Ledger,
): Promise<void> {
  const known = sendable.flatMap((order) => recallOutcome(order, ledger) ?? []);
  const fresh = sendable.length - known.length;
  if (fresh === 0 || settings.yes) return;
  const already = known.filter(({ outcome }) => outcome === 'already_exists').length;
  print.note(formatImportPreview({ file, service: label, ...describePlan(plan, sendable, already) }));
  print.note('');
  if (!prompts) {
    throw new CliError('confirmation_required', 'Nobody is there to ask. Nothing was sent.', {
      hint: `To send them without being asked, run: ${formatCommandLine([...system.args, '--yes'])}`,
      outcome: 'not_sent',
    });
  }
  if (await prompts.confirm(`${label}: create ${fresh === 1 ? '1 order' : `${fresh} orders`}?`)) return;
  throw new CliError('not_confirmed', 'Nothing was sent.', { outcome: 'not_sent' });
}

/** The orders of the file that were not meant this time; the results file keeps what is known of them. */
function unselected({ plan, selected }: ImportJob, ledger: Ledger): OrderOutcome[] {
  const meant = new Set(selected);
  return plan.orders
    .filter((order) => !meant.has(order))
    .map((order) => recallOutcome(order, ledger) ?? { ...notSent(order), code: 'not_selected' });
}
