import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { isSendable, type PlannedOrder } from '../../import/orders/plan-order.ts';
import { toSend } from '../../import/send/order-to-send.ts';
import { type RecallParts, recallOutcome } from '../../import/send/recall-outcome.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { formatCommandLine } from '../../output/error-text.ts';
import { formatImportPreview } from '../../output/import-preview.ts';
import type { Print } from '../../output/print.ts';
import { type ImportJob, previewOf } from './read.ts';

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

const mostNamed = 3;

/** Finds the orders that an earlier import knew under another spelling of their ids: they would be created again. */
export function createSpellingWarning(ledger: Ledger) {
  const named: string[] = [];
  let count = 0;
  return {
    see: ({ externalOrderId }: PlannedOrder): void => {
      const other = otherSpelling(externalOrderId, ledger);
      if (other === undefined) return;
      count += 1;
      if (named.length < mostNamed) named.push(`${externalOrderId} (then ${other})`);
    },
    tell: (print: Print): void => {
      if (count === 0) return;
      const orders = count === 1 ? '1 order was' : `${count} orders were`;
      const list = `${named.join(', ')}${count > named.length ? ', ...' : ''}`;
      print.note(
        `warning: ${orders} imported before under another spelling of the id and would be created again: ${list}`,
      );
    },
  };
}

/** The spelling under which the ledger knows an id that it does not know as it is: `1013` for `#1013`, `12` for `0012`. */
export function otherSpelling(externalOrderId: string, ledger: Ledger): string | undefined {
  if (ledger.orders.recall(externalOrderId) !== undefined) return undefined;
  return spellings(externalOrderId).find((spelling) => ledger.orders.recall(spelling) !== undefined);
}

function spellings(id: string): string[] {
  const bare = id.replace(/^#/, '');
  const short = bare.replace(/^0+(?=\d)/, '');
  return [...new Set([bare, `#${bare}`, short, `#${short}`])].filter((spelling) => spelling !== id);
}
