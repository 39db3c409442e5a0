import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { isSendable, type PlannedOrder } from '../../import/orders/plan-order.ts';
import { recallOutcome } from '../../import/send/recall.ts';
import { type RecallContext, toSend } from '../../import/send/send-context.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { formatCommandLine } from '../../output/error-text.ts';
import { formatImportPreview } from '../../output/import-preview.ts';
import type { Print } from '../../output/print.ts';
import { type ImportJob, previewOf } from './read.ts';

/** Shows the preview and asks before anything is sent. Errors: `confirmation_required`, `not_confirmed`. */
export async function confirmImport(
  { settings, prompts, print, system }: Context,
  label: Connection['label'],
  job: ImportJob,
  { known, already }: Comparison,
): Promise<void> {
  const { selected, invalid } = job.plan.counts;
  const fresh = selected - invalid - known;
  if (fresh === 0 || settings.yes) return;
  print.note(formatImportPreview(previewOf(job, label, already)));
  print.note('');
  if (!prompts) {
    throw new CliError('confirmation_required', 'There is no terminal to ask at. Nothing was sent.', {
      hint: `To send without confirmation, run: ${formatCommandLine([...system.args, '--yes'])}`,
      outcome: 'not_sent',
    });
  }
  if (await prompts.confirm(`${label}: create ${fresh === 1 ? '1 order' : `${fresh} orders`}?`)) return;
  throw new CliError('not_confirmed', 'Nothing was sent.', { outcome: 'not_sent' });
}

/** What the ledger knows of the orders that may be sent. */
interface Comparison {
  /** Orders that are not sent because of an earlier import, and those of them that already exist. */
  known: number;
  already: number;
}

/** Compares the orders with the ledger, and warns about IDs that it knows in another spelling. */
export async function compareWithLedger(
  { print }: Context,
  { plan }: ImportJob,
  context: RecallContext,
): Promise<Comparison> {
  const comparison = { known: 0, already: 0 };
  if (context.known.isEmpty) return comparison;
  const spellings = createSpellingWarning(context.ledger);
  for await (const batch of plan.orders()) {
    for (const { planned, isSelected } of batch) {
      if (!isSelected || !isSendable(planned)) continue;
      spellings.add(planned);
      const outcome = recallOutcome(toSend(planned), context);
      if (outcome !== undefined) comparison.known += 1;
      if (outcome?.outcome === 'already_exists') comparison.already += 1;
    }
  }
  spellings.print(print);
  return comparison;
}

const maxNamed = 3;

/** Collects orders that were imported earlier under another spelling of the ID and would be created again. */
export function createSpellingWarning(ledger: Ledger) {
  const named: string[] = [];
  let count = 0;
  return {
    add: ({ externalOrderId }: PlannedOrder): void => {
      const other = otherSpelling(externalOrderId, ledger);
      if (other === undefined) return;
      count += 1;
      if (named.length < maxNamed) named.push(`${externalOrderId} (imported as ${other})`);
    },
    print: (print: Print): void => {
      if (count === 0) return;
      const orders = count === 1 ? '1 order was' : `${count} orders were`;
      const list = `${named.join(', ')}${count > named.length ? ', ...' : ''}`;
      print.note(
        `warning: ${orders} imported before under another spelling of the ID and would be created again: ${list}`,
      );
    },
  };
}

/** The spelling in which the ledger knows an ID that it does not know as written: `1013` for `#1013`, `12` for `0012`. */
export function otherSpelling(externalOrderId: string, ledger: Ledger): string | undefined {
  if (ledger.orders.recall(externalOrderId) !== undefined) return undefined;
  return spellings(externalOrderId).find((spelling) => ledger.orders.recall(spelling) !== undefined);
}

function spellings(id: string): string[] {
  const bare = id.replace(/^#/, '');
  const short = bare.replace(/^0+(?=\d)/, '');
  return [...new Set([bare, `#${bare}`, short, `#${short}`])].filter((spelling) => spelling !== id);
}
