import type { Connection, Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { isSendable } from '../import/plan.ts';
import { toSend } from '../import/send/order-to-send.ts';
import { type RecallParts, recallOutcome } from '../import/send/recall-outcome.ts';
import { formatCommandLine } from '../output/command-line.ts';
import { formatImportPreview } from '../output/import-preview.ts';
import type { ImportJob } from './import-job.ts';
import { previewOf } from './import-read.ts';
import { createSpellingWarning } from './import-spellings.ts';

/** Asks before anything is sent, below a preview. Errors: `confirmation_required`, `not_confirmed`. */
export async function confirmImport(
  { settings, prompts, print, system }: Context,
  label: Connection['label'],
  job: ImportJob,
  { known, already }: Compared,
): Promise<void> {
  const { selected, invalid } = job.plan.survey;
  const fresh = selected - invalid - known;
  if (fresh === 0 || settings.yes) return;
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

/** Orders that the ledger has something to say of, and those of them that are there already. */
interface Compared {
  known: number;
  already: number;
}

/** Compares the orders that may be sent with what the ledger knows, and warns of ids that it knows in another spelling. */
export async function compareWithLedger(
  { print }: Context,
  { plan }: ImportJob,
  parts: RecallParts,
): Promise<Compared> {
  const compared = { known: 0, already: 0 };
  if (parts.known.isEmpty) return compared;
  const spellings = createSpellingWarning(parts.ledger);
  for await (const batch of plan.orders()) {
    for (const { planned, isSelected } of batch) {
      if (!isSelected || !isSendable(planned)) continue;
      spellings.see(planned);
      const outcome = recallOutcome(toSend(planned), parts);
      if (outcome !== undefined) compared.known += 1;
      if (outcome?.outcome === 'already_exists') compared.already += 1;
    }
  }
  spellings.tell(print);
  return compared;
}
