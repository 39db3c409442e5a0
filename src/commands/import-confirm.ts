import type { Connection, Context } from '../context.ts';
import { CliError } from '../errors.ts';
import type { PlannedOrder } from '../import/plan.ts';
import { recallOutcome } from '../import/recall-outcome.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { formatCommandLine } from '../output/command-line.ts';
import { formatImportPreview } from '../output/import-preview.ts';
import type { ImportJob } from './import-job.ts';
import { previewOf } from './import-read.ts';

/** Asks before anything is sent, below a preview. Errors: `confirmation_required`, `not_confirmed`. */
export async function confirmImport(
  { settings, prompts, print, system }: Context,
  label: Connection['label'],
  job: ImportJob,
  sendable: PlannedOrder[],
  ledger: Ledger,
): Promise<void> {
  const known = sendable.flatMap((order) => recallOutcome(order, ledger) ?? []);
  const fresh = sendable.length - known.length;
  if (fresh === 0 || settings.yes) return;
  const already = known.filter(({ outcome }) => outcome === 'already_exists').length;
  print.note(formatImportPreview(previewOf(job, label, already)));
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
