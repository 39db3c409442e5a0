import type { Command } from 'commander';
import { mostConcurrency } from '../api/pace.ts';
import type { Context, OpenContext } from '../context.ts';
import { CliError } from '../errors.ts';
import type { OrderOutcome } from '../import/order-outcome.ts';
import { isSendable, type PlannedOrder } from '../import/plan.ts';
import { notSent, recallOutcome } from '../import/recall-outcome.ts';
import { invalidOutcome, rejectsOf } from '../import/rejects.ts';
import { sendOrders } from '../import/send-orders.ts';
import { countOrders, endOf } from '../import/summary.ts';
import { formatTemplate } from '../import/template.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { formatCommandLine } from '../output/command-line.ts';
import { confirmImport } from './import-confirm.ts';
import { dryRun } from './import-dry-run.ts';
import { mendedCommand, reportImport, writeRejects, writeResults } from './import-end.ts';
import { checkFiles, withSource } from './import-files.ts';
import { addImportFlags, type ImportFlags } from './import-flags.ts';
import type { ImportJob } from './import-job.ts';
import { showProblems } from './import-problems.ts';
import { watchProgress } from './import-progress.ts';
import { notesOf, readJob } from './import-read.ts';
import { createSpellingWarning } from './import-spellings.ts';
import { stopForOrders } from './import-stop.ts';

const examples = `
Columns are named by the fields they hold: externalOrderId, customer.phone, items[].sku, collectionMode,
collectionAmount, total, requestedDeliveryDate. Any other dotted name is sent as it is; :number, :boolean or
:json after a name says that it is not text. Rows with the same externalOrderId are the lines of one order.
Other names are mapped by --map-column, --map or --preset; usual names of these fields are known.

The whole file is checked before anything is sent. Running the same command again is always safe.

Examples:
  $ merchant-orders import --template > orders.csv
  $ merchant-orders import orders.csv --dry-run
  $ merchant-orders import orders.csv --sandbox
  $ merchant-orders import orders_export.csv --preset shopify --set collectionMode=NONE
  $ merchant-orders import orders.csv --yes --json`;

export function registerImport(command: Command, open: OpenContext): void {
  addImportFlags(command.argument('[csv]', 'the file; - is standard input'))
    .addHelpText('after', examples)
    .action(async (file: string | undefined, flags: ImportFlags) =>
      runImport(await open(command), file, flags),
    );
}

export async function runImport(
  context: Context,
  file: string | undefined,
  flags: ImportFlags,
): Promise<void> {
  if (flags.template) return context.print.data(formatTemplate(context.clock.today()));
  if (file === undefined) {
    throw new CliError('usage', 'Which file is to be imported?', {
      hint: 'Run: merchant-orders import orders.csv --dry-run   (--template prints an example of a file)',
      outcome: 'not_sent',
    });
  }
  await withSource(file, context.system, async (source) => {
    await runJob(context, await readJob(context, source, file, flags));
  });
}

async function runJob(context: Context, job: ImportJob): Promise<void> {
  const { flags, plan } = job;
  showProblems(context, plan);
  for (const note of notesOf(plan)) context.print.note(note);
  if (flags.dryRun) return dryRun(context, job);
  await checkFiles(job.files, context.system);
  if (plan.survey.invalid > 0 && flags.onInvalid === 'stop') return stopForOrders(context, job);

  const { concurrency, rate: perSecond } = flags;
  let progress: ReturnType<typeof watchProgress> | undefined;
  const stopped = new AbortController();
  const stopping = AbortSignal.any([context.interruption.stopping, stopped.signal]);
  await using connection = await context.connect({
    sitsOutOutages: true,
    pace: { concurrency, perSecond },
    stopping,
    onHold: (milliseconds, reason) => progress?.hold(milliseconds, reason),
  });
  const ledger = await connection.openLedger();
  try {
    const { selected, others } = await readOrders(job);
    const sendable = selected.filter(isSendable);
    const spellings = createSpellingWarning(ledger);
    for (const order of sendable) spellings.see(order);
    spellings.tell(context.print);
    await confirmImport(context, connection.label, job, sendable, ledger);
    ledger.beginRun(job.run, job.file);
    progress = watchProgress(context, sendable.length);
    const { outcomes: sent, stoppedBy } = await sendOrders(sendable, {
      client: connection.client,
      ledger,
      run: job.run,
      concurrency: concurrency === 'auto' ? mostConcurrency : concurrency,
      stopping: context.interruption.stopping,
      onOutcome: progress.see,
      onStop: () => stopped.abort(),
    }).finally(progress.stop);

    const invalid = selected.filter((order) => !isSendable(order));
    const outcomes = [...invalid.map(invalidOutcome), ...sent];
    const results = await writeResults(context, job, [...outcomes, ...unselected(others, ledger)]);
    const byRow = new Map(outcomes.map((outcome) => [outcome.row, outcome]));
    // From what is in memory: the file may have changed since, and must not keep this from being told.
    const rejects = await writeRejects(context, job, () =>
      selected.map((order) => {
        const outcome = byRow.get(order.rows[0]?.row ?? 0);
        return outcome === undefined ? [] : rejectsOf(order, outcome);
      }),
    );
    const error = endOf(outcomes, {
      stoppedBy,
      signal: context.interruption.signal(),
      again: formatCommandLine(context.system.args),
      mend: `Mend them in ${rejects} and run: ${mendedCommand(context, job, rejects ?? '')}`,
    });
    reportImport(context, job, countOrders(outcomes), { connection, error, results, rejects });
    ledger.endRun(job.run, error?.exitCode ?? 0);
    if (error !== undefined) throw error;
  } finally {
    ledger.close();
  }
}

/** The orders that are meant, and the others of the file. Error: `file_changed`. */
async function readOrders({
  plan,
}: ImportJob): Promise<{ selected: PlannedOrder[]; others: PlannedOrder[] }> {
  const selected: PlannedOrder[] = [];
  const others: PlannedOrder[] = [];
  for await (const batch of plan.orders()) {
    for (const { planned, isSelected } of batch) (isSelected ? selected : others).push(planned);
  }
  return { selected, others };
}

/** The orders of the file that were not meant this time; the results file keeps what is known of them. */
function unselected(others: PlannedOrder[], ledger: Ledger): OrderOutcome[] {
  return others.map((order) => recallOutcome(order, ledger) ?? { ...notSent(order), code: 'not_selected' });
}
