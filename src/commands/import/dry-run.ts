import { t } from '../../advice/advice.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { isSendable, type PlannedOrder } from '../../import/orders/plan.ts';
import type { Plan } from '../../import/orders/plan-import.ts';
import { type OrderOutcome, toRecord, withWarnings } from '../../import/results/order-outcome.ts';
import { countUnsent } from '../../import/results/summary.ts';
import type { LedgerContext } from '../../import/send/context.ts';
import { entriesOfKey } from '../../import/send/merchant-entries.ts';
import { leftOutOutcome, notSentOutcome, outcomeFromLedger } from '../../import/send/outcomes.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { formatImportPreview } from '../../output/import-preview.ts';
import { drained } from '../../output/print.ts';
import { type Comparison, compareWithLedger, invalidOutcomeOf, ledgerWarnings } from './compare.ts';
import { lookOf, previewOf } from './confirm.ts';
import { reportImport } from './end.ts';
import type { ImportFlags } from './flags.ts';
import { type ImportJob, invalidOrders, problemsBeforePreview, showProblems } from './read.ts';

/** Shows the preview. With a key the orders are compared with the ledger, without a request to the service. */
export async function dryRun(context: Context, given: ImportJob): Promise<void> {
  const { report, print } = context;
  const { flags } = given;
  const { ledgerContext, service } = await openLedgerContext(context, flags);
  try {
    const comparison = ledgerContext && compareWithLedger(context, given, ledgerContext);
    const { job, counts, problems, warnings } = comparison ?? {
      job: given,
      counts: countUnsent(given.plan.counts),
      problems: [],
      warnings: [],
    };
    showProblems(context, problemsBeforePreview(given));
    showProblems(context, problems);
    if (report.showsOutcomes) await reportOutcomes(context, job.plan, ledgerContext, warnings.length > 0);
    const preview = previewOf(job, service, { counts });
    print.note(formatImportPreview(preview, lookOf(context, flags)));
    if (!ledgerContext) print.note(t`Without an API key the orders were not compared with earlier imports.`);
    const hint = t`Without --dry-run the rows to fix are written to a file.`;
    const error =
      counts.invalid > 0 && flags.onInvalid === 'stop' ? invalidOrders(context, job, hint) : undefined;
    const { profile } = context.settings.sandbox ? {} : await context.identity();
    const connection = service === undefined ? {} : { connection: { profile, label: service } };
    reportImport(context, job, counts, { ...connection, error, preview, warnings });
    if (error !== undefined) throw error;
    print.note(t`Nothing was sent.`);
  } finally {
    ledgerContext?.ledger.close();
  }
}

/** For an import that sends nothing. A broken ledger does not stop it. */
export async function compareUnsent(
  context: Context,
  job: ImportJob,
): Promise<Pick<Comparison, 'job' | 'warnings'>> {
  let ledger: Ledger | undefined;
  try {
    const { ledgerContext } = await openLedgerContext(context, job.flags);
    if (ledgerContext === undefined) return { job, warnings: [] };
    ledger = ledgerContext.ledger;
    const comparison = compareWithLedger(context, job, ledgerContext);
    showProblems(context, comparison.problems);
    return comparison;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    context.print.note(t`The orders were not compared with earlier imports: ${error.sentence}`);
    return { job, warnings: [] };
  } finally {
    ledger?.close();
  }
}

async function reportOutcomes(
  context: Context,
  plan: Plan,
  ledgerContext: LedgerContext | undefined,
  warnsFromLedger: boolean,
): Promise<void> {
  const { report, system } = context;
  const outcomeOf = (planned: PlannedOrder): OrderOutcome => {
    if (planned.leftOut !== undefined) return leftOutOutcome(planned, planned.leftOut, ledgerContext);
    if (!isSendable(planned)) return invalidOutcomeOf(planned, context, ledgerContext);
    return (ledgerContext && outcomeFromLedger(planned, ledgerContext)) ?? notSentOutcome(planned);
  };
  for (const planned of plan.orders()) {
    if (!planned.isSelected) continue;
    const found =
      ledgerContext !== undefined && warnsFromLedger ? ledgerWarnings(planned, context, ledgerContext) : [];
    const outcome = withWarnings(outcomeOf(planned), [...planned.problems, ...found], system);
    report.outcome({
      ...toRecord(outcome, system),
      ...(planned.leftOut === undefined ? { request: planned.order } : {}),
    });
    await drained(system.stdout);
  }
}

/** The ledger when there is a key, without a request to the service; the caller closes it. */
async function openLedgerContext(
  { connect, clock }: Context,
  { recreateCancelled = false }: ImportFlags,
): Promise<{ ledgerContext?: LedgerContext; service?: Connection['label'] }> {
  try {
    await using connection = await connect({ waitsForOutages: false });
    const ledger = await connection.openLedger({ isDryRun: true });
    return {
      ledgerContext: {
        ledger,
        entries: entriesOfKey(ledger),
        recreatesCancelled: recreateCancelled,
        now: () => clock.now(),
      },
      service: connection.label,
    };
  } catch (error) {
    if (error instanceof CliError && (error.code === 'no_key' || error.code === 'usage')) return {};
    throw error;
  }
}
