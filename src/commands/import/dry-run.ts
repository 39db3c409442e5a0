import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { isSendable, type PlannedOrder } from '../../import/orders/plan-order.ts';
import { invalidOutcome } from '../../import/results/rejects.ts';
import { countUnsent, createTally, type ImportSummary } from '../../import/results/summary.ts';
import { ownOrders } from '../../import/send/known-orders.ts';
import { notSentOutcome, recallOutcome } from '../../import/send/recall.ts';
import { toSend } from '../../import/send/send-context.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { formatImportPreview } from '../../output/import-preview.ts';
import { drained } from '../../output/print.ts';
import { createSpellingWarning } from './confirm.ts';
import { reportImport } from './end.ts';
import { invalidOrders } from './problems.ts';
import { type ImportJob, previewOf } from './read.ts';

/** Shows the preview. With a key the orders are compared with the ledger, without a request to the service. */
export async function dryRun(context: Context, job: ImportJob): Promise<void> {
  const { report, print } = context;
  const { plan, flags } = job;
  const { ledger, service } = await openLedgerIfPossible(context);
  try {
    const isReadAgain = ledger !== undefined || report.showsOutcomes;
    const counts = isReadAgain ? await countOneByOne(context, job, ledger) : countUnsent(plan.counts);
    const preview = previewOf(job, service, counts.already_exists);
    print.note(formatImportPreview(preview));
    if (!ledger) print.note('Without an API key the orders were not compared with earlier imports.');
    const hint = 'Without --dry-run the rows to fix are written to a file.';
    const error = counts.invalid > 0 && flags.onInvalid === 'stop' ? invalidOrders(job, hint) : undefined;
    reportImport(context, job, counts, { error, preview });
    if (error !== undefined) throw error;
    print.note('Nothing was sent.');
  } finally {
    ledger?.close();
  }
}

async function countOneByOne(
  { report, print, system, clock }: Context,
  { plan, flags }: ImportJob,
  ledger: Ledger | undefined,
): Promise<ImportSummary['orders']> {
  const tally = createTally();
  const recallContext = ledger && {
    ledger,
    known: ownOrders(ledger),
    recreatesCancelled: flags.recreateCancelled ?? false,
    now: () => clock.now(),
  };
  const spellings = ledger && createSpellingWarning(ledger);
  const outcomeOf = (planned: PlannedOrder) => {
    if (!isSendable(planned)) return invalidOutcome(planned);
    const order = toSend(planned);
    return (recallContext && recallOutcome(order, recallContext)) ?? notSentOutcome(order);
  };
  for await (const batch of plan.orders()) {
    for (const { planned, isSelected } of batch) {
      if (!isSelected) continue;
      const outcome = outcomeOf(planned);
      tally.see(outcome);
      report.outcome({ ...outcome, request: planned.order });
      if (outcome.outcome === 'not_sent') spellings?.add(planned);
    }
    await drained(system.stdout);
  }
  spellings?.print(print);
  return tally.orders;
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
