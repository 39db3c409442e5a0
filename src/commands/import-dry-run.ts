import type { Connection, Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { isSendable, type PlannedOrder } from '../import/plan.ts';
import { describePlan } from '../import/preview.ts';
import { notSent, recallOutcome } from '../import/recall-outcome.ts';
import { invalidOutcome } from '../import/rejects.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { formatImportPreview } from '../output/import-preview.ts';
import { reportImport } from './import-end.ts';
import type { ImportJob } from './import-job.ts';
import { invalidOrders } from './import-problems.ts';

/** Checks and previews; the comparison with earlier imports needs a key, but no service. */
export async function dryRun(context: Context, job: ImportJob): Promise<void> {
  const { report, print } = context;
  const { ledger, service } = await openLedgerIfPossible(context);
  try {
    const recall = (order: PlannedOrder) => (ledger && recallOutcome(order, ledger)) ?? notSent(order);
    const sendable = job.selected.filter(isSendable);
    const outcomes = job.selected.map((order) => (isSendable(order) ? recall(order) : invalidOutcome(order)));
    const known = outcomes.filter(({ outcome }) => outcome === 'already_exists');
    print.note(
      formatImportPreview({ file: job.file, service, ...describePlan(job.plan, sendable, known.length) }),
    );
    if (!ledger) print.note('Without a key nothing was compared with earlier imports.');
    for (const [index, outcome] of outcomes.entries()) {
      report.outcome({ ...outcome, request: job.selected[index]?.order ?? null });
    }
    const invalid = job.selected.length - sendable.length;
    const hint = 'Without --dry-run the rows to be mended are written to a file.';
    const stops = invalid > 0 && job.flags.onInvalid === 'stop';
    const error = stops ? invalidOrders(job, invalid, hint) : undefined;
    reportImport(context, job, outcomes, { error, isDryRun: true });
    if (error !== undefined) throw error;
    print.note('Nothing was sent.');
  } finally {
    ledger?.close();
  }
}

async function openLedgerIfPossible({
  connect,
}: Context): Promise<{ ledger?: Ledger; service?: Connection['label'] }> {
  try {
    await using connection = await connect();
    return { ledger: await connection.openLedger(), service: connection.label };
  } catch (error) {
    if (error instanceof CliError && (error.code === 'no_key' || error.code === 'usage')) return {};
    throw error;
  }
}
