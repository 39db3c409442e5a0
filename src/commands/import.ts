import type { Command } from 'commander';
import type { Context, OpenContext } from '../context.ts';
import { CliError } from '../errors.ts';
import type { OrderOutcome } from '../import/order-outcome.ts';
import { isSendable, type Plan, type PlannedOrder, planImport } from '../import/plan.ts';
import { describePlan } from '../import/preview.ts';
import { readTable } from '../import/read-table.ts';
import { notSent, recallOutcome } from '../import/recall-outcome.ts';
import { invalidOutcome } from '../import/rejects.ts';
import { selectOrders } from '../import/select-orders.ts';
import { sendOrders } from '../import/send-orders.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { formatCommandLine } from '../output/command-line.ts';
import { formatImportPreview } from '../output/import-preview.ts';
import { formatProblems } from '../output/problem-report.ts';
import { checkFiles, filesOf, withCsvFile } from './import-files.ts';
import { addImportFlags, type ImportFlags } from './import-flags.ts';
import { finishImport, type ImportJob, mendedCommand, watchProgress } from './import-report.ts';

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
  const started = context.clock.now();
  const plan = await withCsvFile(file, context.system, (path) => readPlan(context, path, flags));
  stopForFile(context, file, plan);

  const selected = selectOrders(plan.orders, flags);
  const run = context.system.randomUuid().slice(0, 8);
  const job: ImportJob = { file, flags, files: filesOf(file, flags), run, started, plan, selected };
  const invalid = selected.filter((order) => !isSendable(order));
  showProblems(context, selected);
  if (flags.dryRun) return dryRun(context, job);
  await checkFiles(job.files, context.system);
  if (invalid.length > 0 && flags.onInvalid === 'stop') return stopForOrders(context, job, invalid.length);

  await using connection = await context.connect();
  const ledger = await connection.openLedger();
  try {
    const sendable = selected.filter(isSendable);
    const known = sendable.flatMap((order) => recallOutcome(order, ledger) ?? []);
    await confirmImport(context, connection.label, job, sendable, known);
    ledger.beginRun(run, file);
    const progress = watchProgress(context, sendable.length);
    const sent = await sendOrders(sendable, {
      client: connection.client,
      ledger,
      run,
      concurrency: flags.concurrency,
      stopping: context.interruption.stopping,
      onOutcome: progress.see,
    }).finally(progress.stop);
    const outcomes = [...invalid.map(invalidOutcome), ...sent.outcomes];
    const error = await finishImport(context, job, outcomes, { connection, stoppedBy: sent.stoppedBy });
    ledger.endRun(run, error?.exitCode ?? 0);
    if (error !== undefined) throw error;
  } finally {
    ledger.close();
  }
}

async function readPlan({ clock }: Context, path: string, flags: ImportFlags): Promise<Plan> {
  return planImport(await readTable(path, flags.delimiter), {
    constants: flags.set ?? [],
    oneRowPerOrder: flags.oneRowPerOrder ?? false,
    repeatedRowsAreLines: flags.repeatedRows === 'lines',
    today: clock.today(),
    allRules: flags.checks,
  });
}

/** A problem of the file or its header ends it: what the orders are is not known then. */
function stopForFile({ print, system }: Context, file: string, { problems }: Plan): void {
  if (problems.length === 0) return;
  print.note(`${formatProblems(problems)}\n`);
  throw new CliError('file_invalid', `${file} cannot be imported as it is. Nothing was sent.`, {
    hint: `Mend it and run: ${formatCommandLine(system.args)}`,
    issues: problems.map(toIssue),
    hasShownIssues: true,
    outcome: 'not_sent',
  });
}

function showProblems({ print }: Context, selected: PlannedOrder[]): void {
  const problems = selected.flatMap((order) => order.problems);
  if (problems.length > 0) print.note(`${formatProblems(problems)}\n`);
}

async function stopForOrders(context: Context, job: ImportJob, invalid: number): Promise<void> {
  const { files, selected } = job;
  const good = selected.length - invalid;
  const outcomes = selected.map((order) => (isSendable(order) ? notSent(order) : invalidOutcome(order)));
  const hint = [
    `Mend them in ${files.rejects} and run:  ${mendedCommand(context, job, files.rejects)}`,
    ...(good > 0
      ? [
          `or send the ${good === 1 ? 'good one' : `${good} good ones`} now:  ${formatCommandLine([...context.system.args, '--on-invalid', 'skip'])}`,
        ]
      : []),
  ].join('\n');
  throw await finishImport(context, job, outcomes, {
    stoppedBy: invalidOrders(job, invalid, hint),
    writesResults: false,
  });
}

/** Checks and previews; the comparison with earlier imports needs a key, but no service. */
async function dryRun(context: Context, job: ImportJob): Promise<void> {
  const { report, print } = context;
  const ledger = await openLedgerIfPossible(context);
  try {
    const recall = (order: PlannedOrder) => (ledger && recallOutcome(order, ledger)) ?? notSent(order);
    const sendable = job.selected.filter(isSendable);
    const outcomes = job.selected.map((order) => (isSendable(order) ? recall(order) : invalidOutcome(order)));
    const known = outcomes.filter(({ outcome }) => outcome === 'already_exists');
    print.note(formatImportPreview({ file: job.file, ...describePlan(job.plan, sendable, known.length) }));
    if (!ledger) print.note('Without a key nothing was compared with earlier imports.');
    for (const [index, outcome] of outcomes.entries()) {
      report.outcome({ ...outcome, request: job.selected[index]?.order ?? null });
    }
    const invalid = job.selected.length - sendable.length;
    const stoppedBy =
      invalid > 0 && job.flags.onInvalid === 'stop'
        ? invalidOrders(job, invalid, 'Without --dry-run the rows to be mended are written to a file.')
        : undefined;
    const error = await finishImport(context, job, outcomes, { stoppedBy, isDryRun: true });
    if (error !== undefined) throw error;
    print.note('Nothing was sent.');
  } finally {
    ledger?.close();
  }
}

async function openLedgerIfPossible({ connect }: Context): Promise<Ledger | undefined> {
  try {
    await using connection = await connect();
    return await connection.openLedger();
  } catch (error) {
    if (error instanceof CliError && (error.code === 'no_key' || error.code === 'usage')) return undefined;
    throw error;
  }
}

async function confirmImport(
  { settings, prompts, print, system }: Context,
  label: string,
  { file, plan }: ImportJob,
  sendable: PlannedOrder[],
  known: OrderOutcome[],
): Promise<void> {
  const fresh = sendable.length - known.length;
  if (fresh === 0 || settings.yes) return;
  const already = known.filter(({ outcome }) => outcome === 'already_exists').length;
  print.note(formatImportPreview({ file, ...describePlan(plan, sendable, already) }));
  if (!prompts) {
    throw new CliError('confirmation_required', 'Nobody is there to ask. Nothing was sent.', {
      hint: `To send them without being asked, run: ${formatCommandLine([...system.args, '--yes'])}`,
      outcome: 'not_sent',
    });
  }
  if (await prompts.confirm(`${label}: create ${fresh === 1 ? '1 order' : `${fresh} orders`}?`)) return;
  throw new CliError('not_confirmed', 'Nothing was sent.', { outcome: 'not_sent' });
}

function invalidOrders({ file, selected }: ImportJob, invalid: number, hint: string): CliError {
  const orders = selected.length === 1 ? '1 order' : `${selected.length} orders`;
  return new CliError(
    'order_invalid',
    `${file}: ${orders}, ${invalid} ${invalid === 1 ? 'needs' : 'need'} mending. Nothing was sent.`,
    {
      hint,
      issues: selected
        .flatMap((order) => order.problems.filter(({ severity }) => severity === 'error'))
        .map(toIssue),
      hasShownIssues: true,
      outcome: 'not_sent',
    },
  );
}

function toIssue({ row, path, header, code, problem, fix, value }: Plan['problems'][number]) {
  const place = row === undefined ? '' : `row ${row}: `;
  return {
    path: path ?? header ?? '',
    code,
    message: `${place}${problem}; ${fix}`,
    ...(value === undefined ? {} : { value }),
  };
}
